"""Loads the MCP SDK without what a stdio server never uses.

`mcp/__init__` and `mcp/server/__init__` import the SDK's client, its high-level server and its
command line, and its low-level server imports everything that serves HTTP: some 250 modules. The
message types of a protocol revision can wait until a client speaks it, and building the validator
of a type until a message of that type comes. Together that is more than half of the time until
the first tool call. Only a process of our own does this, never a program that uses us as a library
(see ADR 1).
"""

import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.machinery import PathFinder
from types import ModuleType
from typing import Any

_SKIPPED = ("mcp", "mcp.server")  # packages whose `__init__` is not run
_REVISIONS = ("mcp_types._v2025_11_25", "mcp_types._v2026_07_28")
_HTTP_ONLY = (
    "mcp.server.auth",
    "mcp.server.auth.middleware",
    "mcp.server.auth.middleware.auth_context",
    "mcp.server.auth.middleware.bearer_auth",
    "mcp.server.auth.provider",
    "mcp.server.auth.routes",
    "mcp.server.auth.settings",
    "mcp.server.streamable_http",
    "mcp.server.streamable_http_manager",
    "mcp.server.transport_security",
    "starlette",
    "starlette.applications",
    "starlette.middleware",
    "starlette.middleware.authentication",
    "starlette.routing",
)


def load_lightly() -> None:
    """Import the SDK's server and its message types; nothing that is imported later can tell."""
    if "mcp" in sys.modules:
        return
    packages = _packages()
    if not packages:
        return  # not laid out as we know it: the ordinary import will do
    sys.modules.update(packages)
    with _unbuilt():
        with _adapters_unbuilt():
            import_module("mcp_types")
        with _standing_in({name: _Revision(name) for name in _REVISIONS}):
            import_module("mcp_types.methods")
    with _standing_in({name: _Unused(name) for name in _HTTP_ONLY}):
        import_module("mcp.server.lowlevel")


class _Unused(ModuleType):
    """A module that has every name; what is imported from it is never used."""

    def __getattr__(self, name: str) -> type:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})


class _Revision(ModuleType):
    """A module of message types, each imported when a message is first checked against it."""

    def __getattr__(self, name: str) -> type:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Late(name, (), {"__module__": self.__name__})


class _Late(type):
    """The type of a type that stands for the one of its name; the SDK uses no more than this."""

    def model_validate(cls, *values: Any, **options: Any) -> Any:
        return _real(cls).model_validate(*values, **options)

    def __get_pydantic_core_schema__(cls, _: Any, handler: Any) -> Any:
        return handler(_real(cls))


@cache
def _real(late: _Late) -> Any:
    with _unbuilt():
        return getattr(import_module(late.__module__), late.__name__)


@contextmanager
def _standing_in(modules: Mapping[str, ModuleType]) -> Generator[None]:
    """Have these modules imported instead of those of their names, but only now."""
    missing = {name: module for name, module in modules.items() if name not in sys.modules}
    sys.modules.update(missing)
    try:
        yield
    finally:
        for name in missing:
            del sys.modules[name]


@contextmanager
def _unbuilt() -> Generator[None]:
    """Let models be built on first use, also those that do not ask for it."""
    import pydantic

    base: Any = pydantic.BaseModel
    usual = base.model_config
    base.model_config = {**usual, "defer_build": True}
    try:
        yield
    finally:
        base.model_config = usual


@contextmanager
def _adapters_unbuilt() -> Generator[None]:
    """Do the same with adapters of unions of models, most of which no server uses."""
    import pydantic

    usual = pydantic.TypeAdapter

    class Unbuilt:
        def __class_getitem__(cls, _: Any) -> type:
            return cls

        def __new__(cls, kind: Any) -> Any:
            return usual(kind, config={"defer_build": True})

    replaced: Any = pydantic
    replaced.TypeAdapter = Unbuilt
    try:
        yield
    finally:
        replaced.TypeAdapter = usual


def _packages() -> dict[str, ModuleType]:
    found: dict[str, ModuleType] = {}
    path = None
    for name in _SKIPPED:
        spec = PathFinder.find_spec(name, path)
        if spec is None or spec.submodule_search_locations is None:
            return {}
        package = ModuleType(name)
        package.__path__ = path = list(spec.submodule_search_locations)
        package.__spec__ = spec
        found[name] = package
    return found
