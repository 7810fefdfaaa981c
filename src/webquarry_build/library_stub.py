"""Writes `methods.pyi`: the signature of every tool, for editors and type checkers."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from webquarry import library
from webquarry.calls.tool import AnyTool
from webquarry.library.signature import Parameter, parameters
from webquarry.tools import load_tools

PATH = Path(library.__file__).with_name("methods.pyi")
_HEAD = '''\
"""Generated from the tools by `make generate`. Do not edit."""

from collections.abc import Sequence
from typing import Any, Literal

'''


def methods_stub() -> str:
    """Return the text of `methods.pyi` for all tools."""
    tools = sorted(load_tools(), key=lambda tool: tool.name)
    imports = sorted({line for tool in tools for line in _imports(tool)})
    imports.append("from webquarry.library.progress_callbacks import ProgressCallback")
    return (
        _HEAD
        + "\n".join(sorted(imports))
        + "\n\nclass Methods:\n"
        + "    async def typed(self, name: str, /, *args: Any, **arguments: Any) -> Any: ...\n"
        + "\n".join(_method(tool, is_async=True) for tool in tools)
        + "\n\nclass SyncMethods:\n"
        + "    def typed(self, name: str, /, *args: Any, **arguments: Any) -> Any: ...\n"
        + "\n".join(_method(tool, is_async=False) for tool in tools)
        + "\n"
    )


def _imports(tool: AnyTool) -> Iterator[str]:
    for model in _models(tool):
        yield f"from {model.__module__} import {model.__name__}"


def _models(tool: AnyTool) -> Iterable[type[BaseModel]]:
    if tool.output_model is not None:
        yield tool.output_model
    yield from (p.kind for p in parameters(tool) if _is_model(p.kind))


def _is_model(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def _method(tool: AnyTool, *, is_async: bool) -> str:
    listed = parameters(tool)
    first, others = map(_argument, listed[:1]), map(_argument, listed[1:])
    lines = ["self,", *first, "*,", *others, "report: ProgressCallback | None = None,"]
    returned = tool.output_model.__name__ if tool.output_model else "dict[str, Any]"
    inside = "".join(f"        {line}\n" for line in lines)
    head = f"    {'async ' if is_async else ''}def {tool.name}(\n{inside}    ) -> {returned}:"
    summary = " ".join(tool.description.split("\n\n")[0].split())
    return f'{head}\n        """{summary}"""\n        ...'


def _argument(parameter: Parameter) -> str:
    kind = _kind(parameter)
    if parameter.nullable:
        kind += " | None"
    if parameter.required:
        return f"{parameter.python_name}: {kind},"
    plain = isinstance(parameter.default, str | int | float | bool | None)
    default = _quoted(parameter.default) if plain else "..."
    return f"{parameter.python_name}: {kind} = {default},"


def _kind(parameter: Parameter) -> str:
    if parameter.choices:
        kind = f"Literal[{', '.join(map(_quoted, parameter.choices))}]"
    elif _is_model(parameter.kind):
        kind = f"{parameter.kind.__name__} | dict[str, Any]"
    elif parameter.kind in {str, int, float, bool}:
        kind = parameter.kind.__name__
    else:
        kind = "Any"
    return f"Sequence[{kind}]" if parameter.is_list else kind


def _quoted(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)
