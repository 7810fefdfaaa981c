"""Imports the MCP SDK without the parts that a stdio server never uses.

`mcp/__init__` and `mcp/server/__init__` import the SDK's client, its high-level server and its
command line, and its low-level server imports everything for HTTP: some 250 modules. The message
types of a protocol revision are imported when a client uses it, and the validator of a type is
built for its first message. Together this saves more than half of the time to the first tool call.
Only our own server process does this, never a program that uses Webquarry as a library (ADR 1).
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


def import_server_parts() -> None:
    """Import the SDK's server and its message types. Later imports work as usual."""
    if "mcp" in sys.modules:
        return
    packages = _packages()
    if not packages:
        return  # unknown layout of the SDK: leave it to the normal import
    sys.modules.update(packages)
    with _deferred_models():
        with _deferred_adapters():
            import_module("mcp_types")
        with _replaced({name: _LazyRevision(name) for name in _REVISIONS}):
            import_module("mcp_types.methods")
    with _replaced({name: _UnusedModule(name) for name in _HTTP_ONLY}):
        import_module("mcp.server.lowlevel")


class _UnusedModule(ModuleType):
    """A stand-in module with every name; nothing imported from it is used."""

    def __getattr__(self, name: str) -> type:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})


class _LazyRevision(ModuleType):
    """A stand-in for a module of message types, each imported when it is first used."""

    def __getattr__(self, name: str) -> type:
        if name.startswith("__"):
            raise AttributeError(name)
        return _LazyModel(name, (), {"__module__": self.__name__})


class _LazyModel(type):
    """Metaclass of stand-ins for models; the SDK uses only these methods of a model."""

    def model_validate(cls, *values: Any, **options: Any) -> Any:
        return _real_model(cls).model_validate(*values, **options)

    def __get_pydantic_core_schema__(cls, _: Any, handler: Any) -> Any:
        return handler(_real_model(cls))


@cache
def _real_model(stand_in: _LazyModel) -> Any:
    with _deferred_models():
        return getattr(import_module(stand_in.__module__), stand_in.__name__)


@contextmanager
def _replaced(modules: Mapping[str, ModuleType]) -> Generator[None]:
    """Replace modules by stand-ins while the block runs."""
    missing = {name: module for name, module in modules.items() if name not in sys.modules}
    sys.modules.update(missing)
    try:
        yield
    finally:
        for name in missing:
            del sys.modules[name]


@contextmanager
def _deferred_models() -> Generator[None]:
    """Defer the build of all models that are defined in the block to their first use."""
    import pydantic

    base: Any = pydantic.BaseModel
    original = base.model_config
    base.model_config = {**original, "defer_build": True}
    try:
        yield
    finally:
        base.model_config = original


@contextmanager
def _deferred_adapters() -> Generator[None]:
    """Defer the build of the type adapters that are created in the block."""
    import pydantic

    original = pydantic.TypeAdapter

    class DeferredAdapter:
        def __class_getitem__(cls, _: Any) -> type:
            return cls

        def __new__(cls, kind: Any) -> Any:
            return original(kind, config={"defer_build": True})

    module: Any = pydantic
    module.TypeAdapter = DeferredAdapter
    try:
        yield
    finally:
        module.TypeAdapter = original


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
