"""Authors and dates that a page shows in its body but does not declare in its head."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from webquarry.content.citations.author_names import is_one_organization
from webquarry.content.html.dom import Element, text_of
from webquarry.content.text.dates import iso_date
from webquarry.content.visibility.element_index import ElementIndex
from webquarry.content.visibility.invisible_characters import without_invisible

_BYLINE_PREFIX = re.compile(
    r"^\s*(?:author\s*:|(?:(?:written|posted|published)\s+)?(?:by|von|par|por|di|door|av)\b)[\s:]*",
    re.I,
)
_NAME_SEPARATOR = re.compile(r"(?:(?<!\s)\s++)?;\s*|(?<!\s)\s+(?:and|und|et|y|&)\s+", re.IGNORECASE)
_NOT_A_NAME = re.compile(
    r"https?://|www\.|@|\d{3,}|^(admin|administrator|staff|guest|unknown|none)$", re.I
)
_BYLINE_SUFFIX = re.compile(
    r"(?:(?<!\s)\s++)?(?:[|•·\u2013—]|,\s*(?:updated|posted|published)).*|(?<!\s)\s+-\s.*",
    re.I | re.S,
)
_MAX_NAME = 80
_MAX_AUTHORS = 20
_AUTHOR_TAGS = frozenset(("a", "span", "div", "p", "address", "li", "cite"))
_DATE_TAGS = frozenset(("time", "span", "abbr", "div", "p", "meta"))
_AUTHOR_CLASSES = re.compile(r"(^|[\s_-])(byline|author|writer)(-?name)?([\s_-]|$)", re.I)
_DATE_CLASSES = re.compile(
    r"(^|[\s_-])(published|pubdate|post-?date|entry-?date|publish-?date)", re.I
)


def author_names(bylines: Iterable[str]) -> tuple[str, ...]:
    """Return the distinct names in what a page states about its authors."""
    names: list[str] = []
    for byline in bylines:
        core = _BYLINE_PREFIX.sub("", _BYLINE_SUFFIX.sub("", byline))
        parts = [core] if is_one_organization(core) else _NAME_SEPARATOR.split(core)
        for part in parts:
            names += _names_in(part)
    return tuple(dict.fromkeys(names))[:_MAX_AUTHORS]


def visible_authors(root: Element, index: ElementIndex) -> tuple[str, ...]:
    """Return the authors that a link, microdata or a byline element names."""
    annotated = (e for e in index.annotated if "author" in (e.get("rel"), e.get("itemprop")))
    for element in chain(annotated, _with_class(index, _AUTHOR_CLASSES)):
        if element.tag not in _AUTHOR_TAGS or not _is_in(root, element):
            continue
        named = element.find(".//*[@itemprop='name']")
        text = text_of(named if named is not None else element)
        names = author_names([text]) if 2 < len(text) <= _MAX_NAME else ()
        if names:
            return names
    return ()


def visible_date(root: Element, index: ElementIndex) -> str:
    """Return the one date the page marks as that of its publication, else ""."""
    annotated = filter(_is_publication_date, index.annotated)
    for element in chain(annotated, _with_class(index, _DATE_CLASSES)):
        if element.tag in _DATE_TAGS and _is_in(root, element):
            date = _date_of(element)
            if date:
                return date
    dates = [date for date in map(_date_of, root.iter("time")) if date]
    # several days on a page are those of its teasers or comments
    return dates[0] if len({date[:10] for date in dates}) == 1 else ""


def _with_class(index: ElementIndex, pattern: re.Pattern[str]) -> Iterator[Element]:
    for names, elements in index.by_class.items():
        if pattern.search(names):
            yield from elements


def _is_publication_date(element: Element) -> bool:
    if element.get("pubdate") is not None:
        return True
    return element.get("itemprop") in ("datePublished", "dateCreated")


def _is_in(root: Element, element: Element) -> bool:
    """Tell whether the element is still in the page: hidden ones were removed."""
    ancestor = element
    while ancestor is not root:
        parent = ancestor.getparent()
        if parent is None:
            return False
        ancestor = parent
    return True


def _date_of(element: Element) -> str:
    declared = element.get("datetime") or element.get("content") or element.get("title")
    date = iso_date(declared or "")
    return date or (iso_date(text_of(element)) if element.tag != "meta" else "")


def _names_in(part: str) -> list[str]:
    """Return one name, or several separated by commas; "Last, First" is one name."""
    text = without_invisible(" ".join(part.split())).strip(" ,.")
    pieces = [piece.strip() for piece in text.split(",")]
    is_list = len(pieces) > 2 or (len(pieces) == 2 and all(" " in piece for piece in pieces))
    return list(filter(_is_name, pieces if is_list else [text]))


def _is_name(text: str) -> bool:
    return 1 < len(text) <= _MAX_NAME and not _NOT_A_NAME.search(text)
