"""Shapes of URLs: URLs that differ only in numbers, ids and values have the same shape."""

import re
from functools import lru_cache
from typing import NamedTuple

_DEEP = 4  # segments of a path whose URLs are also judged together
# ids are long and have digits: session ids in paths, hashes
_ID = re.compile(r"(?<![\w-])(?=[a-z_-]{0,64}\d)[\w-]{16,}(?![\w-])", re.IGNORECASE | re.ASCII)
_NUMBER = re.compile(r"\d+")
_PROGRESSION = re.compile(
    r"[?&/_-](?:cal(?:endar)?|day|month|year|week|date|from|to|start|end|tribe-bar-date|mini|"
    r"eventdate|page(?:d|_?no|_?num(?:ber)?)?|pg|offset|skip)(?=[=/?&_-]|$)",
    re.IGNORECASE,
)


class UrlShapes(NamedTuple):
    """The shapes of a URL; '' where nothing is variable."""

    own: str  # the path with placeholders, and the names of the query parameters
    broad: str  # all URLs of the path with any query; all URLs below the first segment
    path: str  # with placeholders
    has_query: bool = False


@lru_cache(maxsize=256)  # a URL is asked for before and after it is read
def shapes_of(url: str) -> UrlShapes:
    """Return the shapes of a URL."""
    head, mark, query = url.partition("?")
    start = head.find("/", 8)
    host, path = (head[:start], head[start:]) if start > 0 else (head, "/")
    generic = path
    if _NUMBER.search(path):
        generic = _NUMBER.sub("0", _ID.sub("*", path))
    if mark:
        names = "&".join(sorted({part.partition("=")[0] for part in query.split("&")}))
        own = f"{host}{generic}?{names}"
        return UrlShapes(own, f"{host}{path}?", generic, has_query=True)
    segments = path.split("/")
    broad = f"{host}/{segments[1]}/**" if len(segments) >= _DEEP else ""
    return UrlShapes(host + generic if generic != path else "", broad, generic)


def is_progression(url: str) -> bool:
    """Whether a URL has a date or the number of a page of a list: those have no end."""
    return _PROGRESSION.search(url, 8) is not None and _NUMBER.search(url, 8) is not None
