"""One method per tool. Their signatures are in `methods.pyi`, generated from the tools."""

import inspect
from collections.abc import Callable
from types import MethodType
from typing import Any

from webquarry.calls.tool import ToolEntry
from webquarry.library.signature import parameters
from webquarry.tools import TOOLS

_Function = Callable[..., Any]


class Methods:
    """Makes every tool a method that returns the tool's own output model."""

    async def typed(self, name: str, /, *args: Any, **arguments: Any) -> Any:
        """Run a tool and return its result as the model it declares."""
        # abstract: subclasses run the tool
        raise NotImplementedError

    def __getattr__(self, name: str) -> Any:
        raise _missing(self, name)


class SyncMethods:
    """`Methods` for programs without an event loop."""

    def typed(self, name: str, /, *args: Any, **arguments: Any) -> Any:
        """Run a tool and return its result as the model it declares."""
        # abstract, as above
        raise NotImplementedError

    def __getattr__(self, name: str) -> Any:
        raise _missing(self, name)


class ToolMethod:
    """The method of a tool; the tool is imported when the method is first looked up."""

    def __init__(self, entry: ToolEntry, runner: Callable[[str], _Function]) -> None:
        self._entry = entry
        self._runner = runner
        self._function: _Function | None = None

    def __get__(self, instance: object | None, owner: type) -> Any:
        if self._function is None:
            self._function = _documented(self._entry, self._runner(self._entry.name))
        return self._function if instance is None else MethodType(self._function, instance)


def _async_runner(name: str) -> _Function:
    async def method(self: Methods, *args: Any, **arguments: Any) -> Any:
        return await self.typed(name, *args, **arguments)

    return method


def _sync_runner(name: str) -> _Function:
    def method(self: SyncMethods, *args: Any, **arguments: Any) -> Any:
        return self.typed(name, *args, **arguments)

    return method


for _entry in TOOLS:
    setattr(Methods, _entry.name, ToolMethod(_entry, _async_runner))
    setattr(SyncMethods, _entry.name, ToolMethod(_entry, _sync_runner))


def _documented(entry: ToolEntry, method: _Function) -> _Function:
    """Give a method the name, signature and documentation of its tool, for `help()`."""
    tool = entry.load()
    listed = parameters(tool)
    keyword, positional = inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
    shown = [inspect.Parameter("self", positional)]
    for index, each in enumerate(listed):
        default = inspect.Parameter.empty if each.required else each.default
        kind = keyword if index else positional
        shown.append(inspect.Parameter(each.python_name, kind, default=default))
    shown.append(inspect.Parameter("report", keyword, default=None))
    lines = [f"    {each.python_name}: {each.help}" for each in listed]
    method.__name__ = tool.name
    method.__qualname__ = tool.name
    method.__doc__ = "\n".join((tool.description, "", "Arguments:", *lines))
    # type checkers do not know that functions have this attribute
    method.__signature__ = inspect.Signature(  # pyright: ignore[reportFunctionMemberAccess]
        shown, return_annotation=tool.output_model or dict[str, Any]
    )
    return method


def _missing(owner: object, name: str) -> Exception:
    if name in {"app", "opened"}:
        statement = "async with" if name == "app" else "with"
        return RuntimeError(
            f"Webquarry is not open: use `{statement} {type(owner).__name__}() as wq:`"
        )
    return AttributeError(f"{type(owner).__name__} has no attribute or tool {name!r}")
