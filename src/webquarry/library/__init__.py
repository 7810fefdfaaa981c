"""The Python library: the same tools on the same call path."""

import json
import logging
from collections.abc import Mapping
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Any, NoReturn, Self

from webquarry.app import App, open_app
from webquarry.errors import BadInputError
from webquarry.library.failures import ToolError as ToolError
from webquarry.library.failures import tool_error
from webquarry.library.progress_callbacks import ProgressCallback, as_reporter
from webquarry.library.shortcuts import Shortcuts, SyncShortcuts
from webquarry.library.signature import parameters
from webquarry.models.result import Result
from webquarry.serving import read_call_settings

# a program that configures no logging would otherwise see warnings on stderr
logging.getLogger("webquarry").addHandler(logging.NullHandler())


class LibrarySession(Shortcuts):
    """The tools of an open application: one method for each, and `call` by name."""

    def __init__(self, app: App) -> None:
        self.app = app

    def tools(self) -> list[str]:
        """Return the names of the available tools."""
        return [tool.name for tool in self.app.path.registry.tools()]

    async def call(
        self, name: str, /, *, report: ProgressCallback | None = None, **arguments: Any
    ) -> dict[str, Any]:
        """Run a tool and return its complete result as JSON; a failure raises `ToolError`."""
        path, owner = self.app.path, self.app.owner
        return await self.body(await path.call(name, arguments, owner, report=as_reporter(report)))

    async def body(self, result: Result) -> dict[str, Any]:
        """Return the complete result of a call; a linked result is read from its artifact."""
        if result.is_error:
            raise tool_error(result)
        body = result.structured
        if body is None:
            return result.wire()
        if body.get("linked") is not True or "resource" not in body:
            return body
        owner = self.app.owner
        digest = str(body["resource"]).rpartition("/")[2]
        artifact = await self.app.services.artifacts.read(
            digest, tenant=owner.tenant, owner=owner.user
        )
        return json.loads(artifact.chunk)

    async def result(
        self, name: str, arguments: Mapping[str, Any], *, report: ProgressCallback | None = None
    ) -> Result:
        """Run a tool and return its raw result: content blocks, `_meta`, errors."""
        return await self.app.path.call(
            name, dict(arguments), self.app.owner, report=as_reporter(report)
        )

    async def typed(
        self,
        name: str,
        /,
        *args: Any,
        report: ProgressCallback | None = None,
        **arguments: Any,
    ) -> Any:
        """Run a tool and return its result as the model it declares."""
        tool = self.app.path.registry.lookup(name)
        names = {each.python_name: each.name for each in parameters(tool)}
        if args:
            arguments = _first(name, list(args), list(names)) | arguments
        arguments = {names.get(key, key): value for key, value in arguments.items()}
        body = await self.call(name, report=report, **arguments)
        return body if tool.output_model is None else tool.output_model.model_validate(body)


class Webquarry(LibrarySession):
    """Webquarry with the settings of this process; keywords set variables, e.g. TOOLSETS="web".

    Use it as `async with Webquarry() as wq`.
    """

    def __init__(self, **settings: str) -> None:
        self._settings = {"TOOLSETS": "all"} | settings
        self._stack = AsyncExitStack()

    def __enter__(self) -> NoReturn:
        raise TypeError(
            "Webquarry is asynchronous: write `async with Webquarry() as wq:`, "
            "or `with WebquarrySync() as wq:` without an event loop"
        )

    def __exit__(self, *_: object) -> None:
        """Exist, so that `with` gets to the advice above."""

    async def __aenter__(self) -> Self:
        settings = read_call_settings(self._settings)
        self.app = await self._stack.enter_async_context(open_app(settings, "library"))
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool | None:
        return await self._stack.__aexit__(kind, error, traceback)


class WebquarrySync(SyncShortcuts):
    """`Webquarry` for programs without an event loop; it runs one in a thread of its own."""

    def __init__(self, **settings: str) -> None:
        self._settings = settings

    async def __aenter__(self) -> NoReturn:
        raise TypeError(
            "WebquarrySync is synchronous: write `with WebquarrySync() as wq:`, "
            "or `async with Webquarry() as wq:` in an event loop"
        )

    async def __aexit__(self, *_: object) -> None:
        """Exist, so that `async with` gets to the advice above."""

    def __enter__(self) -> Self:
        # imported here: only the synchronous API needs it
        from anyio.from_thread import start_blocking_portal

        from webquarry.library.background_loop import BackgroundApp

        self.opened = BackgroundApp.enter(start_blocking_portal(), Webquarry(**self._settings))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.opened.stack.__exit__(kind, error, traceback)

    def tools(self) -> list[str]:
        """Return the names of the available tools."""
        return self.opened.library.tools()

    def call(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        """Run a tool and return its complete result as JSON; a failure raises `ToolError`."""
        return self.opened.wait(self.opened.library.call, name, **arguments)

    def result(self, name: str, arguments: Mapping[str, Any]) -> Result:
        """Run a tool and return its raw result: content blocks, `_meta`, errors."""
        return self.opened.wait(self.opened.library.result, name, arguments)

    def typed(self, name: str, /, *args: Any, **arguments: Any) -> Any:
        """Run a tool and return its result as the model it declares."""
        return self.opened.wait(self.opened.library.typed, name, *args, **arguments)


def _first(name: str, positional: list[Any], names: list[str]) -> dict[str, Any]:
    """Return the positional argument by its name."""
    if len(positional) > 1 or not names:
        raise BadInputError(f"{name}: only the first argument may be positional")
    return {names[0]: positional[0]}
