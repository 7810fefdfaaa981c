"""Validates the arguments of a call; the error messages say how to fix them."""

import difflib
import inspect
from functools import cache
from typing import Any, cast, get_args

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from webquarry.calls.tool import AnyTool
from webquarry.content.text.token_count import compact_json
from webquarry.errors import BadInputError
from webquarry.models.model import ArgumentsError, Model

_MESSAGES = {
    "string_type": "must be text",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "list_type": "must be a list",
    "tuple_type": "must be a list",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "literal_error": "must be {expected}",
    "greater_than": "must be more than {gt}",
    "greater_than_equal": "must be at least {ge}",
    "less_than": "must be less than {lt}",
    "less_than_equal": "must be at most {le}",
    "string_too_short": "must have at least {min_length} characters",
    "string_too_long": "must have at most {max_length} characters",
    "too_short": "must have at least {min_length} items",
    "too_long": "must have at most {max_length} items",
}
_MAX_SHOWN = 60  # characters of an invalid value in a message


def parse_arguments(tool: AnyTool, arguments: Any) -> Model:
    """Validate `arguments` against the tool's input model."""
    raw: Any = {} if arguments is None else arguments
    if not isinstance(raw, dict):
        raise BadInputError(f"{tool.name}: arguments must be an object of named values")
    try:
        return tool.input_model.model_validate(
            _given(tool.input_model, cast("dict[str, Any]", raw))
        )
    except ValidationError as exc:
        errors = [dict(error) for error in exc.errors(include_url=False)]
        raise BadInputError(
            f"{tool.name}: {'; '.join(_explain(tool, error) for error in errors)}",
            details={"fields": sorted({name for error in errors for name in _fields(error)})},
        ) from None


def _given(model: type[BaseModel], raw: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments without optional ones that are null or blank.

    OpenAI's strict mode makes every argument required, so models send null for what they omit.
    """
    optional, models = _optional_names(model), _models_by_name(model)
    given = {n: v for n, v in raw.items() if not (n in optional and _is_blank(v))}
    for name in models.keys() & given.keys():
        given[name] = _given_in(models[name], given[name])
    return given


def _given_in(model: type[BaseModel], value: Any) -> Any:
    """Apply `_given` to a value whose type is a model, or a list of models."""
    if isinstance(value, dict):
        return _given(model, cast("dict[str, Any]", value))
    if isinstance(value, list | tuple):
        return [_given_in(model, item) for item in cast("list[Any]", value)]
    return value


@cache
def _optional_names(model: type[BaseModel]) -> frozenset[str]:
    return frozenset(n for n, field in _by_name(model).items() if not field.is_required())


@cache
def _models_by_name(model: type[BaseModel]) -> dict[str, type[BaseModel]]:
    """Return the model of each argument whose type is one, or a list of them."""
    found = {name: _model_in(field.annotation) for name, field in _by_name(model).items()}
    return {name: part for name, part in found.items() if part is not None}


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if inspect.isclass(annotation) and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, map(_model_in, get_args(annotation))), None)


def _is_blank(value: Any) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _fields(error: dict[str, Any]) -> tuple[str, ...]:
    """Return the fields of an error; one about several fields names them itself."""
    cause = error.get("ctx", {}).get("error")
    if not error["loc"] and isinstance(cause, ArgumentsError):
        return cause.fields
    return (_field(error),)


def _field(error: dict[str, Any]) -> str:
    return ".".join(str(part) for part in error["loc"]) or "arguments"


def _explain(tool: AnyTool, error: dict[str, Any]) -> str:
    field = _field(error)
    match error["type"]:
        case "missing":
            return f"{field}: is required"
        case "extra_forbidden":
            return f"{field}: {_unknown(tool, error['loc'])}"
        case "value_error":
            reason = str(error["ctx"]["error"])
            return f"{field}: {reason}" if error["loc"] else reason
        case "string_too_long" as kind:
            return f"{field}: {_message(kind, error)}, got {len(error['input'])}"
        case kind if kind in _MESSAGES:
            return f"{field}: {_message(kind, error)}, got {_shown(error.get('input'))}"
        case _:
            message = error["msg"][:1].lower() + error["msg"][1:]
            return f"{field}: {message}, got {_shown(error.get('input'))}"


def _message(kind: str, error: dict[str, Any]) -> str:
    text = _MESSAGES[kind].format(**error.get("ctx", {}))
    return text.removesuffix("s") if " 1 " in text else text  # 1 item, 2 items


def _unknown(tool: AnyTool, location: tuple[str | int, ...]) -> str:
    """Explain an unknown argument, or an unknown field of an item in an argument."""
    model: type[BaseModel] = tool.input_model
    for part in location[:-1]:
        if isinstance(part, str) and (field := _by_name(model).get(part)):
            model = _model_in(field.annotation) or model
    known = list(_by_name(model))
    close = difflib.get_close_matches(str(location[-1]), known, n=1)
    is_nested = len(location) > 1
    takes = f"{'an item' if is_nested else 'it'} takes {', '.join(known) or 'none'}"
    what = "field" if is_nested else "argument"
    return f"no such {what}, {f'did you mean {close[0]}?' if close else takes}"


def _by_name(model: type[BaseModel]) -> dict[str, FieldInfo]:
    return {field.alias or name: field for name, field in model.model_fields.items()}


def _shown(value: Any) -> str:
    try:
        text = compact_json(value)
    except (TypeError, ValueError):
        text = type(cast("object", value)).__name__
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…"
