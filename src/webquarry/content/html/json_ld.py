"""JSON-LD of a page: parsing, repair, size limits, and its graph as a flat list of objects."""

import json
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, cast

from webquarry.content.html.dom import Element

MAX_BLOCKS = 16
MAX_BLOCK_BYTES = 32 * 1024
MAX_TOTAL_BYTES = 64 * 1024
_MAX_SOURCE = 1024 * 1024
_MAX_NODES = 500
_MAX_DEPTH = 8
_TRAILING_COMMA = re.compile(r",\s*([}\]])")
_COMMENT_WRAPPER = re.compile(
    r"^\s*(?:<!--|//\s*<!\[CDATA\[|<!\[CDATA\[)|(?:-->|//\s*\]\]>|\]\]>)\s*+;?\s*$"
)
_CONTROLS = re.compile(r"[\x00-\x1f]")

Node = dict[str, Any]


def as_node(value: Any) -> Node:
    """Return the value if it is an object, else an empty one."""
    return cast("Node", value) if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """Return a list as it is, and anything else but null as a list of one."""
    if isinstance(value, list):
        return cast("list[Any]", value)
    return [] if value is None else [value]


def json_ld_blocks(scripts: Iterable[Element]) -> list[Any]:
    """Return the parsed JSON-LD blocks among these scripts, broken ones repaired if possible."""
    blocks: list[Any] = []
    for script in scripts:
        kind = (script.get("type") or "").split(";")[0].strip().lower()
        source = script.text
        if kind == "application/ld+json" and source and len(source) <= _MAX_SOURCE:
            value = _parsed(source)
            if isinstance(value, (dict, list)):
                blocks.append(value)
    return blocks


def within_size_limits(blocks: list[Any]) -> tuple[Any, ...]:
    """Return the blocks that fit the size limits; none is cut."""
    kept: list[Any] = []
    total = 0
    for block in blocks:
        text = json.dumps(block, ensure_ascii=False, separators=(",", ":"))
        size = len(text.encode("utf-8", "replace"))
        fits = size <= MAX_BLOCK_BYTES and total + size <= MAX_TOTAL_BYTES
        if fits and len(kept) < MAX_BLOCKS:
            kept.append(block)
            total += size
    return tuple(kept)


def json_ld_nodes(blocks: list[Any]) -> list[Node]:
    """Return every typed object, top level first, with references to other objects resolved."""
    nodes = list(islice(_walk(blocks), _MAX_NODES))
    by_id = {
        node["@id"]: node for node in nodes if isinstance(node.get("@id"), str) and len(node) > 1
    }
    return [{key: _resolved(value, by_id) for key, value in node.items()} for node in nodes]


def types_of(node: Node) -> tuple[str, ...]:
    """Return the schema.org types of an object without any prefix."""
    types = as_list(node.get("@type"))
    return tuple(
        name.rpartition("/")[2].rpartition(":")[2] for name in types if isinstance(name, str)
    )


def _parsed(source: str) -> Any:
    text = _COMMENT_WRAPPER.sub("", _COMMENT_WRAPPER.sub("", source)).strip().rstrip(";")
    value = _loads(text)
    return _loads(_TRAILING_COMMA.sub(r"\1", _CONTROLS.sub(" ", text))) if value is None else value


def _loads(text: str) -> Any:
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None


def _walk(value: Any, level: int = 0) -> Iterator[Node]:
    """Yield the objects at the top, in lists, in graphs and as main entity."""
    if level > _MAX_DEPTH:
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
