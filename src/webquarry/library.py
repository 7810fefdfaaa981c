"""Webquarry inside a Python program: the same tools on the same call path."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from webquarry.app import App, open_app
from webquarry.errors import WebquarryError
from webquarry.models.result import Result
from webquarry.observe.context import new_request_id
from webquarry.serving import read_settings
from webquarry.tools.base import ReportsProgress, no_progress


class ToolError(WebquarryError):
    """A tool failed; `details` is the block of machine-readable advice."""


class Quarry:
    """Calls tools by name."""

    def __init__(self, app: App) -> None:
        self._app = app

    def tools(self) -> list[str]:
        """Return the names of the tools on offer."""
        return [tool.name for tool in self._app.offer.path.registry.tools()]

    async def call(
        self, name: str, /, *, report: ReportsProgress = no_progress, **arguments: Any
    ) -> dict[str, Any]:
        """Run a tool and return its structured result; a failure raises `ToolError`."""
        result = await self.result(name, arguments, report=report)
        if result.is_error:
            text = "\n".join(block.text for block in result.content if block.type == "text")
            problem = result.problem
            raise ToolError(
                problem.message if problem else text, details=problem.block if problem else None
            )
        return result.structured or result.wire()

    async def result(
        self, name: str, arguments: Mapping[str, Any], *, report: ReportsProgress = no_progress
    ) -> Result:
        """Run a tool and return everything it said: content blocks, `_meta`, errors."""
        return await self._app.offer.path.call(
            name, dict(arguments), self._app.owner, request_id=new_request_id(), report=report
        )


@asynccontextmanager
async def connect(**settings: str) -> AsyncGenerator[Quarry]:
    """Open Webquarry with the settings of this process; keywords set variables, e.g. TOOLSETS."""
    async with open_app(read_settings({"TOOLSETS": "all"} | settings), "library") as app:
        yield Quarry(app)
