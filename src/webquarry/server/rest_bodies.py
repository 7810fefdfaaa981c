"""Reads the arguments of a REST request and builds the response from a tool result."""

import json
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from webquarry.errors import BadInputError
from webquarry.models.result import Result
from webquarry.server.problem_details import SafeJson, problem


class BodyTooLargeError(BadInputError):
    """The body is larger than this server accepts."""


async def read_arguments(request: Request, max_body: int) -> Any:
    """Return the body as JSON; an empty body means no arguments."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > max_body:
            raise BodyTooLargeError(f"The body is larger than MAX_REQUEST_BODY_BYTES={max_body}.")
    try:
        arguments: Any = json.loads(body or b"{}")
        json.dumps(arguments, ensure_ascii=False).encode()  # rejects lone surrogates
    except (ValueError, RecursionError) as exc:
        raise BadInputError("The body must be one JSON object of arguments.") from exc
    return arguments


def tool_response(
    result: Result, status: int = 200, *, headers: Mapping[str, str] | None = None
) -> Response:
    """Return the structured result as the body; other results in the format of MCP."""
    if result.problem is not None:
        return problem(result.problem.message, result.problem.block)
    if result.is_error:  # the tool built its own error text
        text = "\n".join(b.text for b in result.content if b.type == "text")
        return problem(text, {"kind": "upstream_unavailable"})
    if result.structured is None:
        return SafeJson(result.wire())
    body = result.structured | ({"_meta": result.meta} if result.meta else {})
    return SafeJson(body, status, dict(headers or {}))
