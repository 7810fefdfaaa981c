"""What pages state for machines: JSON-LD and microdata, found by path."""

from collections.abc import Iterator
from typing import Any

from webquarry.content.fields.facts import Statements
from webquarry.content.fields.field_names import key_of
from webquarry.content.html.dom import Element, name_of, text_of
from webquarry.content.html.json_ld import Node, as_list, as_node, blocks_of, nodes_of, types_of
from webquarry.content.text.word_list import words

_MAX_ITEMS = 300
_AROUND = frozenset(
    words(
        "WebSite BreadcrumbList ListItem SiteNavigationElement WPHeader WPFooter "
        "WPSideBar SearchAction ImageObject ItemList Organization NewsMediaOrganization "
        "OnlineStore Corporation Brand Offer AggregateRating Rating PostalAddress "
        "EntryPoint ReadAction VideoObject"
    )
)
_ORGANIZED = frozenset(words("company organization organisation business contact employer firm"))


def statements_of(root: Element) -> list[Statements]:
    """Return every thing the page describes, JSON-LD first."""
    found = [Statements(node, "json-ld") for node in nodes_of(blocks_of(root))]
    listed = [
        Statements(as_node(item), "json-ld")
        for one in list(found)
        if "ItemList" in types_of(one.node)
        for element in as_list(one.node.get("itemListElement"))
        for item in (as_node(element).get("item", element),)
        if isinstance(item, dict) and set(as_node(item)) - {"@type", "position", "url", "@id"}
    ]
    return [*found, *listed, *(Statements(node, "microdata") for node in _microdata(root))]


def main_of(
    told: list[Statements], paths: list[tuple[str, ...]], hints: str, heading: str
) -> list[Statements]:
    """Return the descriptions of the thing the page is about, at most one of each method."""
    words = set(key_of(hints).split())
    chosen: list[Statements] = []
    for method in ("json-ld", "microdata"):
        mine = [one for one in told if one.method == method and _may_be_main(one.node, words)]
        scored = [(_score(one.node, paths, words), one) for one in mine]
        best = max((score for score, _ in scored), default=0)
        first = [one for score, one in scored if score == best and best > 0]
        if len(first) > 1:
            first = [one for one in first if _named(one.node, heading)][:1]
        chosen += first
    return chosen


def _may_be_main(node: Node, words: set[str]) -> bool:
    kinds = types_of(node)
    if words & _ORGANIZED and "Organization" in kinds:
        return True
    return bool(kinds) and not set(kinds) <= _AROUND


def is_thing(node: Node) -> bool:
    """Tell whether a description is of something the page is about."""
    return bool(types_of(node)) and not set(types_of(node)) <= _AROUND


def _score(node: Node, paths: list[tuple[str, ...]], words: set[str]) -> float:
    hits = sum(any(found_at(node, path) for path in ways) for ways in paths)
    kinds = {word for kind in types_of(node) for word in key_of(kind).split()}
    plain = -0.5 if "page" in kinds else 0
    return hits + (3 if kinds & words and hits else 0) + (plain if hits else 0)


def _named(node: Node, heading: str) -> bool:
    name = key_of(str(node.get("name") or node.get("headline") or ""))
    return bool(name) and (name in key_of(heading) or key_of(heading) in name)


def found_at(node: Node, path: str) -> list[Any]:
    """Return the values at a path; lists on the way are followed into each item."""
    values: list[Any] = [node]
    for name in path.split("."):
        values = [
            inner for value in values for inner in as_list(as_node(value).get(name)) if inner != ""
        ]
    return values


def alike(node: Node, key: str) -> Iterator[tuple[str, Any]]:
    """Yield the properties of a thing whose name is this one in another spelling."""
    for name, value in node.items():
        if not name.startswith("@") and key_of(name) == key:
            yield name, value
    for extra in as_list(node.get("additionalProperty")):
        told = as_node(extra)
        if key_of(str(told.get("name") or told.get("propertyID") or "")) == key:
            yield "additionalProperty", told.get("value")


def words_for(value: Any) -> str:
    """Return a statement as text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, int, float)):
        return " ".join(str(value).split())
    return _of_node(as_node(value))


def _of_node(node: Node) -> str:
    if "PostalAddress" in types_of(node) or "streetAddress" in node:
        return _postal(node)
    if "address" in node and "name" not in node:
        return words_for(node["address"])
    if "value" in node and isinstance(node["value"], (str, int, float)):
        unit = node.get("unitText") or node.get("unitCode") or ""
        return f"{node['value']} {unit}".strip()
    names = ("name", "text", "@value", "url", "contentUrl")
    found = (node[name] for name in names if isinstance(node.get(name), (str, int, float)))
    return " ".join(str(next(found, "")).split())


def _postal(node: Node) -> str:
    place = " ".join(
        words_for(node[name]) for name in ("postalCode", "addressLocality") if node.get(name)
    )
    if node.get("addressRegion"):  # as it is written where there are states
        named = [words_for(node[n]) for n in ("addressLocality", "addressRegion") if node.get(n)]
        place = " ".join([", ".join(named), words_for(node.get("postalCode") or "")]).strip()
    parts = (
        words_for(node.get("streetAddress") or ""), place,
        words_for(node.get("addressCountry") or ""),
    )  # fmt: skip
    return ", ".join(part for part in parts if part)


def _microdata(root: Element) -> list[Node]:
    """Return the items of the page, those inside others as their properties only."""
    tops = [e for e in root.iter() if name_of(e) and e.get("itemscope") is not None]
    return [_item(e) for e in tops[:_MAX_ITEMS] if e.get("itemprop") is None]


def _item(top: Element, level: int = 0) -> Node:
    kind = (top.get("itemtype") or "").split()
    node: Node = {"@type": [name.rstrip("/") for name in kind]} if kind else {}
    if level > 8:
        return node
    for element in _properties(top):
        inner = element.get("itemscope") is not None
        value: Any = _item(element, level + 1) if inner else _value(element)
        for name in (element.get("itemprop") or "").split():
            node[name] = [*as_list(node[name]), value] if name in node else value
    return node


def _properties(top: Element) -> Iterator[Element]:
    waiting = list(top)[::-1]
    while waiting:
        element = waiting.pop()
        if not name_of(element):
            continue
        if element.get("itemprop"):
            yield element
        if element.get("itemscope") is None:
            waiting += list(element)[::-1]


def _value(element: Element) -> str:
    for name in ("content", "datetime", "value" if element.tag in ("data", "meter") else "content"):
        if element.get(name):
            return " ".join(str(element.get(name)).split())
    link = element.get("href") if element.tag in ("a", "link") else element.get("src")
    text = text_of(element)
    if element.tag in ("link", "img") or (element.tag == "a" and element.get("itemprop") == "url"):
        return (link or text).strip()
    return text
