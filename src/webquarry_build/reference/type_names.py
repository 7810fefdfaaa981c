"""How the types of models read to people who think in JSON."""

import ast
import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin

from pydantic import AfterValidator, BaseModel
from pydantic.fields import FieldInfo

_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean"}
_LISTS = (list, tuple, Sequence)
_TOO_LONG = "x" * 1_000_000


def is_model(kind: Any) -> bool:
    """Tell whether a type has fields of its own."""
    return inspect.isclass(kind) and issubclass(kind, BaseModel)


def bare(kind: Any) -> Any:
    """Return the type without its annotations and without `None`."""
    if get_origin(kind) is Annotated:
        return bare(get_args(kind)[0])
    if get_origin(kind) in {Union, UnionType}:
        others = [each for each in get_args(kind) if each is not NoneType]
        return bare(others[0]) if len(others) == 1 else kind
    return kind


def optional(field: FieldInfo) -> bool:
    """Tell whether a result may lack the field."""
    kind = field.annotation
    return get_origin(kind) in {Union, UnionType} and NoneType in get_args(kind)


def spoken(kind: Any, link: Mapping[type, str]) -> str:
    """Return the type in words; models by the links to their tables."""
    kind = bare(kind)
    origin, inside = get_origin(kind), get_args(kind)
    if is_model(kind):
        return link[kind]
    if origin is Literal:
        return " · ".join(f"`{value}`" for value in inside)
    if origin in _LISTS:
        return f"list of {spoken(inside[0], link)}"
    if origin in {dict, Mapping}:
        return f"object of {spoken(inside[1], link)}"
    if origin in {Union, UnionType}:
        told = dict.fromkeys(spoken(each, link) for each in inside if each is not NoneType)
        return " or ".join(told)
    return _PLAIN.get(kind, "any")


def models_in(kind: Any) -> Iterator[type[BaseModel]]:
    """Yield the models within a type, outermost first."""
    kind = bare(kind)
    if is_model(kind):
        yield kind
    elif get_origin(kind) is not Literal:
        for each in get_args(kind):
            yield from models_in(each)


def limits(field: FieldInfo) -> str:
    """Return the bounds of an argument in words, or nothing."""
    own = _bounds([*field.metadata, *_metadata(field.annotation)])
    kind = bare(field.annotation)
    many = get_origin(kind) in _LISTS
    told = _told(own, "items" if many else "characters")
    if many and (each := _told(_bounds(_metadata(get_args(kind)[0])), "characters")):
        return f"{told}; each {each}" if told else f"each {each}"
    return told


def _metadata(kind: Any) -> list[Any]:
    """Return what an annotation says beside the type, through `None` and nested annotations."""
    if get_origin(kind) in {Union, UnionType}:
        return [found for each in get_args(kind) for found in _metadata(each)]
    if get_origin(kind) is not Annotated:
        return []
    first, *others = get_args(kind)
    found = _metadata(first)
    for each in others:
        found += each.metadata if isinstance(each, FieldInfo) else [each]
    return found


def _bounds(metadata: list[Any]) -> dict[str, Any]:
    """Return the bounds by name, those that a validator of ours checks included."""
    found: dict[str, Any] = {}
    for each in metadata:
        for name in ("ge", "gt", "le", "lt", "min_length", "max_length"):
            if getattr(each, name, None) is not None:
                found[name] = getattr(each, name)
        if isinstance(each, AfterValidator) and (said := _refused(each.func)):
            found |= {"min_length": int(said[1]), "max_length": int(said[2])}
    return found


def _refused(check: Callable[..., Any]) -> "re.Match[str] | None":
    """Return how a validator of ours refuses a text that is too long, if it does."""
    try:
        check(_TOO_LONG)
    except ValueError as refusal:
        return re.match(r"must have (\d+) to (\d+) characters", str(refusal))
    return None


def _told(bounds: dict[str, Any], unit: str) -> str:
    least, most = bounds.get("min_length"), bounds.get("max_length")
    if most is not None:
        return f"{least} to {most:,} {unit}" if least else f"at most {most:,} {unit}"
    if least:
        return f"at least {least} {unit}"
    low, high = bounds.get("ge", bounds.get("gt")), bounds.get("le", bounds.get("lt"))
    if low is not None and high is not None:
        return f"{'above ' if 'gt' in bounds else ''}{low:,} to {high:,}"
    if low is not None:
        return f"{'above' if 'gt' in bounds else 'at least'} {low:,}"
    return "" if high is None else f"at most {high:,}"


def remarks(model: type[BaseModel]) -> dict[str, str]:
    """Return what the source says about fields in comments beside them."""
    found: dict[str, str] = {}
    for parent in reversed(model.__mro__):
        if parent is BaseModel or not is_model(parent):
            continue
        lines = inspect.getsource(parent).splitlines()
        for node in cast("ast.ClassDef", ast.parse(_dedented(lines)).body[0]).body:
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                _, mark, remark = lines[(node.end_lineno or node.lineno) - 1].partition("  # ")
                if mark and not remark.startswith(("fmt:", "noqa", "pyright:")):
                    found[node.target.id] = remark
    return found


def _dedented(lines: list[str]) -> str:
    return inspect.cleandoc("\n".join(lines)) if lines[0][:1].isspace() else "\n".join(lines)
