"""Schemas in two lengths: brief where every word costs context, whole where programs read them."""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from pydantic import BaseModel, GetJsonSchemaHandler
from pydantic_core import CoreSchema

_whole: ContextVar[bool] = ContextVar("whole_schemas", default=False)


class Brief:
    """Stands for the schema of a field, in few words, unless whole schemas are asked for."""

    def __init__(self, **schema: Any) -> None:
        self._schema = schema

    def __get_pydantic_json_schema__(
        self, core: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return dict(handler(core)) if _whole.get() else dict(self._schema)


@contextmanager
def whole_schemas() -> Generator[None]:
    """Within it, the schemas that are derived leave nothing out."""
    token = _whole.set(True)
    try:
        yield
    finally:
        _whole.reset(token)


def names_of(model: type[BaseModel], **told: str) -> dict[str, Any]:
    """Describe a result by the names of its fields, with a word about those that need one."""
    fields = {field.alias or name for name, field in model.model_fields.items()}
    if odd := told.keys() - fields:
        raise TypeError(f"{model.__name__} has no field {sorted(odd)}")
    named = [field.alias or name for name, field in model.model_fields.items()]
    words = {name: {"description": told[name]} if name in told else {} for name in named}
    return {"type": "object", "properties": words}
