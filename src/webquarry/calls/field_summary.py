"""A result shortened field by field, for tools that have no summary of their own."""

from typing import Any, cast

from webquarry.calls.tool_schema import Json
from webquarry.content.text.token_count import compact_json, cut_text, json_size

_MAX_SCALAR = 200  # bytes of a value that is shown whole


def field_summary(body: Json, room: int) -> str:
    """Return short fields whole and the starts of long ones, within `room` bytes of JSON."""
    short = {name: value for name, value in body.items() if json_size(value) <= _MAX_SCALAR}
    lines = [f"{name}: {_shown(value)}" for name, value in short.items()]
    long = [(name, value) for name, value in body.items() if name not in short]
    left = room - json_size("\n".join(lines))
    for position, (name, value) in enumerate(long):
        line = f"{name} ({_measure(value)}): "
        share = left // (len(long) - position) - json_size(line) - 2
        line += cut_text(_shown(value), share)
        lines.append(line)
        left -= json_size(line)
    return cut_text("\n".join(lines), room)


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else compact_json(value)


def _measure(value: Any) -> str:
    if isinstance(value, str):
        return f"{len(value)} characters"
    return f"{len(cast('list[Any]', value))} items"
