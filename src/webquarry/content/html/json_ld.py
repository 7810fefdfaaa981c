"""JSON-LD: the statements of a page, its graph laid out flat."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, cast

from webquarry.content.html.dom import Element

MAX_BLOCKS = 16
MAX_BLOCK = 32 * 1024
MAX_TOTAL = 64 * 1024
_MAX_SOURCE = 1024 * 1024
_MAX_NODES = 500
_TRAILING = re.compile(r",\s*([}\]])")
_WRAPPING = re.compile(
    r"^\s*(?:<!--|//\s*<!\[CDATA\[|<!\[CDATA\[)|(?:-->|//\s*\]\]>|\]\]>)\s*;?\s*$"
)
_CONTROL = re.compile(r"[\x00-\x1f]")

Node = dict[str, Any]


def as_node(value: Any) -> Node:
    """Return the value if it is an object, else an empty one."""
    return cast("Node", value) if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """Return a list as it is, and anything else but null as a list of one."""
    if isinstance(value, list):
        return cast("list[Any]", value)
    return [] if value is None else [value]


def blocks_of(root: Element) -> list[Any]:
    """Return the parsed JSON-LD blocks of the page; broken ones are mended or left out."""
    return blocks_in(root.iter("script"))


def blocks_in(scripts: Iterable[Element]) -> list[Any]:
    """Return the parsed JSON-LD blocks among these scripts."""
    found: list[Any] = []
    for script in scripts:
        kind = (script.get("type") or "").split(";")[0].strip().lower()
        source = script.text
        if kind == "application/ld+json" and source and len(source) <= _MAX_SOURCE:
            value = _parsed(source)
            if isinstance(value, (dict, list)):
                found.append(value)
    return found


def bounded(blocks: list[Any]) -> tuple[Any, ...]:
    """Return as many blocks, whole, as fit the size limits."""
    kept: list[Any] = []
    total = 0
    for block in blocks:
        size = len(
            json.dumps(block, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
        )
        if size <= MAX_BLOCK and total + size <= MAX_TOTAL and len(kept) < MAX_BLOCKS:
            kept.append(block)
            total += size
    return tuple(kept)


def nodes_of(blocks: list[Any]) -> list[Node]:
    """Return every typed object, top level first, with references to other objects resolved."""
    found = [node for _, node in zip(range(_MAX_NODES), _walk(blocks), strict=False)]
    by_id = {
        node["@id"]: node for node in found if isinstance(node.get("@id"), str) and len(node) > 1
    }
    return [{key: _resolved(value, by_id) for key, value in node.items()} for node in found]


def types_of(node: Node) -> tuple[str, ...]:
    """Return the schema.org types of an object without any prefix."""
    listed = as_list(node.get("@type"))
    return tuple(
        kind.rpartition("/")[2].rpartition(":")[2] for kind in listed if isinstance(kind, str)
    )


def _parsed(source: str) -> Any:
    text = _WRAPPING.sub("", _WRAPPING.sub("", source)).strip().rstrip(";")
    for attempt in (text, _TRAILING.sub(r"\1", _CONTROL.sub(" ", text))):
        try:
            return json.loads(attempt, strict=False)
        except (ValueError, RecursionError):
            continue
    return None


def _walk(value: Any, level: int = 0) -> Iterator[Node]:
    """Yield the objects at the top, in lists, in graphs and as main entity."""
    if level > 8:
        return
    for item in as_list(value):
        if isinstance(item, list):
            yield from _walk(item, level + 1)
        node = as_node(item)
        if "@type" in node or "@id" in node:
            yield node
        for key in ("@graph", "mainEntity", "mainEntityOfPage"):
            yield from _walk(node.get(key), level + 1)


def _resolved(value: Any, by_id: dict[str, Node]) -> Any:
    if isinstance(value, list):
        return [_resolved(item, by_id) for item in as_list(value)]
    node = as_node(value)
    return by_id.get(str(node["@id"]), node) if set(node) == {"@id"} else value
