"""What the text of a block tells by itself, whatever page it stands on."""

import re
from collections.abc import Sequence
from functools import lru_cache
from struct import Struct
from typing import cast

import numpy as np
from numpy.typing import NDArray

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
_BETWEEN, _INSTEAD = "\x01", "\x02"  # controls, which no page has in its text
_WORD_TABLE = bytes(
    ord(sign.lower()) if sign.isascii() and (sign.isalnum() or sign in "_" + _BETWEEN) else 32
    for sign in map(chr, range(256))
)
_ENDS = frozenset('.!?。\uff01\uff1f…"”»')
_CLOSING = np.array([chr(code) in _ENDS for code in range(128)])
_CODES = 128
_BYLINES = frozenset(words("by von par por di door written posted author"))
_LONG, WORDY = 600, 250  # characters: from here on only the form of a text tells something
_SHORT, _MOST_KNOWN = 60, 20_000
_START = 160  # characters that are read for words, figures and capitals
_NO_WORDS: frozenset[str] = frozenset()
SIGNS = 15
_pack = Struct(f"{SIGNS}f").pack
Signs = tuple[bytes, frozenset[str]]
_known: dict[str, Signs] = {}


def closings_of(texts: Sequence[str]) -> list[bool]:
    """Tell of each text whether it ends as a sentence does, which is the first of the signs."""
    return [text[-1] in _ENDS for text in texts]


def signs_of(text: str, size: int) -> Signs:
    """Return the signs of a text as packed single-precision numbers, and the words of its start.

    `size` is its length with wide scripts counted more.
    """
    return signs_of_all([text], [size])[0]


def signs_of_all(texts: Sequence[str], sizes: Sequence[int]) -> list[Signs]:
    """Return the signs of each text of a page."""
    found = list(map(_known.get, texts))
    plain: list[int] = []
    for place, known in enumerate(found):
        if known is None:
            text = texts[place]
            if not text.isascii():
                found[place] = _noted(text, _words_of(text, sizes[place]))
            elif text.isdecimal():
                found[place] = _signs_of_number(len(text)), frozenset((text[:_START],))
            else:
                plain.append(place)
    if plain:
        chosen = [texts[place] for place in plain]
        for place, text, signs in zip(plain, chosen, _plain_signs(chosen), strict=True):
            found[place] = _noted(text, signs)
    return cast("list[Signs]", found)


def _noted(text: str, signs: Signs) -> Signs:
    """Remember the signs of a label, which comes again from page to page, and return them."""
    if len(text) <= _SHORT and not text.isdecimal():
        if len(_known) >= _MOST_KNOWN:
            _known.clear()  # those that are still in use come back soon
        _known[text] = signs
    return signs


@lru_cache(maxsize=256)
def _signs_of_number(length: int) -> bytes:
    """Return the signs of a text of so many figures and nothing else, as cells of tables have."""
    return _pack(0, length, 0, 1, *[0] * (SIGNS - 4))


def _words_of(text: str, size: int) -> Signs:
    start = text[:_START]
    low = start.lower()
    short, first, last = size < _LONG, text[0], text[-1]
    capitals, figures = len(_UPPER.findall(start)), len(_DIGIT.findall(start))
    told = frozenset(_WORDS.findall(low))
    said = told if size < WORDY else _NO_WORDS
    return _pack(
        last in _ENDS,
        size / (text.count(" ") + 1 + (size - len(text)) // 3),
        capitals / len(start),
        figures / len(start),
        text.count(",") + text.count("\uff0c") + text.count("、"),
        text.count(".") + text.count("。"),
        text.count("?") + text.count("\uff1f"),
        last in ":\uff1a",
        len(BOILERPLATE & said) + len(BOILERPLATE_SIGNS.findall(low)),
        short and figures > 0 and has_date(low),
        short and BYLINE.match(low) is not None,
        short and MONEY.search(start) is not None,
        "|" in text,
        first.isupper(),
        first.isalpha(),
    ), told


def _plain_signs(texts: list[str]) -> list[Signs]:
    """Return the signs of texts in ASCII, all at once: most of the time would go into calls."""
    starts = [text[:_START] for text in texts]
    # tables of bytes are several times as fast as patterns
    lows = _BETWEEN.join(starts).encode().translate(_WORD_TABLE).decode().split(_BETWEEN)
    if len(lows) != len(texts):  # one has the sign that is put between them
        return _plain_signs([text.replace(_BETWEEN, _INSTEAD) for text in texts])
    told = list(map(str.split, lows))
    opening = list(map(frozenset, told))
    rows = np.empty((len(texts), SIGNS), np.float32)
    letters = _Letters(texts)
    letters.write(rows.T)
    rows[:, 8:11] = 0
    rows[:, 12] = ["|" in text for text in texts]
    for place, said in enumerate(opening):
        if len(texts[place]) < WORDY and not BOILERPLATE.isdisjoint(said):
            rows[place, 8] = len(BOILERPLATE & said)
    for place in letters.perhaps_dated():
        rows[place, 9] = has_date(starts[place].lower())
    for place, said in enumerate(told):
        if said and said[0] in _BYLINES and len(texts[place]) < _LONG:
            rows[place, 10] = BYLINE.match(starts[place]) is not None
    packed, size = rows.tobytes(), rows.strides[0]
    return [(packed[at * size : (at + 1) * size], said) for at, said in enumerate(opening)]


class _Letters:
    """The bytes of several texts in a row; of most kinds there are few, which are soon counted."""

    def __init__(self, texts: list[str]) -> None:
        self._all = np.frombuffer("".join(texts).encode(), np.uint8)
        self._size = np.fromiter(map(len, texts), np.int64, len(texts))
        self._end = self._size.cumsum()
        self._begin = self._end - self._size
        self._seen = np.minimum(self._size, _START)
        # signs, figures and capitals
        at = (self._all - np.uint8(33) <= 90 - 33).nonzero()[0]
        owner = self._end.searchsorted(at, "right")
        number = owner * _CODES + self._all[at]
        self._counts = self._tallied(number)
        early = at < (self._begin + self._seen)[owner]
        self._opening = self._tallied(number[early])
        self._figures = self._opening[:, 48:58].sum(axis=1)

    def _tallied(self, number: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return how often each text has each sign."""
        count = len(self._size)
        return np.bincount(number, minlength=count * _CODES).reshape(count, _CODES)

    def write(self, rows: NDArray[np.float32]) -> None:
        """Write what can be told from single letters, one row for each sign."""
        first, last, counts = self._all[self._begin], self._all[self._end - 1], self._counts
        spaces = (self._all == 32).nonzero()[0].searchsorted(self._end)
        spaces[1:] -= spaces[:-1].copy()
        rows[0] = _CLOSING[last]
        rows[1] = self._size / (spaces + 1)
        rows[2] = self._opening[:, 65:91].sum(axis=1) / self._seen
        rows[3] = self._figures / self._seen
        rows[4] = counts[:, ord(",")]
        rows[5] = counts[:, ord(".")]
        rows[6] = counts[:, ord("?")]
        rows[7] = last == ord(":")
        rows[11] = (self._opening[:, ord("$")] > 0) & (self._size < _LONG)
        rows[13] = (first >= 65) & (first <= 90)
        rows[14] = (first & 95 >= 65) & (first & 95 <= 90) & (first > 64)

    def perhaps_dated(self) -> list[int]:
        """Return the places of the texts that begin with figures and more than those."""
        some = (self._figures > 0) & (self._figures < self._seen) & (self._size < _LONG)
        return some.nonzero()[0].tolist()
