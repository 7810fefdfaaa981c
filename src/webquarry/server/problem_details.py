"""Errors as HTTP responses: a status, and a body as in RFC 9457 with error kind and advice."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from starlette.responses import Response

from webquarry.calls.visible_result import visible_problem
from webquarry.content.text.token_count import compact_json
from webquarry.errors import WebquarryError

MEDIA_TYPE = "application/problem+json"
MCP_PATH = "/mcp"
# 5xx is only for faults of this server, so that operators can alert on it; a failing page or
# provider or a missing browser is a failed dependency (424)
STATUS = {
    "validation": 400,
    "config": 400,
    "auth_required": 401,
    "blocked": 403,
    "not_found": 404,
    "session_not_found": 404,
    "rate_limited": 429,
    "internal": 500,
    "content_empty": 422,
    "network": 424,
    "upstream_unavailable": 424,
    "browser_unavailable": 424,
}


class SafeJson(Response):
    """JSON in UTF-8; lone surrogates, which UTF-8 cannot encode, become question marks."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return compact_json(content).encode("utf-8", "replace")


def problem_of(error: WebquarryError, *, status: int | None = None) -> Response:
    """Return the response to a request that failed with this error."""
    shown = visible_problem(error)
    return problem(shown.message, shown.block, status=status)


def problem(
    message: str,
    block: Mapping[str, Any],
    *,
    status: int | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return the response to a failed request: a message for people, a block for programs."""
    all_headers = dict(headers or {})
    if "retryAfterSeconds" in block:
        all_headers.setdefault("Retry-After", str(block["retryAfterSeconds"]))
    code = status or status_of(block)
    return SafeJson(problem_body(message, block, code), code, all_headers, MEDIA_TYPE)


def rejection(
    path: str,
    message: str,
    block: Mapping[str, Any],
    *,
    status: int,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return the response to a request that reaches no handler: JSON-RPC for MCP clients."""
    if path.rstrip("/") != MCP_PATH:
        return problem(message, block, status=status, headers=headers)
    error = {"code": -32000, "message": message, "data": dict(block)}
    return SafeJson({"jsonrpc": "2.0", "id": None, "error": error}, status, dict(headers or {}))


def problem_bytes(message: str, status: int) -> bytes:
    """Return the body of a problem for a request that cannot be parsed."""
    block = {"kind": "validation", "retryable": False, "suggestedAction": "inform_user"}
    return compact_json(problem_body(message, block, status)).encode("utf-8", "replace")


def problem_body(message: str, block: Mapping[str, Any], status: int) -> dict[str, Any]:
    """Return the members of the problem; the `detail` of the block becomes `code`."""
    named = {"code" if name == "detail" else name: value for name, value in block.items()}
    return {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": message,
        **named,
    }


def status_of(block: Mapping[str, Any]) -> int:
    """Return the HTTP status for the block of an error."""
    if block.get("detail") == "insufficient_scope":
        return 403
    return STATUS.get(str(block.get("kind")), 500)
