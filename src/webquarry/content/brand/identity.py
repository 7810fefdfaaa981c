"""Who a site says it belongs to: schema.org organisations, metas and the web app manifest."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from webquarry.content.brand.brand_page import BrandPage
from webquarry.content.html.dom import Element, text_of
from webquarry.content.html.json_ld import Node, as_list, as_node, blocks_of, nodes_of, types_of
from webquarry.content.ranking.known_sites import host_of, registrable_domain

_ORGANISATION = re.compile(
    r".*(?:Organization|Business|Corporation|Store|Agency|NGO|Airline|Consortium|Restaurant"
    r"|Hotel|Bank\w*|Cooperative|Hospital|University|School|Library\w*|Museum)"
)
_ITEM = re.compile(r"https?://schema\.org/(\w+)")


@dataclass(frozen=True)
class Organisation:
    """The owner of a site in its own structured data."""

    values: dict[str, str]  # of `identity`
    logo: dict[str, Any] | None = None  # url, width, height
    same_as: tuple[str, ...] = ()


def organisation_of(page: BrandPage) -> Organisation | None:
    """Return the organisation the page names as its owner; None if there is none, or several."""
    nodes = nodes_of(blocks_of(page.root))
    owners = [node for node in nodes if _is_organisation(node)]
    publishers = [as_node(n.get("publisher")) for n in nodes if "WebSite" in types_of(n)]
    owners += [node for node in publishers if _is_organisation(node)]
    owners += [node for node in _items(page.root) if _is_organisation(node)]
    own = [node for node in owners if _is_of(node, page)]
    chosen = own or owners
    names = {_text(node.get("name")) for node in chosen}
    if not chosen or len(names) > 1:
        return None
    return _organisation({k: v for node in reversed(chosen) for k, v in node.items()}, page)


def identity_of(page: BrandPage, owner: Organisation | None) -> dict[str, str]:
    """Return what the homepage says of its owner."""
    found = dict(owner.values) if owner else {}
    name = page.meta("og:site_name", "application-name", "apple-mobile-web-app-title")
    description = page.meta("og:description", "description", "twitter:description")
    for key, value in (("name", name), ("description", description)):
        if value:
            found.setdefault(key, value)
    return found


def _organisation(node: Node, page: BrandPage) -> Organisation:
    stated = {
        "name": _text(node.get("name")),
        "tagline": _text(node.get("slogan")),
        "description": _text(node.get("description")),
        "industry": _text(node.get("industry")),
        "founded": _text(node.get("foundingDate")),
        "location": _place(node.get("address")) or _place(node.get("location")),
    }
    same_as = [_text(each) for each in as_list(node.get("sameAs"))]
    return Organisation(
        values={key: value for key, value in stated.items() if value},
        logo=_logo(node.get("logo"), page),
        same_as=tuple(filter(None, same_as)),
    )


def _is_organisation(node: Node) -> bool:
    return any(map(_ORGANISATION.fullmatch, types_of(node)))


def _is_of(node: Node, page: BrandPage) -> bool:
    host = host_of(page.url)
    stated = host_of(_text(node.get("url")) or "")
    return bool(stated) and (
        stated == host or registrable_domain(stated) == (registrable_domain(host) or host)
    )


def _text(value: Any) -> str | None:
    """Return the first words of a value, whatever it is wrapped in."""
    for each in as_list(value):
        words: Any = as_node(each).get("@value", as_node(each).get("name", each))
        if isinstance(words, (str, int)) and str(words).strip():
            return " ".join(str(words).split())
    return None


def _place(value: Any) -> str | None:
    places = as_list(value)
    if len(places) != 1:
        return None  # several offices, and nothing says which is the seat
    if isinstance(places[0], str):
        return " ".join(places[0].split()) or None
    node = as_node(as_node(places[0]).get("address", places[0]))
    keys = ("addressLocality", "addressRegion", "addressCountry")
    parts = [_text(node.get(key)) for key in keys]
    return ", ".join(dict.fromkeys(filter(None, parts))) or None


def _logo(value: Any, page: BrandPage) -> dict[str, Any] | None:
    for each in as_list(value):
        node = as_node(each)
        address = each if isinstance(each, str) else node.get("url") or node.get("contentUrl")
        if url := page.absolute(_text(address)):
            sizes = {key: _number(node.get(key)) for key in ("width", "height")}
            return {"url": url, **{key: size for key, size in sizes.items() if size}}
    return None


def _number(value: Any) -> int | None:
    text = (_text(as_node(value).get("value", value)) or "").removesuffix("px").strip()
    return int(text) if text.isdecimal() else None


def _items(root: Element) -> Iterator[Node]:
    """Yield microdata items as far as an organisation needs them."""
    for item in root.iterfind(".//*[@itemtype]"):
        kind = _ITEM.match((item.get("itemtype") or "").strip())
        if kind is None or item.get("itemprop"):
            continue
        node: Node = {"@type": kind[1]}
        for part in item.iterfind(".//*[@itemprop]"):
            value = part.get("content") or part.get("href") or part.get("src") or text_of(part)
            for name in (part.get("itemprop") or "").split():
                if name == "sameAs":
                    node[name] = [*as_list(node.get(name)), value]
                else:
                    node.setdefault(name, value)
        yield node
