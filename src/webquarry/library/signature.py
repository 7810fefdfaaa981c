"""The arguments of a tool as Python parameters."""

import re
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin

from pydantic.json_schema import SkipJsonSchema

from webquarry.calls.argument_help import argument_help
from webquarry.calls.tool import AnyTool

# marks arguments that are in no schema; a class at run time, though not for type checkers
_INTERNAL = cast("type[Any]", SkipJsonSchema)
_LAST = ("max_tokens", "cursor")  # rarely used, so they are listed last


@dataclass(frozen=True)
class Parameter:
    """One argument of a tool."""

    name: str
    kind: Any  # str, int, float, bool, a Literal, or a model
    is_list: bool
    nullable: bool
    required: bool
    default: Any
    help: str

    @property
    def python_name(self) -> str:
        """The name in snake_case, as Python programs write it."""
        return re.sub(r"(?<=[a-z])([A-Z])", r"_\1", self.name).lower()

    @property
    def choices(self) -> tuple[Any, ...]:
        """The allowed values, if they are a fixed list."""
        return get_args(self.kind) if get_origin(self.kind) is Literal else ()


def parameters(tool: AnyTool) -> list[Parameter]:
    """Return the arguments of a tool, required ones first."""
    found = [
        _parameter(tool.name, name, field)
        for name, field in tool.input_model.model_fields.items()
        if not any(isinstance(mark, _INTERNAL) for mark in field.metadata)
    ]
    return sorted(found, key=lambda p: (p.name in _LAST, not p.required))


def _parameter(tool: str, name: str, field: Any) -> Parameter:
    kind, nullable = _without_none(_bare(field.annotation))
    many = get_origin(kind) in {tuple, list}
    return Parameter(
        name=field.alias or name,
        kind=_bare(get_args(kind)[0]) if many else kind,
        is_list=many,
        nullable=nullable,
        required=field.is_required(),
        default=None if field.is_required() else field.default,
        help=argument_help(tool, name, field.description or ""),
    )


def _bare(annotation: Any) -> Any:
    while get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    return annotation


def _without_none(annotation: Any) -> tuple[Any, bool]:
    if get_origin(annotation) not in {Union, UnionType}:
        return annotation, False
    others = [_bare(each) for each in get_args(annotation) if each is not NoneType]
    nullable = len(others) < len(get_args(annotation))
    if len(others) == 1:
        kind, _ = _without_none(others[0])
        return kind, nullable
    # text stands for an object with more options
    return (str if str in others else cast("Any", Any)), nullable
