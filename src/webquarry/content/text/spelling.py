"""Compares words and names across typos, accents and transliterations."""

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from webquarry.content.text.word_list import words

_LATIN = {"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "æ": "ae", "œ": "oe",
              "ß": "ss", "ð": "d", "þ": "th", "ł": "l", "đ": "d", "\u0131": "i",
              "'": "", "\u2019": ""}  # fmt: skip
_CYRILLIC = "абвгдеёжзийклмнопрстуфхцчшщъыьэюяіїєґ"
_CYRILLIC_LATIN = (
    "a b v g d e e zh z i i k l m n o p r s t u f kh ts ch sh shch . y . e yu ya i i e g"
)
_GREEK = "αβγδεζηθικλμνξοπρστυφχψως"
_GREEK_LATIN = "a v g d e z i th i k l m n x o p r s t y f ch ps o s"
_LETTERS = str.maketrans(
    _LATIN
    | dict(zip(_CYRILLIC, words(_CYRILLIC_LATIN), strict=True))
    | dict(zip(_GREEK, words(_GREEK_LATIN), strict=True))
)
_ACCENTS = re.compile(r"[\u0300-\u036f]")  # but not the marks that distinguish kana
# in scripts without spaces every character counts as a word
_UNSPACED = r"\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+(?:['\u2019][^\W_{_UNSPACED}]+)*")
# pairs of prefixes that make different words
_OPPOSITE_PREFIXES = (
    ("hyper", "hypo"), ("inter", "intra"), ("micro", "macro"), ("in", "de"), ("pre", "post"),
    ("pre", "per"), ("mono", "poly"), ("endo", "exo"), ("endo", "ecto"), ("over", "under"),
    ("ante", "anti"), ("im", "ex"), ("up", "down"), ("homo", "hetero"), ("as", "des"),
    ("ad", "ab"), ("il", "al"), ("af", "ef"), ("in", "ex"), ("e", "im"),
)  # fmt: skip
_NEGATING = "a an ab un in im ir il non dis anti de re pre post sub super co over under bi"
_PREFIXES = (*_OPPOSITE_PREFIXES, *((prefix, "") for prefix in words(_NEGATING)))


class SpellingToken(NamedTuple):
    """A word of a text: normalised, as written, and its position."""

    word: str
    raw: str
    start: int
    end: int


def tokens_of(text: str) -> list[SpellingToken]:
    """Return the words of a text."""
    return [
        SpellingToken(normalize_spelling(m[0]), m[0], m.start(), m.end())
        for m in _WORD.finditer(text)
    ]


def normalized_words(text: str) -> list[str]:
    """Return the normalised words of a text."""
    return [normalize_spelling(word) for word in _WORD.findall(text)]


@lru_cache(maxsize=1 << 14)
def normalize_spelling(word: str) -> str:
    """Return a word in lower-case Latin letters without accents."""
    lowered = unicodedata.normalize("NFC", word).casefold()
    decomposed = unicodedata.normalize("NFKD", lowered.translate(_LETTERS))
    return _ACCENTS.sub("", decomposed).translate(_LETTERS).replace(".", "")


def same_word(one: str, other: str) -> bool:
    """Tell whether two words of titles are the same but for a plural, a typo or a spelling."""
    if one == other:
        return True
    shorter = min(len(one), len(other))
    if shorter < 3 or any(map(str.isdecimal, one + other)):
        return False
    if one.rstrip("s") == other.rstrip("s") and abs(len(one) - len(other)) == 1:
        return True
    return shorter >= 5 and _is_misspelling(one, other)


def _is_misspelling(one: str, other: str) -> bool:
    if one[0] != other[0] or are_opposites(one, other):
        return False
    same_key = transliteration_key(one) == transliteration_key(other)
    return same_key or edit_distance(one, other, 1) <= 1


def same_name(one: str, other: str) -> bool:
    """Tell whether two names are the same but for typos or transliteration."""
    if one == other or (len(one) > 2 and transliteration_key(one) == transliteration_key(other)):
        return True
    shorter, longer = sorted((len(one), len(other)))
    if shorter < 5 or any(map(str.isdecimal, one + other)):
        return False
    limit = 1 if longer < 8 else 2
    pairs = ((one, other), (transliteration_key(one), transliteration_key(other)))
    return any(edit_distance(*pair, limit) <= limit for pair in pairs)


def are_opposites(one: str, other: str) -> bool:
    """Tell whether two words differ only in a prefix that makes them different words."""
    if _differ_in_prefix(one, other) or _differ_in_prefix(other, one):
        return True
    return one[:-2] == other[:-2] and {one[-2:], other[-2:]} == {"er", "ee"}  # employer, employee


def _differ_in_prefix(one: str, other: str) -> bool:
    return any(
        one == first + other.removeprefix(second)
        for first, second in _PREFIXES
        if other.startswith(second)
    )


@lru_cache(maxsize=1 << 14)
def transliteration_key(word: str) -> str:
    """Return a key that transliterations of one word share: mueller, muller, myuller."""
    plain = re.sub(r"(?<=[aou])e", "", word)
    plain = re.sub(r"kh", "h", plain.replace("y", "i").replace("j", "i").replace("w", "v"))
    return re.sub(r"(.)\1+", r"\1", plain)


def edit_distance(one: str, other: str, limit: int) -> int:
    """Return the number of letters to change, insert, delete or swap, at most `limit` + 1."""
    # imported here: few calls compare spellings
    from rapidfuzz.distance import OSA

    return OSA.distance(one, other, score_cutoff=limit)
