"""`x-selector`: CSS and XPath selectors with bounded cost."""

import re
from typing import Any, cast

from lxml import etree

from webquarry.content.html.dom import Element, element_counter, text_of
from webquarry.errors import BadInputError

_MAX_SELECTOR_CHARS = 300
_MAX_MATCHES = 500
_LARGE_PAGE = 3000  # elements; larger pages allow only simple paths
# in a predicate these axes search the whole page for each element
_PREDICATE = re.compile(r"\[[^\]]*")
_COSTLY = re.compile(r"//|descendant|following|preceding|ancestor|count\(")
_COSTLY_AXIS = re.compile(r"(?:following|preceding)::")
_element_count = element_counter(".//*")
_PSEUDO_ELEMENT = re.compile(r"::(text|attr\(([\w:-]+)\))$")


def select(top: Element, selector: str) -> list[Element | str]:
    """Return the elements or texts that a selector matches."""
    pseudo_element = _PSEUDO_ELEMENT.search(selector)
    path = _path(selector[: pseudo_element.start()] if pseudo_element else selector)
    _check_cost(path, selector, top)
    try:
        result = cast("Any", etree.XPath(path, smart_strings=False)(top))
    except etree.XPathError as error:
        raise BadInputError(f"x-selector: {selector!r} is not XPath: {error}") from error
    matches: list[Any] = cast("list[Any]", result) if isinstance(result, list) else [str(result)]
    # comments and processing instructions have no string as their tag
    usable = [match for match in matches if isinstance(getattr(match, "tag", match), str)]
    return [_apply_pseudo_element(match, pseudo_element) for match in usable[:_MAX_MATCHES]]


def _check_cost(path: str, selector: str, top: Element) -> None:
    """Raise for a path whose cost is quadratic or worse in the size of the page."""
    descents = path.count("//") + path.count("descendant")
    siblings = path.count("-sibling::")
    is_large = _element_count(top) > _LARGE_PAGE
    if descents > (2 if is_large else 3) or siblings > (0 if is_large else 1):
        raise BadInputError(
            f"x-selector: the page is too large for {selector!r}; use a shorter path"
        )


def check_selector(selector: object) -> None:
    """Raise for a selector that is neither CSS nor XPath."""
    if not isinstance(selector, str):
        raise BadInputError("x-selector: must be a CSS or XPath string")
    try:
        etree.XPath(_path(_PSEUDO_ELEMENT.sub("", selector)))
    except etree.XPathError as error:
        raise BadInputError(f"x-selector: {selector!r} is not XPath: {error}") from error


def selected_text(found: Element | str) -> str:
    """Return the text of a selected element or string."""
    return " ".join(found.split()) if isinstance(found, str) else text_of(found)


def _apply_pseudo_element(
    found: Element | str, pseudo_element: re.Match[str] | None
) -> Element | str:
    if pseudo_element is None or isinstance(found, str):
        return found
    return found.get(pseudo_element[2], "") if pseudo_element[2] else text_of(found)


def _path(selector: str) -> str:
    if not selector.strip() or len(selector) > _MAX_SELECTOR_CHARS:
        raise BadInputError(f"x-selector: must have 1 to {_MAX_SELECTOR_CHARS} characters")
    if selector.startswith(("/", "./", "(", "..", "@")) or selector == ".":
        if _is_costly(selector):
            raise BadInputError(f"x-selector: {selector!r} searches the page once for each element")
        return selector
    from cssselect import GenericTranslator, SelectorError

    try:
        return GenericTranslator().css_to_xpath(selector)
    except SelectorError as error:
        raise BadInputError(f"x-selector: {selector!r} is not CSS: {error}") from error


def _is_costly(path: str) -> bool:
    predicates = _PREDICATE.findall(path)
    return bool(_COSTLY_AXIS.search(path)) or any(map(_COSTLY.search, predicates))
