"""Compact JSON Schemas of pydantic models: every byte costs the caller's context."""

from collections.abc import Callable
from typing import Any, cast

from pydantic import BaseModel
from pydantic.errors import PydanticInvalidForJsonSchema, PydanticUserError

Json = dict[str, Any]


class SchemaError(TypeError):
    """A field of a tool's model cannot be expressed in JSON Schema."""


def input_schema(model: type[BaseModel]) -> Json:
    """Return the schema of the arguments; unknown ones are rejected."""
    schema = _compact(_derive(model, mode="validation"))
    _walk(schema, _drop_unportable)
    schema.setdefault("properties", {})
    return schema


def output_schema(model: type[BaseModel]) -> Json:
    """Return the schema of the result."""
    schema = _compact(_derive(model, mode="serialization"))
    _walk(schema, lambda node: node.pop("additionalProperties", None))
    return schema


def without_required(schema: Json) -> Json:
    """Return the schema of a result that a link or a part may replace."""
    return {name: value for name, value in schema.items() if name != "required"}


def names_schema(*names: str, **rows: str) -> Json:
    """Return a schema that only names fields of a result; `rows` describes lists, put first."""
    described = {name: {"type": "array", "description": text} for name, text in rows.items()}
    return {"type": "object", "properties": {**described, **{name: {} for name in names}}}


def typed_schema(**fields: str | tuple[str, ...] | Json) -> Json:
    """Return a schema of some fields of a result: a type, values, or the schema of its rows."""
    return {"type": "object", "properties": {n: _typed(kind) for n, kind in fields.items()}}


def _typed(kind: str | tuple[str, ...] | Json) -> Json:
    if isinstance(kind, str):
        return {"type": kind}
    return {"enum": list(kind)} if isinstance(kind, tuple) else {"type": "array", "items": kind}


def _derive(model: type[BaseModel], *, mode: Any) -> Json:
    try:
        return model.model_json_schema(mode=mode)
    except (PydanticInvalidForJsonSchema, PydanticUserError) as exc:
        raise SchemaError(
            f"{model.__name__} has a field JSON Schema cannot express: {exc}"
        ) from exc


def _compact(schema: Json) -> Json:
    _walk(schema, _drop_noise)
    _walk(schema, _unwrap_optional)
    _inline_single_use(schema)
    schema.pop("description", None)  # a model without fields keeps its docstring here
    return schema


def _drop_noise(node: Json) -> None:
    if isinstance(node.get("title"), str):
        del node["title"]
    if "default" in node and node["default"] in (None, [], {}):
        del node["default"]
    if "properties" in node:
        node.pop("description", None)  # a model's docstring is for developers


def _drop_unportable(node: Json) -> None:
    """Drop what OpenAI's strict mode or Gemini refuse; it is checked all the same."""
    for name in ("minLength", "maxLength", "format"):
        node.pop(name, None)


def _unwrap_optional(node: Json) -> None:
    """Replace `X | None` by X: a missing field and null mean the same."""
    options = node.get("anyOf")
    if not isinstance(options, list):
        return
    remaining = [o for o in cast("list[Json]", options) if o != {"type": "null"}]
    if len(remaining) == 1:
        del node["anyOf"]
        node.update(remaining[0] | node)
    else:
        node["anyOf"] = remaining


def _inline_single_use(schema: Json) -> None:
    """Inline definitions that are used once, which is shorter."""
    definitions: Json = schema.get("$defs", {})
    uses: dict[str, list[Json]] = {name: [] for name in definitions}

    def collect(node: Json) -> None:
        name = str(node.get("$ref", "")).removeprefix("#/$defs/")
        if name in uses:
            uses[name].append(node)

    _walk(schema, collect)
    for name, references in uses.items():
        if len(references) == 1 and not _refers_to(definitions[name], name):
            reference = references[0]
            del reference["$ref"]
            reference.update(definitions.pop(name) | reference)
    if not definitions:
        schema.pop("$defs", None)


def _refers_to(node: Json, name: str) -> bool:
    references: list[Json] = []
    _walk(node, lambda n: references.append(n) if n.get("$ref") == f"#/$defs/{name}" else None)
    return bool(references)


def _walk(node: Any, visit: Callable[[Json], object]) -> None:
    """Call `visit` on every schema in `node`, but not on maps of property names."""
    if isinstance(node, list):
        for item in cast("list[Any]", node):
            _walk(item, visit)
    elif isinstance(node, dict):
        schema = cast("Json", node)
        visit(schema)
        for key, value in list(schema.items()):
            if key in {"properties", "$defs"} and isinstance(value, dict):
                _walk(list(cast("Json", value).values()), visit)
            elif key not in {"default", "examples", "enum", "const"}:
                _walk(value, visit)
