"""Compares the title of a reference with that of a record, word by word."""

import re
import unicodedata
from collections.abc import Sequence
from difflib import SequenceMatcher

from webquarry.content.citations.title_match import without_status
from webquarry.content.text.snippets import plain_text
from webquarry.content.text.spelling import (
    are_opposites,
    edit_distance,
    normalized_words,
    transliteration_key,
)

_LATEX = re.compile(r"\\[a-zA-Z]+\s*|[${}^_\\]|``|''")
_SUBTITLE = re.compile(r"(?:(?<!\s)\s++)?[:\u2013\u2014]\s+|(?<!\s)\s+-\s+|(?<=[?!.])\s+")
_BRACKETS_AT_END = re.compile(r"(?:(?<!\s)\s++)?[(\[][^()\[\]]*[)\]]\W{0,20}$")
_MIN_MAIN_TITLE_WORDS = 3  # words that a cited title without its subtitle must have
_MIN_TYPO_LETTERS = 5
# British and American spelling
_VARIANTS = (
    (re.compile(r"is(?=(?:e[drs]?|ing|ations?|able)$)"), "iz"),
    (re.compile(r"(?<=[a-z]{3})our"), "or"),
    (re.compile(r"ll(?=(?:ed|ing|er|ers)$)"), "l"),
    (re.compile(r"(?<=[a-z]{2}[^aeiou])re$"), "er"),
    (re.compile(r"yse(?=[drs]?$)"), "yze"),
    (re.compile(r"ogue(?=s?$)"), "og"),
    (re.compile(r"ae|oe"), "e"),
)


def compare_titles(given: str, known: str) -> tuple[float, bool]:
    """Return the similarity of two titles, and whether they are those of one work.

    Case, punctuation, hyphens, markup, accents, British or American spelling and one typo make
    no difference. One of the titles may lack the subtitle, or a remark in brackets at its end.
    """
    left, right = _cleaned(given), _cleaned(known)
    given_words, known_words = normalized_words(left), normalized_words(right)
    similarity = _similarity(given_words, known_words)
    if _same_words(given_words, known_words) or _shortened(left, right):
        return similarity, True
    bare = [_BRACKETS_AT_END.sub("", title) for title in (left, right)]
    if (bare[0] == left) == (bare[1] == right):
        return similarity, False
    return similarity, _same_words(*map(normalized_words, bare))


def _shortened(given: str, known: str) -> bool:
    """Tell whether only one of the titles has a subtitle, and the rest is the same."""
    given_main, known_main = _main_title(given), _main_title(known)
    if given_main and not known_main:  # registries keep the subtitle apart
        return _same_words(normalized_words(given_main), normalized_words(known))
    if not given_main and known_main:
        words = normalized_words(known_main)
        is_title = len(words) >= _MIN_MAIN_TITLE_WORDS
        return is_title and _same_words(normalized_words(given), words)
    return False


def _main_title(title: str) -> str:
    """Return the title before its subtitle; empty when there is none."""
    first, *rest = _SUBTITLE.split(title, maxsplit=1)
    return first if rest and normalized_words(rest[0]) and normalized_words(first) else ""


def _cleaned(title: str) -> str:
    text = without_status(plain_text(title))
    return unicodedata.normalize("NFKC", _LATEX.sub("", text)).strip(" .")


def _same_words(given: Sequence[str], known: Sequence[str]) -> bool:
    if not given or not known:
        return False
    if "".join(given) == "".join(known):  # pretraining, pre-training
        return True
    if len(given) != len(known):
        return False
    differing = [(a, b) for a, b in zip(given, known, strict=True) if not _same_spelling(a, b)]
    return not differing or (len(differing) == 1 and _is_typo(*differing[0]))


def _same_spelling(one: str, other: str) -> bool:
    if one == other or _american(one) == _american(other):
        return True
    same_key = transliteration_key(one) == transliteration_key(other)
    return min(len(one), len(other)) >= _MIN_TYPO_LETTERS and same_key


def _american(word: str) -> str:
    for pattern, replacement in _VARIANTS:
        word = pattern.sub(replacement, word)
    return word


def _is_typo(one: str, other: str) -> bool:
    """Tell whether two words differ by one letter; a plural is another word."""
    if min(len(one), len(other)) < _MIN_TYPO_LETTERS or one[0] != other[0]:
        return False
    if any(map(str.isdecimal, one + other)) or are_opposites(one, other):
        return False
    return f"{one}s" != other and f"{other}s" != one and edit_distance(one, other, 1) <= 1


def _similarity(given: Sequence[str], known: Sequence[str]) -> float:
    if not given or not known:
        return 0.0
    return SequenceMatcher(None, given, known, autojunk=False).ratio()
