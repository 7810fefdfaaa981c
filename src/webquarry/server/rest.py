"""REST access to the tools: `/v1/tools`."""

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from webquarry.calls.call_path import CallPath
from webquarry.errors import WebquarryError
from webquarry.models.caller import Caller
from webquarry.server.problem_details import SafeJson, problem_of
from webquarry.server.rest_bodies import BodyTooLargeError, read_arguments, tool_response
from webquarry.server.tool_openapi import tool_document


def routes(path: CallPath, identify: Callable[[Request], Caller], *, max_body: int) -> list[Route]:
    """Return the routes of `/v1/tools`."""

    async def list_tools(request: Request) -> Response:
        return SafeJson({"tools": path.registry.definitions_for(identify(request))})

    async def describe_tools(request: Request) -> Response:
        return SafeJson(tool_document(path.registry.definitions_for(identify(request))))

    async def call_tool(request: Request) -> Response:
        try:
            arguments = await read_arguments(request, max_body)
            result = await path.call(
                request.path_params["name"],
                arguments,
                identify(request),
                request_id=request.state.request_id,
            )
        except BodyTooLargeError as exc:
            return problem_of(exc, status=413)
        except WebquarryError as exc:
            return problem_of(exc)
        return tool_response(result)

    return [
        Route("/v1/tools", list_tools, methods=["GET"]),
        Route("/v1/tools/openapi.json", describe_tools, methods=["GET"]),
        Route("/v1/tools/{name}", call_tool, methods=["POST"]),
    ]
