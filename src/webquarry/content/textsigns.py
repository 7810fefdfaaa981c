"""What the text of a block tells by itself, whatever page it stands on."""

import re
from functools import lru_cache
from itertools import starmap
from string import ascii_uppercase, digits
from struct import Struct
from typing import cast

from webquarry.content.vocabulary import BOILERPLATE, BOILERPLATE_SIGNS, BYLINE, MONEY, has_date
from webquarry.content.wordlist import words

_WORDS = re.compile(r"\w+")
_UPPER = re.compile("[A-Z\u00c0-\u00de\u0410-\u042f]")
_DIGIT = re.compile("[0-9]")
_KIND_TABLE = bytes.maketrans(
    (ascii_uppercase + digits).encode(), b"A" * len(ascii_uppercase) + b"0" * len(digits)
)
_BETWEEN, _INSTEAD = "\x01", "\x02"  # controls, which no page has in its text
_WORD_TABLE = bytes(
    ord(sign.lower()) if sign.isascii() and (sign.isalnum() or sign in "_" + _BETWEEN) else 32
    for sign in map(chr, range(256))
)
_ENDS = frozenset('.!?。\uff01\uff1f…"”»')
_BYLINES = frozenset(words("by von par por di door written posted author"))
_LONG, WORDY = 600, 250  # characters: from here on only the form of a text tells something
_SHORT, _MOST_KNOWN = 60, 20_000
_START = 160  # characters that are read for words, figures and capitals
_NO_WORDS: frozenset[str] = frozenset()
SIGNS = 15
_pack = Struct(f"{SIGNS}f").pack
Signs = tuple[bytes, frozenset[str]]
_known: dict[str, Signs] = {}


def signs_of(text: str, size: int) -> Signs:
    """Return the signs of a text as packed single-precision numbers, and the words of its start.

    `size` is its length with wide scripts counted more.
    """
    return signs_of_all([text], [size])[0]


def signs_of_all(texts: list[str], sizes: list[int]) -> list[Signs]:
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
    raw = _BETWEEN.join(starts).encode()
    # tables of bytes are several times as fast as patterns
    told = [low.split() for low in raw.translate(_WORD_TABLE).decode().split(_BETWEEN)]
    if len(told) != len(texts):  # one has the sign that is put between them
        return _plain_signs([text.replace(_BETWEEN, _INSTEAD) for text in texts])
    kinds = raw.translate(_KIND_TABLE).split(_BETWEEN.encode())
    figures = [kind.count(b"0") for kind in kinds]
    opening = list(map(frozenset, told))
    short = [len(text) < _LONG for text in texts]
    rows = zip(
        [text[-1] in _ENDS for text in texts],
        [len(text) / (text.count(" ") + 1) for text in texts],
        [kind.count(b"A") / len(kind) for kind in kinds],
        [count / len(kind) for count, kind in zip(figures, kinds, strict=True)],
        [text.count(",") for text in texts],
        [text.count(".") for text in texts],
        [text.count("?") for text in texts],
        [text[-1] == ":" for text in texts],
        _boilerplate(texts, opening),
        [
            few and 0 < count < len(start) and has_date(start.lower())
            for few, count, start in zip(short, figures, starts, strict=True)
        ],
        [
            few and bool(said) and said[0] in _BYLINES and BYLINE.match(start) is not None
            for few, said, start in zip(short, told, starts, strict=True)
        ],
        [few and "$" in start for few, start in zip(short, starts, strict=True)],
        ["|" in text for text in texts],
        [text[0].isupper() for text in texts],
        [text[0].isalpha() for text in texts],
        strict=True,
    )
    return list(zip(starmap(_pack, rows), opening, strict=True))


def _boilerplate(texts: list[str], opening: list[frozenset[str]]) -> list[int]:
    """Return how many words of boilerplate each text that is not long begins with."""
    return [
        0 if apart or len(text) >= WORDY else len(BOILERPLATE & said)
        for apart, text, said in zip(
            map(BOILERPLATE.isdisjoint, opening), texts, opening, strict=True
        )
    ]
