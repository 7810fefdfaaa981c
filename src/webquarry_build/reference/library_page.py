"""The reference of the Python library, from its signatures and docstrings."""

import inspect
import re
from collections.abc import Iterator
from typing import Any

import webquarry
from webquarry.calls.tool import AnyTool
from webquarry.errors import WebquarryError
from webquarry.library import ToolError, Webquarry, WebquarrySync
from webquarry.library.progress_callbacks import ProgressCallback
from webquarry.library.signature import Parameter, parameters
from webquarry.tools import load_tools

PATH = "docs/library-reference.md"
_CALLBACK = str(ProgressCallback)
_MODULES = re.compile(r"\b(?:[a-z_]+\.)+(?=[A-Z])")  # before the names of types
_SESSION = ("call", "result", "tools")
_SHORTCUTS = ("read", "search", "map", "extract", "crawl")
_HEAD = """\
# Library reference

Generated from the code by `make generate`. [The Python library](library.md) explains how to use it.
Arguments are in snake_case; the names of the tool (`numResults`) work as well. The methods of
`Webquarry` are coroutines, except `tools` and `crawl`; `WebquarrySync` has the same methods as
plain functions.

"""


def library_page() -> str:
    """Return the page of the library."""
    sections = (_classes(), _methods(), _tools(), _exceptions())
    return _HEAD + "\n".join("\n".join(section) + "\n" for section in sections)


def _classes() -> Iterator[str]:
    yield "## Classes\n"
    for each in (Webquarry, WebquarrySync):
        yield f"### {each.__name__}\n"
        yield _block(f"{each.__name__}(**settings: str)")
        yield f"{inspect.getdoc(each)}\n"


def _methods() -> Iterator[str]:
    yield "## Methods\n"
    for name in (*_SHORTCUTS, *_SESSION):
        method = getattr(Webquarry, name)
        yield f"### {name}\n"
        yield _block(_signature(name, method))
        yield f"{inspect.getdoc(method)}\n"


def _tools() -> Iterator[str]:
    yield "## Tools\n"
    yield "Every tool is a method. The first argument may be positional; `report` gets progress.\n"
    for tool in sorted(load_tools(), key=lambda each: each.name):
        yield f"### {tool.name}\n"
        yield _block(_tool_signature(tool))
        yield f"{tool.description} [Result](tools/{tool.name}.md).\n"
        yield from _arguments(parameters(tool))


def _arguments(listed: list[Parameter]) -> Iterator[str]:
    if not listed:
        return
    yield "| argument | type | default | meaning |"
    yield "|---|---|---|---|"
    for each in listed:
        default = "required" if each.required else f"`{_default(each.default)}`"
        meaning = each.help.replace("|", r"\|").replace("\n", " ")
        yield f"| `{each.python_name}` | `{_kind(each)}` | {default} | {meaning} |"
    yield ""


def _exceptions() -> Iterator[str]:
    yield "## Exceptions\n"
    yield "All are exported by `webquarry`. A failed call raises a `ToolError` that is also the"
    yield "class of its kind.\n"
    yield "| exception | raised when | kind |"
    yield "|---|---|---|"
    for name in sorted(webquarry.__all__):
        cls = getattr(webquarry, name)
        if isinstance(cls, type) and issubclass(cls, WebquarryError):
            meaning = (inspect.getdoc(cls) or "").splitlines()[0]
            kind = "any" if cls in {ToolError, WebquarryError} else f"`{cls.advice.kind}`"
            yield f"| `{name}` | {meaning} | {kind} |"


def _signature(name: str, method: Any) -> str:
    shown = inspect.signature(method)
    without_self = [each for each in shown.parameters.values() if each.name != "self"]
    text = f"{name}{shown.replace(parameters=without_self)}".replace(_CALLBACK, "ProgressCallback")
    return _MODULES.sub("", text).replace("'", "")


def _tool_signature(tool: AnyTool) -> str:
    listed = [f"{each.python_name}{'' if each.required else '=…'}" for each in parameters(tool)]
    names = [*listed[:1], "*", *listed[1:], "report=None"]
    returned = tool.output_model.__name__ if tool.output_model else "dict[str, Any]"
    return f"{tool.name}({', '.join(names)}) -> {returned}"


def _kind(parameter: Parameter) -> str:
    if parameter.choices:
        kind = " or ".join(map(repr, parameter.choices))
    else:
        kind = getattr(parameter.kind, "__name__", "Any")
    kind = f"list of {kind}" if parameter.is_list else kind
    return f"{kind} or None" if parameter.nullable else kind


def _default(value: Any) -> str:
    return repr(value) if isinstance(value, str | int | float | bool | None) else "…"


def _block(text: str) -> str:
    return f"```text\n{text}\n```\n"
