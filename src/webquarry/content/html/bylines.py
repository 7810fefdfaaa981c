"""Authors and dates that a page shows but does not declare in its head."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from webquarry.content.html.dom import Element, text_of
from webquarry.content.text.dates import iso_date
from webquarry.content.visibility.element_index import ElementIndex
from webquarry.content.visibility.invisible_characters import without_invisible

_BY = re.compile(
    r"^\s*(?:author\s*:|(?:(?:written|posted|published)\s+)?(?:by|von|par|por|di|door|av)\b)[\s:]*",
    re.I,
)
_SPLIT = re.compile(r"\s*;\s*|\s+(?:and|und|et|y|&)\s+", re.IGNORECASE)
_NO_NAME = re.compile(
    r"https?://|www\.|@|\d{3,}|^(admin|administrator|staff|guest|unknown|none)$", re.I
)
_TAIL = re.compile(r"\s*(?:[|•·\u2013—]|,\s*(?:updated|posted|published)|\s-\s).*$", re.I | re.S)
_MAX_NAME = 80
_MAX_AUTHORS = 20
_NAMING = frozenset(("a", "span", "div", "p", "address", "li", "cite"))
_DATING = frozenset(("time", "span", "abbr", "div", "p", "meta"))
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


def visible_authors(root: Element, survey: ElementIndex) -> tuple[str, ...]:
    """Return the author that a link, microdata or a byline element names."""
    marked = (e for e in survey.signed if "author" in (e.get("rel"), e.get("itemprop")))
    for element in chain(marked, _classed(survey, _CLASSES)):
        if element.tag not in _NAMING or not _is_in(root, element):
            continue
        named = element.find(".//*[@itemprop='name']")
        text = text_of(named if named is not None else element)
        if 2 < len(text) <= _MAX_NAME:
            names = author_names([text])
            if names:
                return names
    return ()


def visible_dates(root: Element, survey: ElementIndex) -> str:
    """Return the one date the page marks as that of its publication, else ""."""
    marked = (e for e in survey.signed if _is_publication(e))
    for element in chain(marked, _classed(survey, _DATE_CLASSES)):
        found = _date_of(element) if element.tag in _DATING and _is_in(root, element) else ""
        if found:
            return found
    times = [_date_of(element) for element in root.iter("time")]
    days = {found[:10] for found in times if found}
    # several dates on a page are those of its teasers or comments
    return next(found for found in times if found) if len(days) == 1 else ""


def _classed(survey: ElementIndex, pattern: re.Pattern[str]) -> Iterator[Element]:
    for names, elements in survey.by_class.items():
        if pattern.search(names):
            yield from elements


def _is_publication(element: Element) -> bool:
    if element.get("pubdate") is not None:
        return True
    return element.get("itemprop") in ("datePublished", "dateCreated")


def _is_in(root: Element, element: Element) -> bool:
    """Tell whether the element is still in the page, from which hidden ones were taken."""
    above = element
    while above is not root:
        parent = above.getparent()
        if parent is None:
            return False
        above = parent
    return True


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
