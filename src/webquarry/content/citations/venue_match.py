"""Whether a reference names the journal or the proceedings that a work is in."""

import re
from collections.abc import Sequence
from typing import Literal

from webquarry.content.text.spelling import SpellingToken, same_word, tokens_of
from webquarry.content.text.word_list import words

Named = Literal["match", "mismatch", "not_checked"]

_SMALL = frozenset(
    words("a an and at by de der des die du et for fuer für in la le les of on the to und y & del")
)
_NOISE = frozenset(
    words(
        "vol volume no nr issue iss pp p pages page seiten eds ed edited edn edition press "
        "accessed online available retrieved from http https doi org www et al print supplement "
        "suppl art article jan feb mar apr may jun jul aug sep sept oct nov dec january february "
        "march april june july august september october november december internet cited on at n "
        "pmid epub advance s"
    )
)
_GENERIC = frozenset(
    words("proceedings proc ieee acm cvf annual conference conf international int advances the in "
          "adv intl symposium workshop")
)  # fmt: skip
_PREPRINTS = re.compile(r"\b(arxiv|biorxiv|medrxiv|chemrxiv|psyarxiv|ssrn|preprint)\b", re.I)
_OTHER_NAMES = {"neurips": "nips", "nips": "neurips"}
_JOINED = re.compile(r"\s*|\s*-\s*|\s*&\s*")
_LINKS = re.compile(r"\b(?:and|of|for|und|et|y)\b", re.IGNORECASE)
_SMALL_WORDS = re.compile(rf"\b(?:{'|'.join(sorted(_SMALL - {'&'}))})\b", re.IGNORECASE)
_BRACKETED = re.compile(r"\(([A-Z][A-Za-z]{2,})\)")
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


def _short_for(named: Sequence[SpellingToken], wanted: Sequence[str], known: str) -> bool:
    """Tell whether one of the words is made of the venue's first letters: PNAS, CVPR."""
    initials = "".join(word[0] for word in wanted)
    bracketed = {t.word for t in tokens_of(" ".join(_BRACKETED.findall(known)))}
    for token in named:
        word = token.word
        if len(word) < 3 or not token.raw[:1].isupper():
            continue
        alias = _OTHER_NAMES.get(word, word)
        if len(wanted) > 1 and (word in bracketed or word in initials or alias in initials):
            return True
    return False


def _is_there(text: str, named: Sequence[SpellingToken], wanted: Sequence[str]) -> bool:
    """Tell whether the venue's words stand in the text, in order, with no other name around."""
    for start in range(len(named)):
        for skipped in range(len(wanted)):
            if not all(word in _GENERIC for word in wanted[:skipped]):
                break
            left = wanted[skipped:]
            end = _matched(named, start, left)
            if end and _begins(text, named, start):
                short = named[end - 1].word != left[end - start - 1]
                if _ends(text, named, end, shortened=short):
                    return True
    return False


def _matched(named: Sequence[SpellingToken], start: int, wanted: Sequence[str]) -> int | None:
    """Return the place behind the venue's words; most of a long name will do."""
    place, found = start, 0
    for word in wanted:
        if place >= len(named) or not _shortens(named[place].word, word):
            break
        place, found = place + 1, found + 1
    # a letter by itself stands for too many words
    if found and all(len(token.word) == 1 for token in named[start:place]):
        return None
    enough = found == len(wanted) or (found >= 3 and found >= 0.5 * len(wanted))
    return place if enough and found else None


def _begins(text: str, named: Sequence[SpellingToken], start: int) -> bool:
    """Tell whether the name starts here: the Journal of X is not the European Journal of X."""
    while start and named[start - 1].word in _GENERIC and _touching(text, named, start):
        start -= 1
    if start == 0 or not named[start - 1].word.isalpha():
        return True
    before = named[start - 1]
    if not before.raw[:1].isupper():
        return True
    gap = _without_small(text[before.end : named[start].start])
    # at the very beginning a short word with a stop is an abbreviation: Eur. J. Neurosci.
    short = gap == "." and len(before.word) <= 5 and start == 1
    return not (_JOINED.fullmatch(gap) or short)


def _ends(text: str, named: Sequence[SpellingToken], end: int, *, shortened: bool) -> bool:
    """Tell whether the name ends here: Nature is not Nature Communications."""
    if end >= len(named) or not named[end].word.isalpha():
        return True
    after = named[end]
    if after.raw[:1].islower() or (len(after.raw) <= 3 and after.raw.isupper()):  # Sci. USA
        return True
    gap = text[named[end - 1].end : after.start]
    if shortened and gap.strip() == ".":
        return False
    return not _JOINED.fullmatch(_LINKS.sub(" ", gap))


def _touching(text: str, named: Sequence[SpellingToken], at: int) -> bool:
    gap = _without_small(text[named[at - 1].end : named[at].start])
    return gap in (".", "/") or bool(_JOINED.fullmatch(gap))


def _without_small(gap: str) -> str:
    return _SMALL_WORDS.sub(" ", gap).strip()


def _shortens(short: str, word: str) -> bool:
    if same_word(short, word):
        return True
    if word.startswith(short):
        return len(word) > 3
    # natl, int'l, amer, dtsch: letters left out within
    if len(short) < 3 or short[0] != word[0] or len(word) < len(short) + 2:
        return False
    letters = iter(word)
    return len(short) <= 5 and all(letter in letters for letter in short)
