"""Compares the journal or proceedings named in a reference with the venue of a work."""

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import Literal

from webquarry.content.text.spelling import SpellingToken, same_word, tokens_of
from webquarry.content.text.word_list import word_set

VenueVerdict = Literal["match", "mismatch", "not_checked"]

_FUNCTION_WORDS = word_set(
    "a an and at by de der des die du et for fuer für in la le les of on the to und y & del"
)
_NOT_VENUE = word_set(
    "vol volume no nr issue iss pp p pages page seiten eds ed edited edn edition press "
    "accessed online available retrieved from http https doi org www et al print supplement "
    "suppl art article jan feb mar apr may jun jul aug sep sept oct nov dec january february "
    "march april june july august september october november december internet cited on at n "
    "pmid epub advance s"
)
_SKIPPED = _NOT_VENUE | _FUNCTION_WORDS
_GENERIC = word_set(
    "proceedings proc ieee acm cvf annual conference conf international int advances the in "
    "adv intl symposium workshop"
)
_PREPRINTS = re.compile(r"\b(arxiv|biorxiv|medrxiv|chemrxiv|psyarxiv|ssrn|preprint)\b", re.I)
_ALIASES = {"neurips": "nips", "nips": "neurips"}
_JOINED = re.compile(r"\s*|\s*-\s*|\s*&\s*")
_CONJUNCTION = re.compile(r"\b(?:and|of|for|und|et|y)\b", re.IGNORECASE)
_FUNCTION_WORD = re.compile(rf"\b(?:{'|'.join(sorted(_FUNCTION_WORDS - {'&'}))})\b", re.IGNORECASE)
_BRACKETED = re.compile(r"\(([A-Z][A-Za-z]{2,})\)")
_SUBTITLE = re.compile(r"(?:(?<!\s)\s++)?[(\[:/=].*", re.DOTALL)


def same_venue(text: str, known: str) -> VenueVerdict:
    """Look for the venue, in full or abbreviated, in the text after a title."""
    if not known or _PREPRINTS.search(text):  # an article may be cited by its preprint
        return "not_checked"
    tokens = [token for token in tokens_of(text) if token.word not in _SKIPPED]
    if not any(len(token.word) > 2 and token.word.isalpha() for token in tokens):
        return "not_checked"
    names = dict.fromkeys((known, _SUBTITLE.sub("", known)))
    return "match" if any(_has_venue(text, tokens, name) for name in names) else "mismatch"


def _has_venue(text: str, tokens: Sequence[SpellingToken], name: str) -> bool:
    words = (token.word for token in tokens_of(name))
    venue = [word for word in words if word.isalpha() and word not in _FUNCTION_WORDS]
    return _has_acronym(tokens, venue, name) or _has_name(text, tokens, venue)


def _has_acronym(tokens: Sequence[SpellingToken], venue: Sequence[str], name: str) -> bool:
    """Tell whether one of the words is made of the venue's initials: PNAS, CVPR."""
    if len(venue) < 2:
        return False
    initials = "".join(word[0] for word in venue)
    bracketed = {token.word for token in tokens_of(" ".join(_BRACKETED.findall(name)))}
    words = {t.word for t in tokens if len(t.word) > 2 and t.raw[:1].isupper()}
    aliases = {_ALIASES.get(word, word) for word in words}
    return bool(words & bracketed) or any(word in initials for word in words | aliases)


def _has_name(text: str, tokens: Sequence[SpellingToken], venue: Sequence[str]) -> bool:
    """Tell whether the text has the venue's words in order and not as part of a longer name."""
    generic = list(takewhile(_GENERIC.__contains__, venue))  # these may be missing
    starts = range(min(len(generic) + 1, len(venue)))
    return any(
        _has_name_at(text, tokens, start, venue[skipped:])
        for start in range(len(tokens))
        for skipped in starts
    )


def _has_name_at(
    text: str, tokens: Sequence[SpellingToken], start: int, venue: Sequence[str]
) -> bool:
    end = _match_end(tokens, start, venue)
    if not end or not _starts_name(text, tokens, start):
        return False
    abbreviated = tokens[end - 1].word != venue[end - start - 1]
    return _ends_name(text, tokens, end, abbreviated=abbreviated)


def _match_end(tokens: Sequence[SpellingToken], start: int, venue: Sequence[str]) -> int | None:
    """Return the index after the venue's words; half of a long name is enough."""
    pairs = zip(tokens[start:], venue, strict=False)
    matched = sum(1 for _ in takewhile(lambda pair: abbreviates(pair[0].word, pair[1]), pairs))
    end = start + matched
    # single letters alone could abbreviate almost any venue
    if all(len(token.word) == 1 for token in tokens[start:end]):
        return None
    enough = matched == len(venue) or (matched >= 3 and matched >= 0.5 * len(venue))
    return end if enough else None


def _starts_name(text: str, tokens: Sequence[SpellingToken], start: int) -> bool:
    """Tell whether the name starts here: the Journal of X is not the European Journal of X."""
    while start and tokens[start - 1].word in _GENERIC:
        gap = _gap_before(text, tokens, start)
        if gap not in (".", "/") and not _JOINED.fullmatch(gap):
            break
        start -= 1
    if start == 0:
        return True
    before = tokens[start - 1]
    if not before.word.isalpha() or not before.raw[:1].isupper():
        return True
    gap = _gap_before(text, tokens, start)
    # a short first word with a full stop belongs to an abbreviated name: Eur. J. Neurosci.
    is_abbreviation = gap == "." and len(before.word) <= 5 and start == 1
    return not (_JOINED.fullmatch(gap) or is_abbreviation)


def _ends_name(text: str, tokens: Sequence[SpellingToken], end: int, *, abbreviated: bool) -> bool:
    """Tell whether the name ends here: Nature is not Nature Communications."""
    if end >= len(tokens) or not tokens[end].word.isalpha():
        return True
    after = tokens[end]
    if after.raw[:1].islower() or (len(after.raw) <= 3 and after.raw.isupper()):  # Sci. USA
        return True
    gap = text[tokens[end - 1].end : after.start]
    if abbreviated and gap.strip() == ".":
        return False
    return not _JOINED.fullmatch(_CONJUNCTION.sub(" ", gap))


def _gap_before(text: str, tokens: Sequence[SpellingToken], index: int) -> str:
    """Return what separates a word from the one before, without function words."""
    return _FUNCTION_WORD.sub(" ", text[tokens[index - 1].end : tokens[index].start]).strip()


def abbreviates(short: str, word: str) -> bool:
    """Tell whether a word can be an abbreviation of another, as ISO 4 makes them."""
    if same_word(short, word):
        return True
    if word.startswith(short):
        return len(word) > 3
    # contractions omit inner letters: natl, int'l, amer, dtsch
    if len(short) < 3 or short[0] != word[0] or len(word) < len(short) + 2:
        return False
    letters = iter(word)
    return len(short) <= 5 and all(letter in letters for letter in short)
