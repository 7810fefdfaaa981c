"""Descriptions of Python types in the terms of JSON."""

import ast
import inspect
from collections.abc import Iterator, Mapping, Sequence
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean"}
_LISTS = (list, tuple, Sequence)


def is_model(kind: Any) -> bool:
    """Return whether a type is a pydantic model."""
    return inspect.isclass(kind) and issubclass(kind, BaseModel)


def unwrapped(kind: Any) -> Any:
    """Return the type without its annotations and without `None`."""
    if get_origin(kind) is Annotated:
        return unwrapped(get_args(kind)[0])
    if get_origin(kind) in {Union, UnionType}:
        others = [each for each in get_args(kind) if each is not NoneType]
        return unwrapped(others[0]) if len(others) == 1 else kind
    return kind


def optional(field: FieldInfo) -> bool:
    """Return whether the field may be absent."""
    kind = field.annotation
    return get_origin(kind) in {Union, UnionType} and NoneType in get_args(kind)


def type_name(kind: Any, link: Mapping[type, str]) -> str:
    """Return the name of the type; for a model, the link to its table."""
    kind = unwrapped(kind)
    origin, inside = get_origin(kind), get_args(kind)
    if is_model(kind):
        return link[kind]
    if origin is Literal:
        return " · ".join(f"`{value}`" for value in inside)
    if origin in _LISTS:
        return f"list of {type_name(inside[0], link)}"
    if origin in {dict, Mapping}:
        return f"object of {type_name(inside[1], link)}"
    if origin in {Union, UnionType}:
        names = dict.fromkeys(type_name(each, link) for each in inside if each is not NoneType)
        return " or ".join(names)
    return _PLAIN.get(kind, "any")


def models_in(kind: Any) -> Iterator[type[BaseModel]]:
    """Yield the models within a type, outermost first."""
    kind = unwrapped(kind)
    if is_model(kind):
        yield kind
    elif get_origin(kind) is not Literal:
        for each in get_args(kind):
            yield from models_in(each)


def limits(field: FieldInfo) -> str:
    """Return the bounds of an argument in words, or nothing."""
    own = _bounds([*field.metadata, *_metadata(field.annotation)])
    kind = unwrapped(field.annotation)
    many = get_origin(kind) in _LISTS
    text = _bounds_text(own, "items" if many else "characters")
    if many and (item := _bounds_text(_bounds(_metadata(get_args(kind)[0])), "characters")):
        return f"{text}; each {item}" if text else f"each {item}"
    return text


def _metadata(kind: Any) -> list[Any]:
    """Return the metadata of an annotation, also from unions and nested annotations."""
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
    """Return the bounds by name."""
    found: dict[str, Any] = {}
    for each in metadata:
        for name in ("ge", "gt", "le", "lt", "min_length", "max_length"):
            if getattr(each, name, None) is not None:
                found[name] = getattr(each, name)
    return found


def _bounds_text(bounds: dict[str, Any], unit: str) -> str:
    shortest, longest = bounds.get("min_length"), bounds.get("max_length")
    if longest is not None:
        return f"{shortest} to {longest:,} {unit}" if shortest else f"at most {longest:,} {unit}"
    if shortest:
        return f"at least {shortest} {unit}"
    low, high = bounds.get("ge", bounds.get("gt")), bounds.get("le", bounds.get("lt"))
    if low is not None and high is not None:
        return f"{'above ' if 'gt' in bounds else ''}{low:,} to {high:,}"
    if low is not None:
        return f"{'above' if 'gt' in bounds else 'at least'} {low:,}"
    return "" if high is None else f"at most {high:,}"


def field_comments(model: type[BaseModel]) -> dict[str, str]:
    """Return the comments on the lines of a model's fields, by field name."""
    found: dict[str, str] = {}
    for parent in reversed(model.__mro__):
        if parent is BaseModel or not is_model(parent):
            continue
        lines = inspect.getsource(parent).splitlines()
        for node in cast("ast.ClassDef", ast.parse(_dedented(lines)).body[0]).body:
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                _, mark, comment = lines[(node.end_lineno or node.lineno) - 1].partition("  # ")
                if mark and not comment.startswith(("fmt:", "noqa", "pyright:")):
                    found[node.target.id] = comment
    return found


def _dedented(lines: list[str]) -> str:
    return inspect.cleandoc("\n".join(lines)) if lines[0][:1].isspace() else "\n".join(lines)
