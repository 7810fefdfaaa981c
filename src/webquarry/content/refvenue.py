"""Whether a reference names the journal or the proceedings that a work is in."""

import re
from collections.abc import Sequence
from typing import Literal

from webquarry.content.spelling import Token, same_word, tokens_of
from webquarry.content.wordlist import words

Named = Literal["match", "mismatch", "not_checked"]

_SMALL = frozenset(
    words("a an and at by de der des die du et for fuer für in la le les of on the to und y & del")
)
_NOISE = frozenset(
    words(
        "vol volume no nr issue iss pp p pages page seiten eds ed edited edn edition press accessed "
        "online available retrieved from http https doi org www et al print supplement suppl art "
        "article jan feb mar apr may jun jul aug sep sept oct nov dec january february march april "
        "june july august september october november december internet cited on at n pmid epub"
    )
)
_GENERIC = frozenset(
    words("proceedings proc ieee acm cvf annual conference conf international int advances the in "
          "adv intl symposium workshop")
)  # fmt: skip
_PREPRINTS = re.compile(r"\b(arxiv|biorxiv|medrxiv|chemrxiv|psyarxiv|ssrn|preprint)\b", re.I)
_OTHER_NAMES = {"neurips": "nips", "nips": "neurips"}
_JOINED = re.compile(r"\s*|\s*-\s*|\s*&\s*")
_TAIL = re.compile(r"\s*[(\[:/=].*$")


def same_venue(text: str, known: str) -> Named:
    """Look for the venue, whole or shortened, in what stands behind a title."""
    if not known or _PREPRINTS.search(text):  # the preprint of an article is cited as such
        return "not_checked"
    named = [t for t in tokens_of(text) if t.word not in _NOISE and t.word not in _SMALL]
    if not any(len(t.word) > 2 and t.word.isalpha() for t in named):
        return "not_checked"
    for name in dict.fromkeys((known, _TAIL.sub("", known))):
        wanted = [t.word for t in tokens_of(name) if t.word not in _SMALL and t.word.isalpha()]
        if wanted and (_short_for(named, wanted, name) or _is_there(text, named, wanted)):
            return "match"
    return "mismatch"


def _short_for(named: Sequence[Token], wanted: Sequence[str], known: str) -> bool:
    """Tell whether one of the words is made of the venue's first letters: PNAS, CVPR."""
    initials = "".join(word[0] for word in wanted)
    bracketed = {t.word for t in tokens_of(known) if t.raw.isupper() and len(t.raw) > 2}
    for token in named:
        word = token.word
        if len(word) < 3 or not token.raw[:1].isupper():
            continue
        alias = _OTHER_NAMES.get(word, word)
        if len(wanted) > 1 and (word in bracketed or word in initials or alias in initials):
            return True
    return False


def _is_there(text: str, named: Sequence[Token], wanted: Sequence[str]) -> bool:
    """Tell whether the venue's words stand in the text, in order, with no other name around."""
    for start in range(len(named)):
        for skipped in range(len(wanted)):
            if not all(word in _GENERIC for word in wanted[:skipped]):
                break
            end = _matched(named, start, wanted[skipped:])
            if end and _begins(text, named, start) and _ends(text, named, end):
                return True
    return False


def _matched(named: Sequence[Token], start: int, wanted: Sequence[str]) -> int | None:
    """Return the place behind the venue's words; most of a long name will do."""
    place, found = start, 0
    for word in wanted:
        if place >= len(named) or not _shortens(named[place].word, word):
            break
        place, found = place + 1, found + 1
    enough = found == len(wanted) or (found >= 3 and found >= 0.5 * len(wanted))
    return place if enough and found else None


def _begins(text: str, named: Sequence[Token], start: int) -> bool:
    """Tell whether the name starts here: the Journal of X is not the European Journal of X."""
    if start == 0:
        return True
    before, first = named[start - 1], named[start]
    if not before.word.isalpha() or before.word in _GENERIC:
        return True
    gap = text[before.end : first.start]
    for small in _SMALL | _NOISE:
        gap = re.sub(rf"\b{re.escape(small)}\b", " ", gap, flags=re.IGNORECASE)
    if _JOINED.fullmatch(gap):
        return not before.raw[:1].isupper()
    short = gap.strip() == "." and len(before.word) <= 5 and before.raw[:1].isupper()
    return not (short and start == 1)


def _ends(text: str, named: Sequence[Token], end: int) -> bool:
    """Tell whether the name ends here: Nature is not Nature Communications."""
    if end >= len(named) or not named[end].word.isalpha():
        return True
    last, after = named[end - 1], named[end]
    gap = text[last.end : after.start]
    if last.end == after.start:
        return False
    if _JOINED.fullmatch(gap):
        return after.raw[:1].islower()
    bare = re.sub(r"\b(?:and|of|for|und|et|&)\b", " ", gap)
    if bare != gap and _JOINED.fullmatch(bare):
        return False
    return not (gap.strip() == "." and after.raw[:1].isupper() and end == 1 and len(last.word) <= 4)


def _shortens(short: str, word: str) -> bool:
    if same_word(short, word):
        return True
    if word.startswith(short) and (len(short) > 1 or word in ("journal", "zeitschrift")):
        return len(word) > 3
    # natl, int'l, amer, dtsch: letters left out within
    if len(short) < 3 or short[0] != word[0] or len(word) < len(short) + 2:
        return False
    letters = iter(word)
    return len(short) <= 5 and all(letter in letters for letter in short)
