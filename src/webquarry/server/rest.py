"""The REST face of the tools: list them, call one."""

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from webquarry.calls.call_path import CallPath
from webquarry.calls.scoped_tools import offered
from webquarry.calls.tool import no_progress
from webquarry.errors import WebquarryError
from webquarry.models.caller import Caller
from webquarry.server.problem_details import SafeJson, problem_of
from webquarry.server.rest_bodies import BodyTooLargeError, answer, arguments_of


def routes(path: CallPath, identify: Callable[[Request], Caller], *, max_body: int) -> list[Route]:
    """Return the routes of `/v1/tools`."""

    async def list_tools(request: Request) -> Response:
        return SafeJson({"tools": offered(path.registry, identify(request))})

    async def call_tool(request: Request) -> Response:
        try:
            arguments = await arguments_of(request, max_body)
            result = await path.call(
                request.path_params["name"],
                arguments,
                identify(request),
                request_id=request.state.request_id,
                report=no_progress,
            )
        except BodyTooLargeError as exc:
            return problem_of(exc, status=413)
        except WebquarryError as exc:
            return problem_of(exc)
        return answer(result)

    return [
        Route("/v1/tools", list_tools, methods=["GET"]),
        Route("/v1/tools/{name}", call_tool, methods=["POST"]),
    ]
