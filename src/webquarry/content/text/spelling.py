"""Words and names that are the same but for their spelling."""

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from webquarry.content.text.word_list import words

_SPELLINGS = {"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "æ": "ae", "œ": "oe",
              "ß": "ss", "ð": "d", "þ": "th", "ł": "l", "đ": "d", "\u0131": "i",
              "'": "", "\u2019": ""}  # fmt: skip
_CYRILLIC = dict(
    zip(
        "абвгдеёжзийклмнопрстуфхцчшщъыьэюяіїєґ",
        words(
            "a b v g d e e zh z i i k l m n o p r s t u f kh ts ch sh shch . y . e yu ya i i e g"
        ),
        strict=True,
    )
)
_GREEK = dict(
    zip(
        "αβγδεζηθικλμνξοπρστυφχψως",
        words("a v g d e z i th i k l m n x o p r s t y f ch ps o s"),
        strict=True,
    )
)
# scripts without spaces: every character is a word
_WIDE = r"\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_WIDE}]|[^\W_{_WIDE}]+(?:['\u2019][^\W_{_WIDE}]+)*")
# beginnings that turn a word into another one
_OPPOSITES = (
    ("hyper", "hypo"), ("inter", "intra"), ("micro", "macro"), ("in", "de"), ("pre", "post"),
    ("pre", "per"), ("mono", "poly"), ("endo", "exo"), ("endo", "ecto"), ("over", "under"),
    ("ante", "anti"), ("im", "ex"), ("up", "down"), ("homo", "hetero"), ("as", "des"),
    ("ad", "ab"), ("il", "al"), ("af", "ef"), ("in", "ex"), ("e", "im"),
)  # fmt: skip
_PREFIXES = words("a an ab un in im ir il non dis anti de re pre post sub super co over under bi")


class SpellingToken(NamedTuple):
    """A word of a text: plainly spelt, as it was written, and where."""

    word: str
    raw: str
    start: int
    end: int


def tokens_of(text: str) -> list[SpellingToken]:
    """Return the words of a text."""
    return [SpellingToken(spelt(m[0]), m[0], m.start(), m.end()) for m in _WORD.finditer(text)]


@lru_cache(maxsize=1 << 14)
def spelt(word: str) -> str:
    """Return a word in lower case with plain letters only, whatever alphabet it was in."""
    lowered = unicodedata.normalize("NFC", word).casefold()
    told = "".join(_letter(c) for c in lowered)
    spread = unicodedata.normalize("NFKD", told)
    # accents go; what tells one kana from another stays
    plain = "".join(_letter(c) for c in spread if not "\u0300" <= c <= "\u036f")
    return plain.replace(".", "")


def _letter(letter: str) -> str:
    for known in (_SPELLINGS, _CYRILLIC, _GREEK):
        if letter in known:
            return known[letter]
    return letter


def same_word(one: str, other: str) -> bool:
    """Tell whether two words of titles are one but for one slip or the way to spell it."""
    if one == other:
        return True
    if any(map(str.isdecimal, one + other)) or min(len(one), len(other)) < 3:
        return False
    if one.rstrip("s") == other.rstrip("s") and abs(len(one) - len(other)) == 1:
        return True
    if min(len(one), len(other)) < 5 or one[0] != other[0] or opposed(one, other):
        return False
    return thin(one) == thin(other) or _distance(one, other, 1) <= 1


def same_name(one: str, other: str) -> bool:
    """Tell whether two names are one, but for a slip or another way to transliterate it."""
    if one == other or (len(one) > 2 and thin(one) == thin(other)):
        return True
    shorter, longer = sorted((len(one), len(other)))
    if shorter < 5 or any(map(str.isdecimal, one + other)):
        return False
    slips = 1 if longer < 8 else 2
    return (
        _distance(one, other, slips) <= slips or _distance(thin(one), thin(other), slips) <= slips
    )


def opposed(one: str, other: str) -> bool:
    """Tell whether only the beginnings of two words differ, and make them different words."""
    for this, that in ((one, other), (other, one)):
        if any(this == prefix + that for prefix in _PREFIXES):
            return True
        for head, tail in _OPPOSITES:
            heads = this.startswith(head) and that.startswith(tail)
            if heads and this[len(head) :] == that[len(tail) :]:
                return True
    return one[:-2] == other[:-2] and {one[-2:], other[-2:]} == {"er", "ee"}  # who employs whom


@lru_cache(maxsize=1 << 14)
def thin(word: str) -> str:
    """Return a word without what transliterations differ in: mueller, muller, myuller."""
    plain = re.sub(r"(?<=[aou])e", "", word)
    plain = re.sub(r"kh", "h", plain.replace("y", "i").replace("j", "i").replace("w", "v"))
    return re.sub(r"(.)\1+", r"\1", plain)


def _distance(one: str, other: str, most: int) -> int:
    """Return how many slips of the pen apart two words are, counted up to `most` + 1.

    A swap of neighbours is one slip.
    """
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        older, before, row = before, row, [i]
        for j, b in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return row[-1]
