"""Responses to requests without a handler, or whose handler failed: problems like all others."""

from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import Any, cast

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from webquarry.errors import BadInputError, NotFoundError, WebquarryError
from webquarry.server.console.console_pages import missing_page
from webquarry.server.problem_details import rejection
from webquarry.server.request_guard import SAFE_HEADERS

Handler = Callable[[Request, Exception], Awaitable[Response]]
_INTERNAL = {"kind": "internal", "retryable": False, "suggestedAction": "report_bug"}


def error_handlers() -> Mapping[Any, Handler]:
    """Return the handlers for Starlette."""
    return {HTTPException: _http_error, Exception: _internal_error}


async def _http_error(request: Request, exc: Exception) -> Response:
    error = cast("HTTPException", exc)
    if error.status_code == HTTPStatus.NOT_FOUND and _is_browser(request):
        return missing_page()
    headers = dict(error.headers or {})
    if "Allow" in headers:  # Starlette lists a set
        headers["Allow"] = ", ".join(sorted(headers["Allow"].split(", ")))
    shown = _described(request, error, headers.get("Allow", ""))
    return rejection(
        request.url.path, str(shown), shown.block(), status=error.status_code, headers=headers
    )


def _is_browser(request: Request) -> bool:
    """Tell whether a person follows a link, rather than a program calling the API."""
    is_page = not request.url.path.startswith(("/v1", "/mcp", "/admin", "/assets", "/compat"))
    return is_page and "text/html" in request.headers.get("accept", "")


def _described(request: Request, error: HTTPException, allowed: str) -> WebquarryError:
    path, status = request.url.path[:200], error.status_code
    if status == HTTPStatus.NOT_FOUND:
        return NotFoundError(f"There is nothing at {path}. /v1/openapi.json lists the REST API.")
    if status == HTTPStatus.METHOD_NOT_ALLOWED:
        return BadInputError(f"{path} does not take {request.method}; allowed: {allowed}.")
    return BadInputError(error.detail)


async def _internal_error(request: Request, exc: Exception) -> Response:
    """Say nothing about the error: it is in the log, under the id of the request."""
    del exc
    request_id: str = getattr(request.state, "request_id", "")
    message = f"Internal error. The server's log has the details (request {request_id})."
    # this handler is outside the guard, which adds them to other responses
    headers = {**SAFE_HEADERS, "X-Request-Id": request_id, "Cache-Control": "no-store"}
    return rejection(request.url.path, message, _INTERNAL, status=500, headers=headers)
