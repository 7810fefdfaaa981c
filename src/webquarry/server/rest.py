"""The REST face of the tools: list them, call one."""

import json
from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from webquarry.errors import BadInputError, WebquarryError
from webquarry.models.caller import Caller
from webquarry.models.result import Result
from webquarry.tools.base import no_progress
from webquarry.tools.callpath import CallPath

STATUS = {
    "validation": 400,
    "config": 400,
    "auth_required": 401,
    "blocked": 403,
    "not_found": 404,
    "session_not_found": 404,
    "rate_limited": 429,
    "internal": 500,
    "content_empty": 502,
    "network": 504,
    "upstream_unavailable": 502,
    "browser_unavailable": 503,
}


def routes(path: CallPath, identify: Callable[[Request], Caller], *, max_body: int) -> list[Route]:
    """Return the routes of `/v1`."""

    async def list_tools(_: Request) -> Response:
        return JSONResponse({"tools": path.registry.definitions()})

    async def call_tool(request: Request) -> Response:
        try:
            arguments = await _arguments(request, max_body)
            result = await path.call(
                request.path_params["name"],
                arguments,
                identify(request),
                request_id=request.state.request_id,
                report=no_progress,
            )
        except _TooLargeError as exc:
            return _problem(str(exc), exc.block(), status=413)
        except WebquarryError as exc:
            return _problem(str(exc), exc.block())
        return _answer(result)

    return [
        Route("/v1/tools", list_tools, methods=["GET"]),
        Route("/v1/tools/{name}", call_tool, methods=["POST"]),
    ]


class _TooLargeError(BadInputError):
    """The body is larger than this server accepts."""


async def _arguments(request: Request, max_body: int) -> Any:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > max_body:
            raise _TooLargeError(f"The body is larger than MAX_REQUEST_BODY_BYTES={max_body}.")
    try:
        return json.loads(body) if body.strip() else {}
    except (ValueError, RecursionError) as exc:
        raise BadInputError("The body must be one JSON object of arguments.") from exc


def _answer(result: Result) -> Response:
    """Return the structured body itself; plain results as MCP would carry them."""
    if result.problem is not None:
        return _problem(result.problem.message, result.problem.block)
    if result.is_error:  # in a tool's own words
        text = "\n".join(b.text for b in result.content if b.type == "text")
        return _problem(text, {"kind": "upstream_unavailable"})
    if result.structured is None:
        return JSONResponse(result.wire())
    body = result.structured | ({"_meta": result.meta} if result.meta else {})
    return JSONResponse(body)


def _problem(sentence: str, block: dict[str, Any], *, status: int | None = None) -> Response:
    headers: dict[str, str] = {}
    if "retryAfterSeconds" in block:
        headers["Retry-After"] = str(block["retryAfterSeconds"])
    code = status or STATUS.get(str(block.get("kind")), 500)
    return JSONResponse({"error": {"message": sentence, **block}}, code, headers=headers)
