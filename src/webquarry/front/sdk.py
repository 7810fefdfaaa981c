"""Loads the MCP SDK without what a stdio server never uses.

`mcp/__init__` and `mcp/server/__init__` import the SDK's client, its high-level server and its
command line: some 130 modules. And building the validators of 500 message types can wait until a
message of that type comes. Together that is a third of the time until the first tool call. Only
a process of our own does this, never a program that uses us as a library (see ADR 1).
"""

import sys
from importlib.machinery import PathFinder
from types import ModuleType
from typing import Any

_SKIPPED = ("mcp", "mcp.server")


def load_lightly() -> None:
    """Import the SDK's message types and make its packages importable without their `__init__`."""
    if "mcp" in sys.modules:
        return
    path = None
    for name in _SKIPPED:
        spec = PathFinder.find_spec(name, path)
        if spec is None or spec.submodule_search_locations is None:
            return  # not laid out as we know it: the ordinary import will do
        package = ModuleType(name)
        package.__path__ = path = list(spec.submodule_search_locations)
        package.__spec__ = spec
        sys.modules[name] = package
    _import_unbuilt("mcp_types")


def _import_unbuilt(name: str) -> None:
    import pydantic

    base: Any = pydantic.BaseModel
    usual = base.model_config
    base.model_config = {**usual, "defer_build": True}
    try:
        __import__(name)
    finally:
        base.model_config = usual
