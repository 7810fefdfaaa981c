"""JSON schemas in two lengths: short for models, full for programs."""

import json
from collections.abc import Collection, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, GetJsonSchemaHandler, WithJsonSchema
from pydantic_core import CoreSchema, PydanticOmit

_full: ContextVar[bool] = ContextVar("whole_schemas", default=False)


class ShortSchema:
    """Replaces the schema of a field with a short one, unless full schemas are requested."""

    def __init__(self, **schema: Any) -> None:
        self._schema = schema

    def __get_pydantic_json_schema__(
        self, core: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return dict(handler(core)) if _full.get() else dict(self._schema)


class FullSchemaOnly:
    """Leaves a field out of short schemas: programs use it, models rarely need it."""

    def __get_pydantic_json_schema__(
        self, core: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        if not _full.get():
            raise PydanticOmit
        return dict(handler(core))


def objects_schema(*names: str, required: tuple[str, ...] = ()) -> WithJsonSchema:
    """Return the schema of a list of objects with these text fields."""
    item: dict[str, Any] = {
        "type": "object",
        "additionalProperties": False,  # OpenAI strict needs it
        "properties": {name: {"type": "string"} for name in names},
    }
    if required:
        item["required"] = list(required)
    return WithJsonSchema({"type": "array", "items": item})


def _parsed(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError as exc:
        raise ValueError(f"must be a JSON Schema, as an object or as JSON text: {exc}") from None


# models whose API knows no free-form objects send the JSON Schema as text
JsonSchemaArgument = Annotated[
    dict[str, Any],
    BeforeValidator(_parsed),
    # Gemini refuses objects without properties
    ShortSchema(type="object", additionalProperties=True, properties={"type": {"type": "string"}}),
]


@contextmanager
def full_schemas() -> Generator[None]:
    """Derive full schemas inside the block."""
    token = _full.set(True)
    try:
        yield
    finally:
        _full.reset(token)


def field_names_schema(
    model: type[BaseModel], *, unnamed: Collection[str] = (), **descriptions: str
) -> dict[str, Any]:
    """Describe a result by the names of its fields, some with a description.

    `unnamed` fields are left out: those that only a caller who asked for them gets.
    """
    fields = {field.alias or name for name, field in model.model_fields.items()}
    if unknown := descriptions.keys() - fields:
        raise TypeError(f"{model.__name__} has no field {sorted(unknown)}")
    named = [
        field.alias or name for name, field in model.model_fields.items() if name not in unnamed
    ]
    properties = {
        name: {"description": descriptions[name]} if name in descriptions else {} for name in named
    }
    return {"type": "object", "properties": properties}
