"""Small JSON Schemas from pydantic models: what a model needs to read, nothing more."""

from collections.abc import Callable
from typing import Any, cast

from pydantic import BaseModel
from pydantic.errors import PydanticInvalidForJsonSchema, PydanticUserError

Json = dict[str, Any]


class SchemaError(TypeError):
    """A field of a tool's model cannot be expressed in JSON Schema."""


def input_schema(model: type[BaseModel]) -> Json:
    """Describe the arguments: unknown ones are refused, those without default required."""
    schema = _compact(_derive(model, mode="validation"))
    schema.setdefault("properties", {})
    return schema


def output_schema(model: type[BaseModel], *, may_be_linked: bool = False) -> Json:
    """Describe the result; one that may be replaced by a link promises no field."""
    schema = _compact(_derive(model, mode="serialization"))
    _walk(schema, lambda node: node.pop("additionalProperties", None))
    if may_be_linked:
        schema.pop("required", None)
    return schema


def names_schema(*names: str) -> Json:
    """Describe a result by the names of its fields, where these say enough; those worth knowing."""
    return {"type": "object", "properties": {name: {} for name in names}}


def _derive(model: type[BaseModel], *, mode: Any) -> Json:
    try:
        return model.model_json_schema(mode=mode)
    except (PydanticInvalidForJsonSchema, PydanticUserError) as exc:
        raise SchemaError(f"{model.__name__} has a field JSON cannot carry: {exc}") from exc


def _compact(schema: Json) -> Json:
    _walk(schema, _drop_noise)
    _walk(schema, _unwrap_optional)
    _inline_single_use(schema)
    schema.pop("description", None)  # of a model without fields
    return schema


def _drop_noise(node: Json) -> None:
    if isinstance(node.get("title"), str):
        del node["title"]
    if "default" in node and node["default"] in (None, [], {}):
        del node["default"]
    if "properties" in node:
        node.pop("description", None)  # a model's docstring speaks to us, not to callers


def _unwrap_optional(node: Json) -> None:
    """`X | None` reads as X: an absent field and null mean the same to us."""
    options = node.get("anyOf")
    if not isinstance(options, list):
        return
    kept = [o for o in cast("list[Json]", options) if o != {"type": "null"}]
    if len(kept) == 1:
        del node["anyOf"]
        node.update(kept[0] | node)
    else:
        node["anyOf"] = kept


def _inline_single_use(schema: Json) -> None:
    """Put a definition used once where it is used; a name for it would only cost bytes."""
    definitions: Json = schema.get("$defs", {})
    uses: dict[str, list[Json]] = {name: [] for name in definitions}

    def note(node: Json) -> None:
        name = str(node.get("$ref", "")).removeprefix("#/$defs/")
        if name in uses:
            uses[name].append(node)

    _walk(schema, note)
    for name, places in uses.items():
        if len(places) == 1 and not _mentions(definitions[name], name):
            place = places[0]
            del place["$ref"]
            place.update(definitions.pop(name) | place)
    if not definitions:
        schema.pop("$defs", None)


def _mentions(node: Json, name: str) -> bool:
    found: list[Json] = []
    _walk(node, lambda n: found.append(n) if n.get("$ref") == f"#/$defs/{name}" else None)
    return bool(found)


def _walk(node: Any, visit: Callable[[Json], object]) -> None:
    """Call `visit` on every schema below `node`, never on a map of property names."""
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
