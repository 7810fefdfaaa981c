"""Puts together what the page states and what a model read from it."""

from typing import Any

from webquarry.content.fields.fill import FilledSchema
from webquarry.content.html.json_ld import as_node

# what the page states for machines, or the caller pointed at, needs no reader
_EXACT = frozenset(("selector", "json-ld", "microdata"))


def merged(schema: dict[str, Any], ruled: FilledSchema, told: FilledSchema) -> FilledSchema:
    """Return the exact values, then those of the model that hold, then the others we found."""
    joined = FilledSchema()
    joined.data = _value(schema, ruled, told, ("", ruled.data, told.data), joined)
    return joined


def _value(
    schema: dict[str, Any],
    ruled: FilledSchema,
    told: FilledSchema,
    at: tuple[str, Any, Any],
    joined: FilledSchema,
) -> Any:
    pointer, ours, theirs = at
    if schema["type"] == "object" and "x-selector" not in schema:
        found: dict[str, Any] = {}
        for name, inner in schema["properties"].items():
            below = f"{pointer}/{name.replace('~', '~0').replace('/', '~1')}"
            place = (below, as_node(ours).get(name), as_node(theirs).get(name))
            found[name] = _value(inner, ruled, told, place, joined)
        return found
    chosen, value = _chosen(pointer, ruled, told, (ours, theirs))
    joined.sources.update(_below(pointer, chosen.sources))
    joined.missing.update(_below(pointer, chosen.missing))
    return value


def _chosen(
    pointer: str, ruled: FilledSchema, told: FilledSchema, values: tuple[Any, Any]
) -> tuple[FilledSchema, Any]:
    ours, theirs = values
    sources = _below(pointer, ruled.sources).values()
    exact = any(one.method in _EXACT for one in sources) or "matches nothing" in ruled.missing.get(
        pointer, ""
    )
    if exact or (theirs is None and ours is not None):
        return ruled, ours
    return told, theirs


def _below(pointer: str, table: dict[str, Any]) -> dict[str, Any]:
    return {
        key: value
        for key, value in table.items()
        if key == pointer or key.startswith(f"{pointer}/")
    }
