"""What a tool takes, in terms of Python parameters."""

from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin

from webquarry.calls.tool import AnyTool

_LAST = ("max_tokens", "cursor")  # how much of a result is wanted, which few say


@dataclass(frozen=True)
class Parameter:
    """One argument of a tool."""

    name: str
    kind: Any  # str, int, float, bool, a Literal, or something with fields of its own
    many: bool
    nullable: bool
    required: bool
    default: Any
    help: str

    @property
    def choices(self) -> tuple[Any, ...]:
        """The only values there are, if they are counted."""
        return get_args(self.kind) if get_origin(self.kind) is Literal else ()


def parameters(tool: AnyTool) -> list[Parameter]:
    """Return the arguments of a tool, what it cannot do without first."""
    found = [_parameter(name, field) for name, field in tool.takes.model_fields.items()]
    return sorted(found, key=lambda p: (p.name in _LAST, not p.required))


def _parameter(name: str, field: Any) -> Parameter:
    kind, nullable = _without_none(_bare(field.annotation))
    many = get_origin(kind) in {tuple, list}
    return Parameter(
        name=field.alias or name,
        kind=_bare(get_args(kind)[0]) if many else kind,
        many=many,
        nullable=nullable,
        required=field.is_required(),
        default=None if field.is_required() else field.default,
        help=field.description or "",
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
    return (others[0], nullable) if len(others) == 1 else (cast("Any", Any), nullable)
