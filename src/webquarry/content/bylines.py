"""Authors and dates that a page shows but does not declare in its head."""

import re
from collections.abc import Iterable

from webquarry.content.dates import iso_date
from webquarry.content.dom import Element, text_of
from webquarry.content.invisible import without_invisible

_BY = re.compile(
    r"^\s*(?:(?:written|posted|published)\s+)?(?:by|von|par|por|di|door|av)\b[\s:]*", re.I
)
_SPLIT = re.compile(r"\s*;\s*|\s+(?:and|und|et|y|&)\s+", re.IGNORECASE)
_NO_NAME = re.compile(
    r"https?://|www\.|@|\d{3,}|^(admin|administrator|staff|guest|unknown|none)$", re.I
)
_TAIL = re.compile(r"\s*(?:[|•·\u2013—]|,\s*(?:updated|posted|published)|\s-\s).*$", re.I | re.S)
_MAX_NAME = 80
_MAX_AUTHORS = 20
_CLASSES = re.compile(r"(^|[\s_-])(byline|author|writer)(-?name)?([\s_-]|$)", re.I)
_DATE_CLASSES = re.compile(
    r"(^|[\s_-])(published|pubdate|post-?date|entry-?date|publish-?date)", re.I
)


def author_names(said: Iterable[str]) -> tuple[str, ...]:
    """Return the distinct names in what a page says about its authors."""
    found: list[str] = []
    for text in said:
        for part in _SPLIT.split(_BY.sub("", _TAIL.sub("", text))):
            found += _names_in(part)
    return tuple(dict.fromkeys(found))[:_MAX_AUTHORS]


def visible_authors(root: Element) -> tuple[str, ...]:
    """Return the author that a link, microdata or a byline element names."""
    for element in root.iter("a", "span", "div", "p", "address", "li", "cite"):
        marked = element.get("rel") == "author" or element.get("itemprop") == "author"
        if not marked and not _CLASSES.search(element.get("class") or ""):
            continue
        named = element.find(".//*[@itemprop='name']")
        text = text_of(named if named is not None else element)
        if 2 < len(text) <= _MAX_NAME:
            names = author_names([text])
            if names:
                return names
    return ()


def visible_dates(root: Element) -> str:
    """Return the one date the page marks as that of its publication, else ""."""
    for element in root.iter("time", "span", "abbr", "div", "p", "meta"):
        marked = element.get("itemprop") in ("datePublished", "dateCreated")
        marked = marked or element.get("pubdate") is not None
        if marked or _DATE_CLASSES.search(element.get("class") or ""):
            found = _date_of(element)
            if found:
                return found
    times = [_date_of(element) for element in root.iter("time")]
    days = {found[:10] for found in times if found}
    # several dates on a page are those of its teasers or comments
    return next(found for found in times if found) if len(days) == 1 else ""


def _date_of(element: Element) -> str:
    said = element.get("datetime") or element.get("content") or element.get("title")
    found = iso_date(said or "")
    return found or (iso_date(text_of(element)) if element.tag != "meta" else "")


def _names_in(part: str) -> list[str]:
    """Return one name, or several separated by commas; "Last, First" stays whole."""
    clean = without_invisible(" ".join(part.split())).strip(" ,.")
    pieces = [piece.strip() for piece in clean.split(",")]
    listed = len(pieces) > 2 or (len(pieces) == 2 and all(" " in piece for piece in pieces))
    names = pieces if listed else [clean]
    return [n for n in names if 1 < len(n) <= _MAX_NAME and not _NO_NAME.search(n)]
