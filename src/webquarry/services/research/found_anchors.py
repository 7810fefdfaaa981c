"""Finds the anchors in the result of any tool."""

from collections.abc import Iterator
from typing import Any, cast

from webquarry.models.research import Anchor


def anchors_in(value: Any) -> Iterator[Anchor]:
    """Yield every anchor in JSON data, at any depth."""
    waiting = [value]
    while waiting:
        current = waiting.pop()
        if isinstance(current, list):
            waiting.extend(reversed(cast("list[Any]", current)))
        elif isinstance(current, dict):
            fields = cast("dict[str, Any]", current)
            if {"url", "quote", "sha256"} <= fields.keys():
                yield Anchor(**{name: str(fields[name]) for name in Anchor.model_fields})
            else:
                waiting.extend(reversed(list(fields.values())))
