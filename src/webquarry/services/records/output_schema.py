"""Short output schemas: the list of tools costs tokens in every conversation."""

from typing import Any

from webquarry.models.model import Model
from webquarry.models.records import RecordsOut


def brief_schema(out: type[RecordsOut], records: str, record: type[Model]) -> dict[str, Any]:
    """Return an output schema that lists the fields of a record in one line of text."""
    described = {"type": "array", "description": ", ".join(record.model_fields)}
    others = [name for name in out.model_fields if name not in {records, *_OMITTED}]
    return {
        "type": "object",
        "properties": {name: {} for name in others} | {records: described},
        "required": [records],
    }


# fields that a caller knows from its own request
_OMITTED = frozenset({"query", "provider", "seriesId", "country", "resultCount"})
