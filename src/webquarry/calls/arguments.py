"""Turns raw JSON arguments into a tool's input, or into a message that says how to fix them."""

import difflib
from typing import Any, cast

from pydantic import ValidationError

from webquarry.calls.tool import AnyTool
from webquarry.content.text.token_count import compact_json
from webquarry.errors import BadInputError
from webquarry.models.model import Model

_WORDS = {
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
_SHOWN = 60  # characters of a wrong value worth repeating


def parse_arguments(tool: AnyTool, arguments: Any) -> Model:
    """Validate `arguments` against the tool's input model."""
    raw: Any = {} if arguments is None else arguments
    if not isinstance(raw, dict):
        raise BadInputError(f"{tool.name}: arguments must be an object of named values")
    try:
        return tool.takes.model_validate(raw)
    except ValidationError as exc:
        problems = [_explain(tool, dict(error)) for error in exc.errors(include_url=False)]
        raise BadInputError(
            f"{tool.name}: {'; '.join(problems)}",
            details={"fields": sorted({_field(dict(e)) for e in exc.errors(include_url=False)})},
        ) from None


def _field(error: dict[str, Any]) -> str:
    return ".".join(str(part) for part in error["loc"]) or "arguments"


def _explain(tool: AnyTool, error: dict[str, Any]) -> str:
    field = _field(error)
    match error["type"]:
        case "missing":
            return f"{field}: is required"
        case "extra_forbidden":
            return f"{field}: no such argument, {_suggest(tool, field)}"
        case "value_error":
            return f"{field}: {error['ctx']['error']}"
        case kind if kind in _WORDS:
            return f"{field}: {_said(kind, error)}, got {_shown(error.get('input'))}"
        case _:
            return f"{field}: {_lower_first(error['msg'])}, got {_shown(error.get('input'))}"


def _said(kind: str, error: dict[str, Any]) -> str:
    words = _WORDS[kind].format(**error.get("ctx", {}))
    return words.removesuffix("s") if " 1 " in words else words  # 1 item, 2 items


def _suggest(tool: AnyTool, field: str) -> str:
    known = [field.alias or name for name, field in tool.takes.model_fields.items()]
    close = difflib.get_close_matches(field, known, n=1)
    return f"did you mean {close[0]}?" if close else f"it takes {', '.join(known) or 'none'}"


def _shown(value: Any) -> str:
    try:
        text = compact_json(value)
    except (TypeError, ValueError):
        text = type(cast("object", value)).__name__
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]
