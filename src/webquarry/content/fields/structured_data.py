"""Structured data of a page (JSON-LD and microdata): its items, and values by path."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from webquarry.content.fields.facts import StructuredDataItem
from webquarry.content.fields.field_names import field_key
from webquarry.content.html.dom import Element, tag_of, text_of
from webquarry.content.html.json_ld import (
    Node,
    as_list,
    as_node,
    json_ld_blocks,
    json_ld_nodes,
    types_of,
)
from webquarry.content.text.word_list import word_set

_MAX_ITEMS = 300
_FRAME_TYPES = word_set(
    "WebSite BreadcrumbList ListItem SiteNavigationElement WPHeader WPFooter "
    "WPSideBar SearchAction ImageObject ItemList Organization NewsMediaOrganization "
    "OnlineStore Corporation Brand Offer AggregateRating Rating PostalAddress "
    "EntryPoint ReadAction VideoObject"
)
_ADDRESS_PARTS = (
    "streetAddress", "postalCode", "addressLocality", "addressRegion", "addressCountry",
)  # fmt: skip
_ORGANIZATION_WORDS = word_set("company organization organisation business contact employer firm")


def structured_items(root: Element) -> list[StructuredDataItem]:
    """Return every item that the page describes, JSON-LD first."""
    nodes = json_ld_nodes(json_ld_blocks(root.iter("script")))
    nodes = [*nodes, *(item for node in nodes for item in _listed_items(node))]
    scopes = [element for element in root.iter("*") if element.get("itemscope") is not None]
    # nested items are properties of others
    top_level = [e for e in scopes[:_MAX_ITEMS] if e.get("itemprop") is None]
    return [
        *(StructuredDataItem(node, "json-ld") for node in nodes),
        *(StructuredDataItem(_microdata_item(e), "microdata") for e in top_level),
    ]


def _listed_items(node: Node) -> list[Node]:
    """Return the items of an ItemList that are more than a link."""
    if "ItemList" not in types_of(node):
        return []
    elements = as_list(node.get("itemListElement"))
    items = [as_node(as_node(element).get("item", element)) for element in elements]
    return [item for item in items if set(item) - {"@type", "position", "url", "@id"}]


def main_items(
    items: list[StructuredDataItem], paths: list[tuple[str, ...]], hints: str, heading: str
) -> list[StructuredDataItem]:
    """Return the items that the page is about, at most one of each method."""
    words = set(field_key(hints).split())
    chosen: list[StructuredDataItem] = []
    for method in ("json-ld", "microdata"):
        by_score: defaultdict[float, list[StructuredDataItem]] = defaultdict(list)
        for item in items:
            if item.method == method and _may_be_main(item.node, words):
                by_score[_score(item.node, paths, words)].append(item)
        best = max(by_score, default=0)
        top = by_score[best] if best > 0 else []
        if len(top) > 1:
            top = [item for item in top if _is_named_like(item.node, heading)][:1]
        chosen += top
    return chosen


def _may_be_main(node: Node, words: set[str]) -> bool:
    if "Organization" in types_of(node) and not words.isdisjoint(_ORGANIZATION_WORDS):
        return True
    return is_content_item(node)


def is_content_item(node: Node) -> bool:
    """Tell whether an item describes content and not the site around it."""
    return bool(types_of(node)) and not set(types_of(node)) <= _FRAME_TYPES


def _score(node: Node, paths: list[tuple[str, ...]], words: set[str]) -> float:
    hits = sum(any(values_at(node, path) for path in field_paths) for field_paths in paths)
    if not hits:
        return 0
    kinds = {word for kind in types_of(node) for word in field_key(kind).split()}
    return hits + 3 * bool(kinds & words) - 0.5 * ("page" in kinds)


def _is_named_like(node: Node, heading: str) -> bool:
    name = field_key(str(node.get("name") or node.get("headline") or ""))
    return bool(name) and (name in field_key(heading) or field_key(heading) in name)


def values_at(node: Node, path: str) -> list[Any]:
    """Return the values at a dotted path; lists are followed into each item."""
    values: list[Any] = [node]
    for name in path.split("."):
        values = [
            inner for value in values for inner in as_list(as_node(value).get(name)) if inner != ""
        ]
    return values


def matching_properties(node: Node, key: str) -> Iterator[tuple[str, Any]]:
    """Yield the properties of a node whose normalised name is `key`."""
    for name, value in node.items():
        if not name.startswith("@") and field_key(name) == key:
            yield name, value
    for extra in as_list(node.get("additionalProperty")):
        prop = as_node(extra)
        if field_key(str(prop.get("name") or prop.get("propertyID") or "")) == key:
            yield "additionalProperty", prop.get("value")


def property_values(node: Node, keys: Iterable[str], paths: Iterable[str]) -> Iterator[Any]:
    """Yield the values of the properties with these keys, then those at these paths."""
    for key in keys:
        for _, value in matching_properties(node, key):
            yield from as_list(value)
    for path in paths:
        yield from values_at(node, path)


def value_text(value: Any) -> str:
    """Return a value of structured data as text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, int, float)):
        return " ".join(str(value).split())
    return _node_text(as_node(value))


def _node_text(node: Node) -> str:
    if "PostalAddress" in types_of(node) or "streetAddress" in node:
        return _postal_address(node)
    if "address" in node and "name" not in node:
        return value_text(node["address"])
    if isinstance(node.get("value"), (str, int, float)):
        unit = node.get("unitText") or node.get("unitCode") or ""
        return f"{node['value']} {unit}".strip()
    names = ("name", "text", "@value", "url", "contentUrl")
    texts = (node[name] for name in names if isinstance(node.get(name), (str, int, float)))
    return " ".join(str(next(texts, "")).split())


def _postal_address(node: Node) -> str:
    street, postcode, city, region, country = (
        value_text(node.get(name) or "") for name in _ADDRESS_PARTS
    )
    # countries with states write the postcode last: Austin, TX 78701
    city_line = f"{', '.join(filter(None, (city, region)))} {postcode}"
    parts = (street, city_line if region else f"{postcode} {city}", country)
    return ", ".join(filter(None, map(str.strip, parts)))


def _microdata_item(top: Element, level: int = 0) -> Node:
    kinds = [name.rstrip("/") for name in top.get("itemtype", "").split()]
    node: Node = {"@type": kinds} if kinds else {}
    if level > 8:
        return node
    for element in _microdata_properties(top):
        inner = element.get("itemscope") is not None
        value: Any = _microdata_item(element, level + 1) if inner else _microdata_value(element)
        for name in element.get("itemprop", "").split():
            node[name] = [*as_list(node[name]), value] if name in node else value
    return node


def _microdata_properties(top: Element) -> Iterator[Element]:
    waiting = list(top)[::-1]
    while waiting:
        element = waiting.pop()
        if not tag_of(element):
            continue
        if element.get("itemprop"):
            yield element
        if element.get("itemscope") is None:
            waiting += list(element)[::-1]


def _microdata_value(element: Element) -> str:
    tag = element.tag
    value = element.get("content") or element.get("datetime")
    if not value and tag in ("data", "meter"):
        value = element.get("value")
    if value:
        return " ".join(value.split())
    if tag in ("link", "img") or (tag == "a" and element.get("itemprop") == "url"):
        link = element.get("src" if tag == "img" else "href")
        return (link or text_of(element)).strip()
    return text_of(element)
