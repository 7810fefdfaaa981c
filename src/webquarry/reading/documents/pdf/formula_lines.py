"""Tells lines that are formulas from text."""

import re

# relations and operators that prose rarely has
_SIGN = re.compile(
    "[=\u2260\u2248\u2261\u2264\u2265<>\u2208\u2192\u2211\u220f\u222b\u221a\u2202\u2207\u00d7\u221e\u221d\u2286\u2282]"
)
_WORD = re.compile(r"[^\W\d_]{4,}")
_CODE = re.compile(r"[;{}]|==|:=|->|=>|//|https?:|\w\(\w*\)\.|[\"'`$#\\]")
_MAX_WORDS = 2  # in a formula: "where", "otherwise"
_MAX_SHARE = 0.35  # of its characters
_MAX_LENGTH, _MIN_LENGTH = 200, 3


def is_formula(text: str) -> bool:
    """Return whether a line consists of symbols with a relation or an operator between them."""
    if not _MIN_LENGTH <= len(text) <= _MAX_LENGTH or not _SIGN.search(text):
        return False
    words = _WORD.findall(text)
    if len(words) > _MAX_WORDS or _CODE.search(text):
        return False
    return sum(map(len, words)) <= _MAX_SHARE * len(text) and any(map(str.isalnum, text))
