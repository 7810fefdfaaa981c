"""`x-selector`: exact scraping by CSS or XPath."""

import re
from typing import Any, cast

from lxml import etree

from webquarry.content.html.dom import Element, counter, text_of
from webquarry.errors import BadInputError

_MOST = 300  # characters
_MOST_FOUND = 500
_LARGE = 3000  # elements: from here on only simple paths end in good time
# inside a condition these look at the whole page again for every element
_COSTLY = re.compile(
    r"\[[^\]]*(?://|descendant|following|preceding|ancestor|count\()|(?:following|preceding)::"
)
_elements = counter(".//*")
_ENDING = re.compile(r"::(text|attr\(([\w:-]+)\))$")


def selected(top: Element, selector: str) -> list[Element | str]:
    """Return the elements, or the texts, that a selector points at."""
    ending = _ENDING.search(selector)
    path = _path(selector[: ending.start()] if ending else selector)
    _check_cost(path, selector, top)
    try:
        found = cast("Any", etree.XPath(path, smart_strings=False)(top))
    except etree.XPathError as error:
        raise BadInputError(f"x-selector: {selector!r} is not XPath: {error}") from error
    listed: list[Any] = cast("list[Any]", found) if isinstance(found, list) else [str(found)]
    kept = [one for one in listed if isinstance(getattr(one, "tag", one), str)]
    return [_ended(one, ending) for one in kept[:_MOST_FOUND]]


def _check_cost(path: str, selector: str, top: Element) -> None:
    """Raise for a path that would take the square, or worse, of what the page holds."""
    deep = path.count("//") + path.count("descendant")
    near = path.count("-sibling::")
    large = _elements(top) > _LARGE
    if deep > (2 if large else 3) or near > (0 if large else 1):
        raise BadInputError(
            f"x-selector: the page is too large for {selector!r}; use a shorter path"
        )


def check_selector(selector: object) -> None:
    """Raise for what is neither CSS nor XPath."""
    if not isinstance(selector, str):
        raise BadInputError("x-selector: must be text, CSS or XPath")
    try:
        etree.XPath(_path(_ENDING.sub("", selector)))
    except etree.XPathError as error:
        raise BadInputError(f"x-selector: {selector!r} is not XPath: {error}") from error


def shown(one: Element | str) -> str:
    """Return the text of what was selected."""
    return " ".join(one.split()) if isinstance(one, str) else text_of(one)


def _ended(one: Element | str, ending: re.Match[str] | None) -> Element | str:
    if ending is None or isinstance(one, str):
        return one
    return one.get(ending[2]) or "" if ending[2] else text_of(one)


def _path(selector: str) -> str:
    if not selector.strip() or len(selector) > _MOST:
        raise BadInputError(f"x-selector: must have 1 to {_MOST} characters")
    if selector.startswith(("/", "./", "(", "..", "@")) or selector == ".":
        if _COSTLY.search(selector):
            raise BadInputError(f"x-selector: {selector!r} searches the page once for each element")
        return selector
    from cssselect import GenericTranslator, SelectorError

    try:
        return GenericTranslator().css_to_xpath(selector)
    except SelectorError as error:
        raise BadInputError(f"x-selector: {selector!r} is not CSS: {error}") from error
