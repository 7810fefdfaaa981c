"""Recognises well-known venues by acronym or name, and names that are not those of a venue."""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

from webquarry.content.citations.venue_match import abbreviates
from webquarry.content.text.spelling import SpellingToken, tokens_of
from webquarry.content.text.word_list import word_set

FUNCTION_WORDS = word_set(
    "a an and at by de der des die du et for fuer in la le les of on the to und y del"
)
# words around the name of a conference: Proceedings of the 2022 IEEE/CVF Conference on …
FRAME_WORDS = FUNCTION_WORDS | word_set(
    "proceedings proc ieee acm cvf rsj siam usenix ifip annual conference conf international int "
    "intl joint advances adv symposium symp meeting volume vol part long short papers main track "
    "i ii iii iv v"
)
_COMPANION = re.compile(
    r"workshops?\b|\bcompanion\b|\bextended abstracts?\b|\badjunct\b|(?<![A-Z])[A-Z]{4,}+(?<=W)\b"
)
_PREPRINT = re.compile(
    r"\b(?:\w*rxiv|corr|ssrn|preprints?|research square|authorea|techrxiv|e-?prints?)\b", re.I
)
# book series and repositories hold works of many venues
_CONTAINER = re.compile(
    r"\b(?:lecture notes|lncs|lnai|lnicst|lipics|leibniz international|pmlr|ceur|openreview|zenodo"
    r"|proceedings of machine learning research|conference proceeding series|acl anthology"
    r"|communications in computer and information science|advances in intelligent systems"
    r"|springer proceedings|springer briefs|ifip advances|frontiers in artificial intelligence and "
    r"applications|repository|dspace|figshare|hal|ebooks?)\b",
    re.I,
)
_NUMBER = re.compile(r"\d+(?:st|nd|rd|th)?|[mdclxvi]+", re.I)
_YEAR_SUFFIX = re.compile(r"['\u2019]?\d{2,4}$")
_AFTER_NAME = re.compile(r"[,:;()\[\]/\u2013\u2014@]|\s-\s")


class _Table(NamedTuple):
    acronyms: dict[str, str]  # in lower case -> the venue
    names: dict[tuple[str, ...], str]  # words -> the venue
    alone: frozenset[tuple[str, ...]]  # names that must not be framed
    longest: int


def is_preprint_server(name: str) -> bool:
    """Tell whether a name is that of a preprint server."""
    return bool(_PREPRINT.search(name))


def same_preprint_server(one: str, other: str) -> bool:
    """Tell whether two names can be those of one preprint server; some are general."""
    left, right = _servers(one), _servers(other)
    return not left or not right or bool(left & right)


def _servers(name: str) -> set[str]:
    found = {word.lower() for word in _PREPRINT.findall(name)}
    return {"arxiv" if word == "corr" else word for word in found if "print" not in word}


def is_container(name: str) -> bool:
    """Tell whether a name is that of a book series or a repository, not of a venue."""
    return bool(_CONTAINER.search(name))


def is_companion(name: str) -> bool:
    """Tell whether a name is that of the workshops or the companion volume of a conference."""
    return bool(_COMPANION.search(name) or _COMPANION.search(name.lower()))


def full_names(venue: str) -> list[tuple[str, ...]]:
    """Return the words of the names of a well-known venue."""
    return [words for words, known in _table().names.items() if known == venue]


@lru_cache(maxsize=1 << 12)
def known_venues(name: str) -> frozenset[str]:
    """Return the well-known venues that a name stands for; empty if it is none of them."""
    tokens = tokens_of(name)
    found = _by_name(name, tokens) | _by_acronym(name, tokens) or _by_abbreviation(tokens)
    # the sponsor of a conference is part of its name: AAAI/ACM Conference on AI, Ethics, …
    return frozenset(found - {"AAAI"} or found)


def content_words(words: Sequence[str]) -> tuple[str, ...]:
    """Return the words of a name that are no function words."""
    return tuple(word for word in words if word not in FUNCTION_WORDS)


def _by_name(text: str, tokens: Sequence[SpellingToken]) -> set[str]:
    """Return the venue with the longest name in the text."""
    table = _table()
    content = [token for token in tokens if token.word not in FUNCTION_WORDS]
    words = tuple(token.word for token in content)
    for length in range(min(table.longest, len(words)), 0, -1):
        for start in range(len(words) - length + 1):
            venue = table.names.get(words[start : start + length])
            if venue and _is_framed(text, content, start, start + length, table):
                return {venue}
    return set()


def _by_abbreviation(tokens: Sequence[SpellingToken]) -> set[str]:
    words = content_words([token.word for token in tokens])
    return {
        venue
        for name, venue in _table().names.items()
        if len(name) == len(words) and all(map(abbreviates, words, name))
    }


def _is_framed(
    text: str, tokens: Sequence[SpellingToken], start: int, end: int, table: _Table
) -> bool:
    """Tell whether only words such as `Proceedings of the` surround a name."""
    before = [token.word for token in tokens[:start] if not _NUMBER.fullmatch(token.word)]
    if tuple(token.word for token in tokens[start:end]) in table.alone and before:
        return False
    if any(word not in FRAME_WORDS and word not in table.acronyms for word in before):
        return False
    if end == len(tokens):
        return True
    after = tokens[end]
    gap = text[tokens[end - 1].end : after.start]
    return bool(
        _AFTER_NAME.search(gap) or _NUMBER.fullmatch(after.word) or is_companion(after.word)
    )


def _by_acronym(text: str, tokens: Sequence[SpellingToken]) -> set[str]:
    acronyms = _table().acronyms
    if whole := acronyms.get(_YEAR_SUFFIX.sub("", text.strip()).strip().lower()):
        return {whole}
    return {
        acronyms[word]
        for token in tokens
        if (word := _YEAR_SUFFIX.sub("", token.raw).lower()) in acronyms
        and _is_capitalised(token.raw)
    }


def _is_capitalised(raw: str) -> bool:
    return sum(letter.isupper() for letter in raw) >= 2


@cache
def _table() -> _Table:
    acronyms: dict[str, str] = {}
    names: dict[tuple[str, ...], str] = {}
    alone: set[tuple[str, ...]] = set()
    for short, full in _rows():
        for acronym in short:
            acronyms[acronym.lower()] = short[0]
        for name in full:
            words = content_words([token.word for token in tokens_of(name)])
            names[words] = short[0]
            if name.startswith("="):
                alone.add(words)
    return _Table(acronyms, names, frozenset(alone), max(map(len, names)))


def _rows() -> Iterator[tuple[list[str], list[str]]]:
    text = files("webquarry.content.citations").joinpath("known_venues.txt").read_text("utf-8")
    for line in text.splitlines():
        if not line.startswith("#"):
            short, *full = line.split(" | ")
            yield short.split(), full
