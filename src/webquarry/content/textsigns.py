"""What the text of a block tells by itself, whatever page it stands on."""

import re
from string import ascii_uppercase, digits
from struct import Struct

from webquarry.content.vocabulary import BOILERPLATE, BOILERPLATE_SIGNS, BYLINE, MONEY, has_date
from webquarry.content.wordlist import words

_WORDS = re.compile(r"\w+")
_UPPER = re.compile("[A-Z\u00c0-\u00de\u0410-\u042f]")
_DIGIT = re.compile("[0-9]")
_KIND_TABLE = bytes.maketrans(
    (ascii_uppercase + digits).encode(), b"A" * len(ascii_uppercase) + b"0" * len(digits)
)
_WORD_TABLE = bytes(
    ord(chr(code).lower()) if code < 128 and (chr(code).isalnum() or chr(code) == "_") else 32
    for code in range(256)
)
_ENDS = frozenset('.!?。\uff01\uff1f…"”»')
_BYLINES = frozenset(words("by von par por di door written posted author"))
_LONG, WORDY = 600, 250  # characters: from here on only the form of a text tells something
_SHORT, _MOST_KNOWN = 60, 20_000
_NO_WORDS: frozenset[str] = frozenset()
SIGNS = 15
_pack = Struct(f"{SIGNS}f").pack
_known: dict[str, tuple[bytes, frozenset[str]]] = {}


def signs_of(text: str, size: int) -> tuple[bytes, frozenset[str]]:
    """Return the signs of a text as packed single-precision numbers, and the words of a short one.

    `size` is its length with wide scripts counted more.
    """
    found = _known.get(text)
    if found is None:
        found = _ascii_words_of(text) if text.isascii() else _words_of(text, size)
        if len(text) <= _SHORT and not text.isdecimal():  # labels repeat from page to page
            if len(_known) >= _MOST_KNOWN:
                _known.clear()  # those that are still in use come back soon
            _known[text] = found
    return found


def _words_of(text: str, size: int) -> tuple[bytes, frozenset[str]]:
    start = text[:160]
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


def _ascii_words_of(text: str) -> tuple[bytes, frozenset[str]]:
    # tables of bytes are several times as fast as patterns
    start, size, first, last = text[:160], len(text), text[0], text[-1]
    raw = start.encode()
    kinds = raw.translate(_KIND_TABLE)
    figures, seen = kinds.count(b"0"), len(start)
    told = raw.translate(_WORD_TABLE).decode().split()
    opening = frozenset(told)
    said = opening if size < WORDY else _NO_WORDS
    dated, byline, money = False, False, False
    if size < _LONG:
        byline = bool(told) and told[0] in _BYLINES and BYLINE.match(start) is not None
        dated = 0 < figures < seen and has_date(start.lower())
        money = b"$" in raw
    return _pack(
        last in _ENDS,
        size / (text.count(" ") + 1),
        kinds.count(b"A") / seen,
        figures / seen,
        text.count(","),
        text.count("."),
        text.count("?"),
        last == ":",
        0 if BOILERPLATE.isdisjoint(said) else len(BOILERPLATE & said),
        dated,
        byline,
        money,
        "|" in text,
        first.isupper(),
        first.isalpha(),
    ), opening
