"""Text features: what the text of a block says by itself, whatever page it is on."""

import re
from collections.abc import Sequence
from functools import lru_cache
from struct import Struct
from typing import cast

import numpy as np
from numpy.typing import NDArray

from webquarry.content.main_content.feature_table import FEATURE_GROUPS
from webquarry.content.main_content.vocabulary import (
    BOILERPLATE,
    BOILERPLATE_SIGNS,
    BYLINE,
    MONEY,
    has_date,
)
from webquarry.content.text.word_list import words

_WORDS = re.compile(r"\w+")
_UPPER = re.compile("[A-Z\u00c0-\u00de\u0410-\u042f]")
_DIGIT = re.compile("[0-9]")
_SEPARATOR, _REPLACEMENT = "\x01", "\x02"  # control characters, which no parsed text has
_WORD_TABLE = bytes(
    ord(char.lower()) if char.isascii() and (char.isalnum() or char in "_" + _SEPARATOR) else 32
    for char in map(chr, range(256))
)
_SENTENCE_ENDS = frozenset('.!?。\uff01\uff1f…"”»')
_ASCII = 128
_ENDS_SENTENCE = np.array([chr(code) in _SENTENCE_ENDS for code in range(_ASCII)])
_BYLINE_STARTS = frozenset(words("by von par por di door written posted author"))
_LONG = 600  # characters: a longer text is no byline, date or price
MAX_WORD_MATCH = 250  # characters: longer texts are not compared with single words
_MAX_CACHED_TEXT, _MAX_CACHED = 60, 20_000
_START = 160  # characters that are read for words, digits and capitals
_NO_WORDS: frozenset[str] = frozenset()
_ROW = {name: row for row, name in enumerate(FEATURE_GROUPS["text"])}
_pack = Struct(f"{len(_ROW)}f").pack
TextFeatures = tuple[bytes, frozenset[str]]  # packed single-precision numbers, words of the start
_cache: dict[str, TextFeatures] = {}


def sentence_endings(texts: Sequence[str]) -> list[bool]:
    """Tell of each text whether it ends as a sentence does: the feature "ends_sentence"."""
    return [text[-1] in _SENTENCE_ENDS for text in texts]


def text_features(texts: Sequence[str], sizes: Sequence[int]) -> list[TextFeatures]:
    """Return the group "text" and the words at its start for each text of a page.

    Sizes are lengths in which wide scripts count more.
    """
    features = list(map(_cache.get, texts))
    ascii_indices: list[int] = []
    for index, known in enumerate(features):
        if known is None:
            text = texts[index]
            if not text.isascii():
                features[index] = _cached(text, _unicode_features(text, sizes[index]))
            elif text.isdecimal():
                features[index] = _number_features(len(text)), frozenset((text[:_START],))
            else:
                ascii_indices.append(index)
    if ascii_indices:
        chosen = [texts[index] for index in ascii_indices]
        for index, text, known in zip(ascii_indices, chosen, _ascii_features(chosen), strict=True):
            features[index] = _cached(text, known)
    return cast("list[TextFeatures]", features)


def _cached(text: str, features: TextFeatures) -> TextFeatures:
    """Remember the features of a short text, which recurs from page to page, and return them."""
    if len(text) <= _MAX_CACHED_TEXT and not text.isdecimal():
        if len(_cache) >= _MAX_CACHED:
            _cache.clear()  # frequent texts return at once
        _cache[text] = features
    return features


@lru_cache(maxsize=256)
def _number_features(length: int) -> bytes:
    """Return the features of a text of digits only, as table cells have."""
    values = [0.0] * len(_ROW)
    values[_ROW["word_length"]] = length
    values[_ROW["digit_share"]] = 1
    return _pack(*values)


