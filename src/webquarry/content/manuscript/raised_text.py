"""Writes raised numbers with raised digits: 10<sup>2</sup> as 10²."""

import re

_TAGGED = re.compile(
    r"<sup>\s?\[?([-\u2212\u2013]?\d{1,4}(?:\s?[-\u2010-\u2014\u2212,;]\s?\d{1,4}){0,60})\]?\s?</sup>"
)
_RAISED = str.maketrans(
    "0123456789-\u2010\u2011\u2012\u2013\u2014\u2212;",
    "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079" + 7 * "\u207b" + ",",
)


def with_raised_digits(text: str) -> str:
    """Return the text with raised digits in place of `<sup>` around numbers."""
    if "<sup>" not in text:
        return text
    return _TAGGED.sub(lambda match: match[1].translate(_RAISED), text)
