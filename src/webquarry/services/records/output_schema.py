"""Describes results in few words: a listing is paid for in every conversation."""

from typing import Any

from webquarry.models.model import Model
from webquarry.models.records import RecordsOut


def brief_schema(out: type[RecordsOut], records: str, record: type[Model]) -> dict[str, Any]:
    """Return an output schema that names the fields of a record in one line of text."""
    named = {"type": "array", "description": ", ".join(record.model_fields)}
    others = [name for name in out.model_fields if name not in {records, *_LEFT_OUT}]
    return {
        "type": "object",
        "properties": {name: {} for name in others} | {records: named},
        "required": [records],
    }


_LEFT_OUT = frozenset(
    {"query", "provider", "seriesId", "country", "resultCount"}
)  # no news to a caller