def _unicode_features(text: str, size: int) -> TextFeatures:
    start = text[:_START]
    lower = start.lower()
    short, first, last = size < _LONG, text[0], text[-1]
    capitals, digits = len(_UPPER.findall(start)), len(_DIGIT.findall(start))
    start_words = frozenset(_WORDS.findall(lower))
    compared = start_words if size < MAX_WORD_MATCH else _NO_WORDS
    return _pack(  # in the order of the group "text"
        last in _SENTENCE_ENDS,
        size / (text.count(" ") + 1 + (size - len(text)) // 3),
        capitals / len(start),
        digits / len(start),
        text.count(",") + text.count("\uff0c") + text.count("、"),
        text.count(".") + text.count("。"),
        text.count("?") + text.count("\uff1f"),
        last in ":\uff1a",
        len(BOILERPLATE & compared) + len(BOILERPLATE_SIGNS.findall(lower)),
        short and digits > 0 and has_date(lower),
        short and BYLINE.match(lower) is not None,
        short and MONEY.search(start) is not None,
        "|" in text,
        first.isupper(),
        first.isalpha(),
    ), start_words


def _ascii_features(texts: list[str]) -> list[TextFeatures]:
    """Return the features of ASCII texts, all at once: calls for each would take most of the time.

    Byte tables are several times as fast as regular expressions.
    """
    starts = [text[:_START] for text in texts]
    joined = _SEPARATOR.join(starts).encode().translate(_WORD_TABLE).decode()
    lower = joined.split(_SEPARATOR)
    if len(lower) != len(texts):  # a text has the separator itself
        return _ascii_features([text.replace(_SEPARATOR, _REPLACEMENT) for text in texts])
    word_lists = list(map(str.split, lower))
    start_words = list(map(frozenset, word_lists))
    rows = np.empty((len(texts), len(_ROW)), np.float32)
    counts = _CharacterCounts(texts)
    counts.write(rows.T)
    _write_word_features(rows.T, texts, word_lists, start_words)
    has_date_row = rows.T[_ROW["has_date"]]
    for index in counts.date_candidates():
        has_date_row[index] = has_date(starts[index].lower())
    packed, size = rows.tobytes(), rows.strides[0]
    return [(packed[at * size : (at + 1) * size], words) for at, words in enumerate(start_words)]


def _write_word_features(
    rows: NDArray[np.float32],
    texts: list[str],
    word_lists: list[list[str]],
    start_words: list[frozenset[str]],
) -> None:
    """Write what single words and signs say; dates are left at 0."""
    rows[_ROW["boilerplate_words"] : _ROW["is_byline"] + 1] = 0
    rows[_ROW["has_pipe"]] = ["|" in text for text in texts]
    boilerplate, byline = rows[_ROW["boilerplate_words"]], rows[_ROW["is_byline"]]
    for index, distinct in enumerate(start_words):
        if len(texts[index]) < MAX_WORD_MATCH and not BOILERPLATE.isdisjoint(distinct):
            boilerplate[index] = len(BOILERPLATE & distinct)
    for index, in_order in enumerate(word_lists):
        if in_order and in_order[0] in _BYLINE_STARTS and len(texts[index]) < _LONG:
            byline[index] = BYLINE.match(texts[index][:_START]) is not None


class _CharacterCounts:
    """How often each ASCII character from "!" to "Z" occurs in each of several texts."""

    def __init__(self, texts: list[str]) -> None:
        self._codes = np.frombuffer("".join(texts).encode(), np.uint8)
        self._size = np.fromiter(map(len, texts), np.int64, len(texts))
        self._end = self._size.cumsum()
        self._begin = self._end - self._size
        self._start_size = np.minimum(self._size, _START)
        # punctuation, digits and capitals: codes 33 to 90
        offset = (self._codes - np.uint8(33) <= 90 - 33).nonzero()[0]
        text_index = self._end.searchsorted(offset, "right")
        key = text_index * _ASCII + self._codes[offset]
        self._counts = self._count_keys(key)
        at_start = offset < (self._begin + self._start_size)[text_index]
        self._start_counts = self._count_keys(key[at_start])
        self._start_digits = self._start_counts[:, ord("0") : ord("9") + 1].sum(axis=1)

    def _count_keys(self, key: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return how often each text has each character."""
        count = len(self._size)
        return np.bincount(key, minlength=count * _ASCII).reshape(count, _ASCII)

    def write(self, rows: NDArray[np.float32]) -> None:
        """Write the features that follow from single characters, one row per feature."""
        first, last, counts = self._codes[self._begin], self._codes[self._end - 1], self._counts
        spaces = (self._codes == ord(" ")).nonzero()[0].searchsorted(self._end)
        spaces[1:] -= spaces[:-1].copy()
        capitals = self._start_counts[:, ord("A") : ord("Z") + 1].sum(axis=1)
        has_dollar = self._start_counts[:, ord("$")] > 0
        upper = first & 95  # the code of the capital, for letters
        rows[_ROW["ends_sentence"]] = _ENDS_SENTENCE[last]
        rows[_ROW["word_length"]] = self._size / (spaces + 1)
        rows[_ROW["capital_share"]] = capitals / self._start_size
        rows[_ROW["digit_share"]] = self._start_digits / self._start_size
        rows[_ROW["commas"]] = counts[:, ord(",")]
        rows[_ROW["full_stops"]] = counts[:, ord(".")]
        rows[_ROW["question_marks"]] = counts[:, ord("?")]
        rows[_ROW["ends_with_colon"]] = last == ord(":")
        rows[_ROW["has_money"]] = has_dollar & (self._size < _LONG)
        rows[_ROW["starts_with_capital"]] = (first >= ord("A")) & (first <= ord("Z"))
        rows[_ROW["starts_with_letter"]] = (upper >= ord("A")) & (upper <= ord("Z")) & (first > 64)

    def date_candidates(self) -> list[int]:
        """Return the indices of texts whose start has digits and other characters."""
        digits = self._start_digits
        possible = (digits > 0) & (digits < self._start_size) & (self._size < _LONG)
        return possible.nonzero()[0].tolist()
