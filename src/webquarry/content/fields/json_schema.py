"""The part of JSON Schema that can be asked for, and whether a value agrees with it."""

from collections.abc import Iterator, Mapping
from typing import Any, cast

from webquarry.content.fields.selectors import check_selector
from webquarry.content.html.json_ld import as_list, as_node
from webquarry.content.text.word_list import words
from webquarry.errors import BadInputError

Json = dict[str, Any]
_TYPES = frozenset(("object", "array", "string", "number", "integer", "boolean"))
_NOTES = frozenset(
    words(
        "$schema $id $comment title description default examples deprecated readOnly "
        "writeOnly additionalProperties required $defs definitions x-selector nullable "
        "uniqueItems propertyOrdering"
    )
)
_CHECKED = frozenset(
    words(
        "type properties items enum const format pattern minLength maxLength minimum "
        "maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems"
    )
)
_BOUNDS = words(
    "minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems "
    "maxItems"
)
_MOST_FIELDS = 200
_MOST_LEVELS = 8
_MOST_PATTERN = 200


def plain_schema(schema: Json) -> Json:
    """Return the schema with its references resolved; raise for what it cannot ask for."""
    count = [0]
    return _plain(schema, schema, "schema", (0, count))


def _plain(schema: Json, root: Json, where: str, depth: tuple[int, list[int]]) -> Json:
    level, count = depth
    count[0] += 1
    if level > _MOST_LEVELS or count[0] > _MOST_FIELDS:
        raise BadInputError(f"{where}: too deep or too large; {_MOST_FIELDS} fields are the most")
    schema = _merged(schema, root, where)
    if odd := sorted(name for name in schema if name not in _NOTES | _CHECKED):
        raise BadInputError(f"{where}: {odd[0]} is not supported; use plain types, enum and format")
    kind, nullable = _type(schema, where)
    found: Json = {**schema, "type": kind, "x-nullable": nullable}
    below = (level + 1, count)
    if kind == "object":
        fields = as_node(schema.get("properties"))
        found["properties"] = {
            name: _plain(as_node(inner), root, f"{where}.{name}", below)
            for name, inner in fields.items()
        }
    if kind == "array":
        items = as_node(schema.get("items")) or {"type": "string"}
        found["items"] = _plain(items, root, f"{where}[]", below)
    if odd := [name for name in _BOUNDS if not _is_number(schema.get(name, 0))]:
        raise BadInputError(f"{where}: {odd[0]} must be a number")
    if "pattern" in schema:
        _pattern(schema["pattern"], where)
    if "x-selector" in schema:
        check_selector(schema["x-selector"])
    return found


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _merged(schema: Json, root: Json, where: str) -> Json:
    for _ in range(_MOST_LEVELS):
        if "$ref" in schema:
            rest = {name: value for name, value in schema.items() if name != "$ref"}
            schema = {**_referred(str(schema["$ref"]), root, where), **rest}
        elif "anyOf" in schema or "oneOf" in schema:
            schema = _one_of(schema, where)
        else:
            return schema
    raise BadInputError(f"{where}: its references go in circles")


def _referred(reference: str, root: Json, where: str) -> Json:
    found: Any = root
    for part in reference.removeprefix("#/").split("/"):
        found = as_node(found).get(part.replace("~1", "/").replace("~0", "~"))
    if not reference.startswith("#/") or not isinstance(found, dict):
        raise BadInputError(f"{where}: no {reference!r} in the schema")
    return as_node(found)


def _one_of(schema: Json, where: str) -> Json:
    name = "anyOf" if "anyOf" in schema else "oneOf"
    real = [as_node(one) for one in as_list(schema[name]) if as_node(one).get("type") != "null"]
    if len(real) != 1:
        raise BadInputError(f"{where}: {name} of several types is not supported; choose one")
    rest = {key: value for key, value in schema.items() if key != name}
    return {**real[0], **rest, "nullable": True}


def _type(schema: Json, where: str) -> tuple[str, bool]:
    kinds = [str(kind) for kind in as_list(schema.get("type")) if kind != "null"]
    nullable = "null" in as_list(schema.get("type")) or schema.get("nullable") is True
    if not kinds:
        guess = "object" if "properties" in schema else "array" if "items" in schema else "string"
        kinds = [guess]
    if len(kinds) != 1 or kinds[0] not in _TYPES:
        raise BadInputError(f"{where}: type must be one of {', '.join(sorted(_TYPES))}")
    return kinds[0], nullable


def _pattern(pattern: Any, where: str) -> None:
    if not isinstance(pattern, str) or len(pattern) > _MOST_PATTERN or _matcher(pattern) is None:
        raise BadInputError(f"{where}: the pattern is not a plain regular expression")


def _matcher(pattern: str) -> Any:
    # this engine takes linear time, whatever pattern a caller sends
    from pydantic_core import SchemaError, SchemaValidator, core_schema

    try:
        return SchemaValidator(core_schema.str_schema(pattern=pattern))
    except SchemaError:
        return None


def complaint(value: Any, schema: Mapping[str, Any]) -> str:
    """Return why a value does not agree with its schema; "" when it does."""
    return next(_complaints(value, schema), "")


def _complaints(value: Any, schema: Mapping[str, Any]) -> Iterator[str]:
    options = schema.get("enum")
    if options is not None and value not in as_list(options):
        yield "is none of the values the schema lists"
    if "const" in schema and value != schema["const"]:
        yield "is not the value the schema demands"
    if isinstance(value, str):
        yield from _of_text(value, schema)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield from _of_number(value, schema)
    elif isinstance(value, list):
        size = len(cast("list[Any]", value))
        if not schema.get("minItems", 0) <= size <= schema.get("maxItems", size):
            yield f"has {size} items, more or fewer than the schema allows"


def _of_text(value: str, schema: Mapping[str, Any]) -> Iterator[str]:
    if not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value)):
        yield "is longer or shorter than the schema allows"
    if "pattern" in schema:
        from pydantic_core import ValidationError

        try:
            _matcher(schema["pattern"]).validate_python(value)
        except ValidationError:
            yield "does not match the pattern of the schema"


def _of_number(value: float, schema: Mapping[str, Any]) -> Iterator[str]:
    low, high = schema.get("minimum", value), schema.get("maximum", value)
    above = schema.get("exclusiveMinimum", value - 1)
    below = schema.get("exclusiveMaximum", value + 1)
    if not (low <= value <= high and above < value < below):
        yield "is outside the range the schema allows"
    step = schema.get("multipleOf")
    if step and abs(value / step - round(value / step)) > 1e-9:
        yield f"is not a multiple of {step}"


def nullable(schema: Json) -> Json:
    """Return the schema that results agree with: what a page does not tell is null."""
    found = {name: value for name, value in schema.items() if name != "x-nullable"}
    if "properties" in found:
        found["properties"] = {n: nullable(inner) for n, inner in found["properties"].items()}
    if "items" in found:
        found["items"] = nullable(found["items"])
    if isinstance(found.get("enum"), list) and None not in found["enum"]:
        found["enum"] = [*found["enum"], None]
    return {**found, "type": [found["type"], "null"]}
