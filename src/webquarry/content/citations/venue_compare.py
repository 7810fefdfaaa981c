"""Compares two names of venues: abbreviations, acronyms, workshops, preprints."""

import re
from collections.abc import Sequence
from functools import lru_cache

from webquarry.content.citations.known_venues import (
    FRAME_WORDS,
    content_words,
    full_names,
    is_companion,
    is_container,
    is_preprint_server,
    known_venues,
    same_preprint_server,
)
from webquarry.content.citations.venue_match import VenueVerdict, abbreviates
from webquarry.content.text.spelling import tokens_of

_SUBTITLE = re.compile(r"(?:(?<!\s)\s++)?[(\[:;=].*", re.DOTALL)
_ACRONYM = re.compile(r"[a-z]*+[A-Z][a-z]*+[A-Z][A-Za-z]*")
_MAX_ACRONYM = 10
_MIN_NAME_WORDS = 2


@lru_cache(maxsize=1 << 12)
def compare_venues(given: str, known: str) -> VenueVerdict:
    """Tell whether two names can be those of one venue."""
    if not given.strip() or not known.strip() or is_container(given) or is_container(known):
        return "not_checked"
    preprints = is_preprint_server(given), is_preprint_server(known)
    if any(preprints):  # a work may be cited by its preprint, and a preprint by where it appeared
        if not all(preprints):
            return "not_checked"
        return "match" if same_preprint_server(given, known) else "mismatch"
    if is_companion(given) != is_companion(known) and known_venues(given) & known_venues(known):
        return "mismatch"
    return "match" if _same(given, known) else "mismatch"


def _same(given: str, known: str) -> bool:
    left, right = known_venues(given), known_venues(known)
    if left and right:
        return bool(left & right)
    names = [_words(given)] if not left else _names_of(left)
    others = [_words(known)] if not right else _names_of(right)
    pairs = [(one, other) for one in names for other in others]
    return any(_same_words(*pair) for pair in pairs) or _is_acronym(given, known)


def _names_of(venues: frozenset[str]) -> list[tuple[str, ...]]:
    return [words for venue in sorted(venues) for words in full_names(venue)]


def _words(name: str) -> tuple[str, ...]:
    """Return the words of a name without numbers and function words."""
    words = [token.word for token in tokens_of(name) if not token.word[0].isdecimal()]
    return content_words(words)


def _same_words(one: Sequence[str], other: Sequence[str]) -> bool:
    """Tell whether two names have the same words, in full or abbreviated, in the same order."""
    if not one or not other:
        return False
    if _pairwise(one, other):
        return True
    plain = [tuple(word for word in words if word not in FRAME_WORDS) for words in (one, other)]
    framed = "journal" not in {*one, *other}  # Proceedings of the … Conference on …
    return framed and min(map(len, plain)) >= _MIN_NAME_WORDS and _pairwise(*plain)


def _pairwise(one: Sequence[str], other: Sequence[str]) -> bool:
    return len(one) == len(other) and all(
        abbreviates(a, b) or abbreviates(b, a) for a, b in zip(one, other, strict=True)
    )


def _is_acronym(one: str, other: str) -> bool:
    """Tell whether one name is an acronym of the other, or the other without its subtitle."""
    if _plain(one) == _plain(other):
        return True
    shorts = [_plain(_SUBTITLE.sub("", name)) for name in (one, other)]
    if _plain(one) == shorts[1] or shorts[0] == _plain(other):
        return True
    if _same_words(_words(_SUBTITLE.sub("", one)), _words(_SUBTITLE.sub("", other))):
        return bool(_SUBTITLE.search(one)) != bool(_SUBTITLE.search(other))
    return _abbreviated(one, other) or _abbreviated(other, one)


def _plain(name: str) -> str:
    words = [token.word for token in tokens_of(name)]
    return " ".join(words[1:] if words[:1] == ["the"] else words)


def _abbreviated(short: str, name: str) -> bool:
    """Tell whether a single word is made of the initials of a name, or is one of its words."""
    word = re.sub(r"(?:['\u2019]\s*+|(?<!\s)\s++)?\d{2,4}$", "", short.strip())
    if not _ACRONYM.fullmatch(word) or len(word) > _MAX_ACRONYM:
        return False
    tokens = tokens_of(name)
    if any(token.raw == word for token in tokens):
        return True
    words = [token.word for token in tokens if token.word[0].isalpha()]
    return len(words) > 1 and any(
        _spells(word.lower(), words[start:]) for start in range(len(words) - 1)
    )


def _spells(acronym: str, words: Sequence[str]) -> bool:
    """Tell whether the words give an acronym letter by letter; small words may be left out."""
    if not acronym:
        return not any(word not in FRAME_WORDS for word in words)
    if not words:
        return False
    first, rest = words[0], words[1:]
    taken = any(
        acronym.startswith(first[:size]) and _spells(acronym[size:], rest) for size in (1, 2, 3)
    )
    return taken or (first in FRAME_WORDS and _spells(acronym, rest))
