"""What the handlers of a vendor's API use: the call path, the caller, the body of a request."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from starlette.requests import Request
from starlette.responses import Response

from webquarry.calls.call_path import CallPath
from webquarry.calls.registry import choose, expand_toolsets
from webquarry.errors import BadInputError, WebquarryError
from webquarry.models.caller import Caller
from webquarry.models.result import Result
from webquarry.server.access_control import public_base_url
from webquarry.server.mcp_server import ServerOffer
from webquarry.server.problem_details import problem_of
from webquarry.server.rest_bodies import BodyTooLargeError, read_arguments, tool_response
from webquarry.server.rest_operations import offered_operations
from webquarry.settings.load import Settings
from webquarry.tools import TOOLS

MOUNT = "webquarry.compat_mount"  # in the scope: the path of the API as the client sees it
Handle = Callable[[Request], Awaitable[Response]]


class ToolFailedError(Exception):
    """A tool returned an error, which the client gets in the form of its vendor."""

    def __init__(self, result: Result) -> None:
        super().__init__(result.problem.message if result.problem else "the tool failed")
        self.result = result

    @property
    def kind(self) -> str:
        """The kind of the error."""
        problem = self.result.problem
        return str(problem.block.get("kind")) if problem else "upstream_unavailable"


@dataclass(frozen=True, kw_only=True)
class VendorContext:
    """The services of this server for the handlers of a vendor's API."""

    offer: ServerOffer
    path: CallPath  # over the tools that the toolsets offer to MCP or REST
    identify: Callable[[Request], Caller]
    settings: Settings

    @property
    def max_body(self) -> int:
        """The largest body of a request."""
        return self.settings.server.max_request_body_bytes

    def handler(self, handle: Handle) -> Handle:
        """Return the handler; its errors become problems, which have the vendor's form later."""
        return partial(_guarded, handle)

    async def result(
        self, request: Request, tool: str, arguments: Mapping[str, Any], **options: Any
    ) -> Result:
        """Call a tool as every transport does; raise `ToolFailedError` if it fails."""
        result = await self.path.call(
            tool,
            dict(arguments),
            self.identify(request),
            request_id=request.state.request_id,
            **options,
        )
        if result.is_error:
            raise ToolFailedError(result)
        return result

    async def call(
        self, request: Request, tool: str, arguments: Mapping[str, Any], **options: Any
    ) -> dict[str, Any]:
        """Call a tool; return its structured result."""
        return (await self.result(request, tool, arguments, **options)).structured or {}

    async def admit(self, request: Request, tool: str) -> Caller:
        """Return the caller, who may use this tool now, for work that is like its own."""
        caller = self.identify(request)
        await self.path.admit(tool, caller)
        return caller

    async def body(self, request: Request) -> dict[str, Any]:
        """Return the JSON object in the body of a request."""
        body = await read_arguments(request, self.max_body)
        if not isinstance(body, dict):
            raise BadInputError("The body must be one JSON object.")
        return cast("dict[str, Any]", body)

    def public_url(self, request: Request, path: str) -> str:
        """Return the URL of a path of the API as this client reaches it."""
        base = public_base_url(request, self.settings.auth.public_url)
        return f"{base}{request.scope.get(MOUNT, '')}{path}"


async def _guarded(handle: Handle, request: Request) -> Response:
    try:
        return await handle(request)
    except ToolFailedError as error:
        return tool_response(error.result)
    except BodyTooLargeError as error:
        return problem_of(error, status=413)
    except WebquarryError as error:
        return problem_of(error)


def vendor_context(
    offer: ServerOffer, settings: Settings, identify: Callable[[Request], Caller]
) -> VendorContext:
    """Return the context over the tools that are offered to MCP clients or at `/v1`."""
    registry = choose(_offered_tools(settings.server.toolsets), ["all"], offer.services)
    return VendorContext(
        offer=offer, path=offer.path.over(registry), identify=identify, settings=settings
    )


def _offered_tools(toolsets: Sequence[str]) -> list[Any]:
    chosen = expand_toolsets(toolsets)
    operations = {operation.tool for operation in offered_operations(toolsets)}
    return [tool for tool in TOOLS if tool.toolset in chosen or tool.name in operations]
