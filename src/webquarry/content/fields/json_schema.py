"""The supported subset of JSON Schema, and validation of values against it."""

from collections.abc import Iterator, Mapping
from typing import Any

from webquarry.content.fields.selectors import check_selector
from webquarry.content.html.json_ld import as_list, as_node
from webquarry.content.text.word_list import word_set, words
from webquarry.errors import BadInputError

Json = dict[str, Any]
_TYPES = frozenset(("object", "array", "string", "number", "integer", "boolean"))
_ANNOTATIONS = word_set(
    "$schema $id $comment title description default examples deprecated readOnly "
    "writeOnly additionalProperties required $defs definitions x-selector nullable "
    "uniqueItems propertyOrdering"
)
_CONSTRAINTS = word_set(
    "type properties items enum const format pattern minLength maxLength minimum "
    "maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems"
)
_BOUNDS = words(
    "minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems "
    "maxItems"
)
_EXTENSIONS = ("x-selector", "x-nullable", "nullable")  # not part of JSON Schema
_MAX_FIELDS = 200
_MAX_LEVELS = 8
_MAX_PATTERN_CHARS = 200


def resolve_schema(schema: Json) -> Json:
    """Return the schema with its references resolved; raise for an unsupported one."""
    return _SchemaResolver(schema).resolve(schema, "schema", 0)


class _SchemaResolver:
    def __init__(self, root: Json) -> None:
        self._root = root
        self._count = 0

    def resolve(self, schema: Json, where: str, level: int) -> Json:
        self._count += 1
        if level > _MAX_LEVELS or self._count > _MAX_FIELDS:
            raise BadInputError(
                f"{where}: too many fields or levels; "
                f"the limits are {_MAX_FIELDS} fields and {_MAX_LEVELS} levels"
            )
        schema = _without_references(schema, self._root, where)
        _check_keywords(schema, where)
        kind, nullable = _type(schema, where)
        resolved: Json = {**schema, "type": kind, "x-nullable": nullable}
        if kind == "object":
            resolved["properties"] = {
                name: self.resolve(as_node(inner), f"{where}.{name}", level + 1)
                for name, inner in as_node(schema.get("properties")).items()
            }
        if kind == "array":
            items = as_node(schema.get("items")) or {"type": "string"}
            resolved["items"] = self.resolve(items, f"{where}[]", level + 1)
        return resolved


def _check_keywords(schema: Json, where: str) -> None:
    unknown = sorted(name for name in schema if name not in _ANNOTATIONS | _CONSTRAINTS)
    if unknown:
        raise BadInputError(
            f"{where}: {unknown[0]} is not supported; use plain types, enum and format"
        )
    if invalid := [name for name in _BOUNDS if not _is_number(schema.get(name, 0))]:
        raise BadInputError(f"{where}: {invalid[0]} must be a number")
    if "pattern" in schema:
        _check_pattern(schema["pattern"], where)
    if "x-selector" in schema:
        check_selector(schema["x-selector"])


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _without_references(schema: Json, root: Json, where: str) -> Json:
    for _ in range(_MAX_LEVELS):
        if "$ref" in schema:
            rest = {name: value for name, value in schema.items() if name != "$ref"}
            schema = {**_referenced(str(schema["$ref"]), root, where), **rest}
        elif "anyOf" in schema or "oneOf" in schema:
            schema = _without_null_option(schema, where)
        else:
            return schema
    raise BadInputError(f"{where}: circular reference")


def _referenced(reference: str, root: Json, where: str) -> Json:
    target: Any = root
    for part in reference.removeprefix("#/").split("/"):
        target = as_node(target).get(part.replace("~1", "/").replace("~0", "~"))
    if not reference.startswith("#/") or not isinstance(target, dict):
        raise BadInputError(f"{where}: {reference!r} is not in the schema")
    return as_node(target)


def _without_null_option(schema: Json, where: str) -> Json:
    name = "anyOf" if "anyOf" in schema else "oneOf"
    options = [as_node(each) for each in as_list(schema[name])]
    options = [option for option in options if option.get("type") != "null"]
    if len(options) != 1:
        raise BadInputError(f"{where}: {name} of several types is not supported; choose one")
    rest = {key: value for key, value in schema.items() if key != name}
    return {**options[0], **rest, "nullable": True}


def _type(schema: Json, where: str) -> tuple[str, bool]:
    """Return the type of a schema, and whether it may be null."""
    declared = as_list(schema.get("type"))
    kinds = [str(kind) for kind in declared if kind != "null"] or [_implied_type(schema)]
    if len(kinds) != 1 or kinds[0] not in _TYPES:
        raise BadInputError(f"{where}: type must be one of {', '.join(sorted(_TYPES))}")
    return kinds[0], "null" in declared or schema.get("nullable") is True


def _implied_type(schema: Json) -> str:
    if "properties" in schema:
        return "object"
    return "array" if "items" in schema else "string"


def _check_pattern(pattern: Any, where: str) -> None:
    if (
        not isinstance(pattern, str)
        or len(pattern) > _MAX_PATTERN_CHARS
        or _pattern_validator(pattern) is None
    ):
        raise BadInputError(f"{where}: the pattern is not a plain regular expression")


def _pattern_validator(pattern: str) -> Any:
    # pydantic's regex engine takes linear time for any pattern
    from pydantic_core import SchemaError, SchemaValidator, core_schema

    try:
        return SchemaValidator(core_schema.str_schema(pattern=pattern))
    except SchemaError:
        return None


def violation(value: Any, schema: Mapping[str, Any]) -> str:
    """Return why a value violates its schema; "" when it does not."""
    return next(_violations(value, schema), "")


def _violations(value: Any, schema: Mapping[str, Any]) -> Iterator[str]:
    options = schema.get("enum")
    if options is not None and value not in as_list(options):
        yield "is none of the values the schema lists"
    if "const" in schema and value != schema["const"]:
        yield "is not the value the schema demands"
    if isinstance(value, str):
        yield from _text_violations(value, schema)
    elif _is_number(value):
        yield from _number_violations(value, schema)
    elif isinstance(value, list):
        size = len(as_list(value))
        if not schema.get("minItems", 0) <= size <= schema.get("maxItems", size):
            yield f"has {size} items, more or fewer than the schema allows"


def _text_violations(value: str, schema: Mapping[str, Any]) -> Iterator[str]:
    if not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value)):
        yield "is longer or shorter than the schema allows"
    if "pattern" in schema:
        from pydantic_core import ValidationError

        try:
            _pattern_validator(schema["pattern"]).validate_python(value)
        except ValidationError:
            yield "does not match the pattern of the schema"


def _number_violations(value: float, schema: Mapping[str, Any]) -> Iterator[str]:
    low, high = schema.get("minimum", value), schema.get("maximum", value)
    above = schema.get("exclusiveMinimum", value - 1)
    below = schema.get("exclusiveMaximum", value + 1)
    if not (low <= value <= high and above < value < below):
        yield "is outside the range the schema allows"
    step = schema.get("multipleOf")
    if step and abs(value / step - round(value / step)) > 1e-9:
        yield f"is not a multiple of {step}"


def nullable(schema: Json) -> Json:
    """Return the plain JSON Schema of results, in which every value may be null."""
    result = {name: value for name, value in schema.items() if name not in _EXTENSIONS}
    if "properties" in result:
        result["properties"] = {n: nullable(inner) for n, inner in result["properties"].items()}
    if "items" in result:
        result["items"] = nullable(result["items"])
    if isinstance(result.get("enum"), list) and None not in result["enum"]:
        result["enum"] = [*result["enum"], None]
    return {**result, "type": [result["type"], "null"]}
