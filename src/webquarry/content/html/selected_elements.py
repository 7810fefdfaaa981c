"""A page with only the elements that selectors choose, and values of their attributes."""

from collections.abc import Sequence
from copy import deepcopy
from typing import NamedTuple

from lxml import etree

from webquarry.content.fields.selectors import select
from webquarry.content.html.charset import decode_page
from webquarry.content.html.clean_html import clean_html
from webquarry.content.html.dom import Element, base_url, body_of, drop_tree, parse_html
from webquarry.content.main_content.extract import choose_content, write_content
from webquarry.content.markdown.writer import write_markdown
from webquarry.content.visibility.element_index import index_elements
from webquarry.content.visibility.hidden_text import find_hidden, remove_elements
from webquarry.content.visibility.invisible_characters import without_invisible
from webquarry.errors import BadInputError

_MAX_SELECTORS = 50
_MAX_VALUES = 500  # of one attribute


class SelectedPage(NamedTuple):
    """The chosen part of a page."""

    markdown: str
    html: str


class AttributeValues(NamedTuple):
    """The values of an attribute of the elements that a selector matches."""

    selector: str
    attribute: str
    values: tuple[str, ...]


def selected_page(
    source: bytes,
    *,
    url: str,
    content_type: str,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    main: bool = True,
) -> SelectedPage:
    """Return a page without the elements of `exclude`, and with those of `include` only.

    Hidden text is removed. `main` keeps the main content only; elements that were asked for by
    name are kept in any case.
    """
    root = parse_html(decode_page(source, content_type))
    if root is None:
        return SelectedPage("", "")
    base = base_url(root, url)
    index = index_elements(root)  # keeps the Python objects of all elements alive
    for element in _matches(root, exclude, "excludeTags"):
        drop_tree(element)
    if main and not include:
        content = choose_content(root, url, index)
        markdown, _ = write_content(content, base)
        return SelectedPage(markdown, clean_html(content.container, base))
    remove_elements(root, find_hidden(root, index))
    container = _container(root, include) if include else body_of(root)
    markdown = without_invisible(write_markdown(container, base=base))
    return SelectedPage(markdown, clean_html(container, base))


def attribute_values(
    source: bytes, *, content_type: str, wanted: Sequence[tuple[str, str]]
) -> list[AttributeValues]:
    """Return the values of attributes, for each pair of a selector and an attribute."""
    root = parse_html(decode_page(source, content_type))
    found: list[AttributeValues] = []
    for selector, name in wanted:
        elements = [] if root is None else _matches(root, (selector,), "selectors")
        values = [value for element in elements if (value := element.get(name)) is not None]
        found.append(AttributeValues(selector, name, tuple(values[:_MAX_VALUES])))
    return found


def _matches(root: Element, selectors: Sequence[str], field: str) -> list[Element]:
    """Return the elements that any of the selectors matches."""
    if len(selectors) > _MAX_SELECTORS:
        raise BadInputError(f"{field}: at most {_MAX_SELECTORS} selectors are allowed")
    found: list[Element] = []
    for selector in selectors:
        try:
            matched = select(root, selector)
        except BadInputError as error:
            text = str(error).removeprefix("x-selector: ")
            raise BadInputError(f"{field}: {text}") from error
        found += [match for match in matched if not isinstance(match, str)]
    return found


def _container(root: Element, include: Sequence[str]) -> Element:
    """Return a new element with the chosen elements in the order of the page."""
    chosen = {id(element): element for element in _matches(root, include, "includeTags")}
    container = etree.Element("div")
    for element in root.iter():
        if id(element) in chosen and not _has_chosen_ancestor(element, chosen):
            container.append(_detached(element))
    return container


def _has_chosen_ancestor(element: Element, chosen: dict[int, Element]) -> bool:
    return any(id(ancestor) in chosen for ancestor in element.iterancestors())


def _detached(element: Element) -> Element:
    """Return a copy, so that the iteration over the page goes on."""
    copy = deepcopy(element)
    copy.tail = None
    return copy
