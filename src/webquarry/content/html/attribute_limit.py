"""Bounds the attributes of a tag: parsers take time quadratic in their number."""

import re
from itertools import islice

_MAX_ATTRIBUTES = 500
# a shorter tag holds at most so many attributes that no parser needs long
_LONG_TAG = re.compile(rb"<[A-Za-z][^<>]{4000,}+")
_LONG_TAG_TEXT = re.compile(r"<[A-Za-z][^<>]{4000,}+")
_ATTRIBUTE = re.compile(
    rb"(?<![\s/])[\s/]++[^\s/=]++(?:\s*+=\s*+(?:\"[^\"]*+\"?|'[^']*+'?|[^\s]++))?"
)


def limit_attributes(html: bytes) -> bytes:
    """Return the page without the attributes of a tag after the first 500."""
    return _LONG_TAG.sub(_limited, html) if _LONG_TAG.search(html) else html


def limit_attributes_of_text(html: str) -> str:
    """Return decoded HTML without the attributes of a tag after the first 500."""
    if not _LONG_TAG_TEXT.search(html):
        return html
    return limit_attributes(html.encode("utf-8", "replace")).decode("utf-8")


def _limited(match: re.Match[bytes]) -> bytes:
    tag = match[0]
    last = next(islice(_ATTRIBUTE.finditer(tag), _MAX_ATTRIBUTES, None), None)
    return tag if last is None else tag[: last.start()]
