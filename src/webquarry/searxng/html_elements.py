"""XPath helpers for the result pages of instances."""

from webquarry.content.html.dom import Element


def has_class(name: str) -> str:
    """Return an XPath condition for elements of a class."""
    return f"contains(concat(' ', normalize-space(@class), ' '), ' {name} ')"


def find_all(element: Element, path: str) -> list[Element]:
    """Return the elements at a path."""
    nodes = element.xpath(path)
    return [node for node in nodes if isinstance(node, Element)] if isinstance(nodes, list) else []


def find_first(element: Element, path: str) -> Element | None:
    """Return the first element at a path; None if there is none."""
    return next(iter(find_all(element, path)), None)
