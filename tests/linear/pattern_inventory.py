"""Every regular expression of the package, and how it is used."""

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import webquarry

_METHODS = {"match": "match", "fullmatch": "fullmatch"}  # all others look at every position
_CALLS = {"compile", "search", "match", "fullmatch", "split", "findall", "finditer", "sub", "subn"}
_CONTAINERS = (tuple, list, set, frozenset, dict)


@dataclass(frozen=True, slots=True)
class UsedPattern:
    """A pattern and the ways in which it is used: search, match, fullmatch."""

    place: str
    pattern: "re.Pattern[Any]"
    methods: tuple[str, ...]


def all_patterns() -> list[UsedPattern]:
    """Return the patterns of all modules, those in function bodies included."""
    found: list[UsedPattern] = []
    uses = _named_uses()
    for module in modules():
        found += _module_level(module, uses)
        found += _in_functions(module)
    return found


def modules() -> Iterator[ModuleType]:
    """Import and return every module of the package."""
    yield webquarry
    for info in pkgutil.walk_packages(webquarry.__path__, "webquarry."):
        yield importlib.import_module(info.name)


def syntax_tree(module: ModuleType) -> ast.Module:
    """Return the source of a module as a tree."""
    return ast.parse(Path(str(module.__file__)).read_text("utf-8"))


def _module_level(module: ModuleType, uses: dict[str, set[str]]) -> Iterator[UsedPattern]:
    constants = {id(value) for _, value in _imported(module)}
    names: dict[str, Any] = vars(module)
    for name, value in names.items():
        if _is_pattern(value):
            if id(value) not in constants:  # reported where it is defined
                methods = uses.get(f"{module.__name__}.{name}", {"search"})
                yield UsedPattern(f"{module.__name__}.{name}", value, tuple(sorted(methods)))
        elif _is_own(module, name, value):
            for pattern in _inside(value):
                yield UsedPattern(f"{module.__name__}.{name}", pattern, ("search",))


def _imported(module: ModuleType) -> Iterator[tuple[str, Any]]:
    for node in ast.walk(syntax_tree(module)):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                name = alias.asname or alias.name
                yield name, vars(module).get(name)


def _is_own(module: ModuleType, name: str, value: object) -> bool:
    if isinstance(value, type):
        return value.__module__ == module.__name__
    return isinstance(value, _CONTAINERS) and not name.startswith("__")


def _inside(value: Any, depth: int = 4) -> "Iterator[re.Pattern[Any]]":
    """Return the patterns in containers, classes and plain objects."""
    if _is_pattern(value):
        yield value
    elif depth:
        for each in _members(value):
            yield from _inside(each, depth - 1)


def _is_pattern(value: object) -> bool:
    return isinstance(value, re.Pattern)


def _members(value: Any) -> list[Any]:
    kind = cast("type[Any]", type(value))
    if issubclass(kind, dict):
        return [*value, *value.values()]
    if issubclass(kind, _CONTAINERS):
        return list(value)
    is_class = issubclass(kind, type)
    if not str((value if is_class else kind).__module__).startswith("webquarry"):
        return []
    names: Iterable[str] = getattr(kind, "__slots__", None) or getattr(value, "__dict__", ())
    return [vars(value)[name] if is_class else getattr(value, name, None) for name in names]


def _named_uses() -> dict[str, set[str]]:
    """Return the methods called on each module-level name; a name passed on is searched with."""
    found: dict[str, set[str]] = {}
    for module in modules():
        tree = syntax_tree(module)
        origins = _origins(module, tree)
        called = {id(node.func): node for node in ast.walk(tree) if isinstance(node, ast.Call)}
        owners = {id(n.value): n for n in ast.walk(tree) if isinstance(n, ast.Attribute)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and _is_pattern_read(node, module):
                method = _method(owners.get(id(node)), called)
                found.setdefault(origins.get(node.id, ""), set()).add(method)
    return found


def _is_pattern_read(node: ast.Name, module: ModuleType) -> bool:
    is_pattern = isinstance(vars(module).get(node.id), re.Pattern)
    return is_pattern and isinstance(node.ctx, ast.Load)


def _origins(module: ModuleType, tree: ast.Module) -> dict[str, str]:
    names = {name: f"{module.__name__}.{name}" for name in vars(module)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                names[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return names


def _method(owner: ast.Attribute | None, called: dict[int, ast.Call]) -> str:
    call = called.get(id(owner))
    if owner is None or (call is None and owner.attr not in {*_METHODS, "pattern"}):
        return "search"
    if call is not None and len(call.args) > 1:
        return "search"  # from a position on, perhaps in a loop
    return _METHODS.get(owner.attr, "fullmatch" if owner.attr == "pattern" else "search")


def _in_functions(module: ModuleType) -> Iterator[UsedPattern]:
    tree = syntax_tree(module)
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    inside = {id(node) for function in functions for node in ast.walk(function)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and id(node) in inside and _is_re_call(node):
            source = _source(node.args[0], module)
            place = f"{module.__name__}:{ast.unparse(node.args[0])}"
            name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            if source is None:
                yield UsedPattern(place, re.compile(""), ("unknown",))
            else:
                pattern = re.compile(source, _flags(node))
                yield UsedPattern(place, pattern, (_METHODS.get(name, "search"),))


def _is_re_call(node: ast.Call) -> bool:
    function = node.func
    return (
        isinstance(function, ast.Attribute)
        and isinstance(function.value, ast.Name)
        and function.value.id == "re"
        and function.attr in _CALLS
    )


def _source(node: ast.expr, module: ModuleType) -> "str | bytes | None":
    """Return the text of a pattern; inserted values become ordinary letters."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
        return node.value
    if isinstance(node, ast.JoinedStr):
        parts = (
            str(part.value) if isinstance(part, ast.Constant) else _inserted(part, module)
            for part in node.values
        )
        return "".join(parts)
    if isinstance(node, ast.Name) and isinstance(vars(module).get(node.id), str | bytes):
        return vars(module)[node.id]
    return None


def _inserted(part: ast.expr, module: ModuleType) -> str:
    value = part.value if isinstance(part, ast.FormattedValue) else part
    constant = vars(module).get(value.id) if isinstance(value, ast.Name) else None
    return constant if isinstance(constant, str) else "abc"


def _flags(node: ast.Call) -> int:
    text = " ".join(
        ast.unparse(each) for each in [*node.args[1:], *(k.value for k in node.keywords)]
    )
    flags = 0
    for name in re.findall(r"\bre\.([A-Z]+)\b", text):
        flags |= getattr(re, name)
    return flags
