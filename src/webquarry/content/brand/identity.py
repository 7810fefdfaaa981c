"""The organisation that owns a site, from schema.org data and meta elements."""

import re
from collections import ChainMap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from webquarry.content.brand.brand_page import BrandPage
from webquarry.content.html.dom import Element, text_of
from webquarry.content.html.json_ld import (
    Node,
    as_list,
    as_node,
    json_ld_blocks,
    json_ld_nodes,
    types_of,
)
from webquarry.content.ranking.known_sites import site_of

_ORGANISATION = re.compile(
    r".*(?:Organization|Business|Corporation|Store|Agency|NGO|Airline|Consortium|Restaurant"
    r"|Hotel|Cooperative|Hospital|University|School|Museum)|(?>.*(?:Bank|Library))\w*"
)
_SCHEMA_TYPE = re.compile(r"https?://schema\.org/(\w+)")


@dataclass(frozen=True)
class Organisation:
    """The owner of a site in its structured data."""

    values: dict[str, str]  # fields of `identity`
    logo: dict[str, Any] | None = None  # url, width, height
    same_as: tuple[str, ...] = ()


def organisation_of(page: BrandPage) -> Organisation | None:
    """Return the organisation that owns the site; None if there is none or it is ambiguous."""
    nodes = [n for n in _candidates(page) if any(map(_ORGANISATION.fullmatch, types_of(n)))]
    own = [node for node in nodes if _is_on_same_domain(node, page)] or nodes
    if len({_text(node.get("name")) for node in own}) != 1:
        return None
    node = dict(ChainMap(*own))
    stated = {
        "name": _text(node.get("name")),
        "tagline": _text(node.get("slogan")),
        "description": _text(node.get("description")),
        "industry": _text(node.get("industry")),
        "founded": _text(node.get("foundingDate")),
        "location": _location(node.get("address")) or _location(node.get("location")),
    }
    return Organisation(
        values={key: value for key, value in stated.items() if value},
        logo=_logo(node.get("logo"), page),
        same_as=tuple(filter(None, map(_text, as_list(node.get("sameAs"))))),
    )


def _candidates(page: BrandPage) -> Iterator[Node]:
    """Yield the JSON-LD nodes, the publishers of websites, and the microdata items."""
    nodes = json_ld_nodes(json_ld_blocks(page.root.iter("script")))
    yield from nodes
    yield from (as_node(n.get("publisher")) for n in nodes if "WebSite" in types_of(n))
    yield from _microdata_items(page.root)


def identity_of(page: BrandPage, owner: Organisation | None) -> dict[str, str]:
    """Return the identity fields that a homepage states."""
    values = dict(owner.values) if owner else {}
    name = page.meta("og:site_name", "application-name", "apple-mobile-web-app-title")
    description = page.meta("og:description", "description", "twitter:description")
    for key, value in (("name", name), ("description", description)):
        if value:
            values.setdefault(key, value)
    return values


def _is_on_same_domain(node: Node, page: BrandPage) -> bool:
    stated = site_of(_text(node.get("url")) or "")
    return bool(stated) and stated == site_of(page.url)


def _text(value: Any) -> str | None:
    """Return the first text of a value: a string, or a node with `@value` or `name`."""
    for each in as_list(value):
        text: Any = as_node(each).get("@value", as_node(each).get("name", each))
        if isinstance(text, (str, int)) and str(text).strip():
            return " ".join(str(text).split())
    return None


def _location(value: Any) -> str | None:
    locations = as_list(value)
    if len(locations) != 1:
        return None  # of several offices none is known to be the headquarters
    if isinstance(locations[0], str):
        return " ".join(locations[0].split()) or None
    node = as_node(as_node(locations[0]).get("address", locations[0]))
    keys = ("addressLocality", "addressRegion", "addressCountry")
    parts = [_text(node.get(key)) for key in keys]
    return ", ".join(dict.fromkeys(filter(None, parts))) or None


def _logo(value: Any, page: BrandPage) -> dict[str, Any] | None:
    for each in as_list(value):
        node = as_node(each)
        reference = each if isinstance(each, str) else node.get("url") or node.get("contentUrl")
        if url := page.absolute_url(_text(reference)):
            sizes = {key: _pixels(node.get(key)) for key in ("width", "height")}
            return {"url": url, **{key: size for key, size in sizes.items() if size}}
    return None


def _pixels(value: Any) -> int | None:
    text = (_text(as_node(value).get("value", value)) or "").removesuffix("px").strip()
    return int(text) if text.isdecimal() else None


def _microdata_items(root: Element) -> Iterator[Node]:
    """Yield top-level microdata items as JSON-LD nodes, with nested properties flattened."""
    for item in root.iterfind(".//*[@itemtype]"):
        kind = _SCHEMA_TYPE.match(item.get("itemtype", "").strip())
        if kind and not item.get("itemprop"):
            yield {"@type": kind[1], **_microdata_properties(item)}


def _microdata_properties(item: Element) -> Node:
    node: Node = {}
    for part in item.iterfind(".//*[@itemprop]"):
        value = part.get("content") or part.get("href") or part.get("src") or text_of(part)
        for name in part.get("itemprop", "").split():
            if name == "sameAs":
                node[name] = [*as_list(node.get(name)), value]
            else:
                node.setdefault(name, value)
    return node
