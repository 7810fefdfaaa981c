"""Failures as HTTP tells them: a status, and a body after RFC 9457 with our kind and advice."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from starlette.responses import Response

from webquarry.content.text.token_count import compact_json
from webquarry.errors import WebquarryError

MEDIA_TYPE = "application/problem+json"
# 5xx is kept for faults of our own, so that an alarm on it means something: whoever fails us,
# a page, a provider or a missing browser, is a failed dependency
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
    """JSON whatever the web has put into it: half a character becomes a question mark."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return compact_json(content).encode("utf-8", "replace")


def problem_of(error: WebquarryError, *, status: int | None = None) -> Response:
    """Return the answer to a request that failed with this error."""
    return problem(str(error), error.block(), status=status)


def problem(
    sentence: str,
    block: Mapping[str, Any],
    *,
    status: int | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return the answer to a request that failed: a sentence for people, a block for programs."""
    told = dict(headers or {})
    if "retryAfterSeconds" in block:
        told.setdefault("Retry-After", str(block["retryAfterSeconds"]))
    code = status or status_of(block)
    return SafeJson(problem_body(sentence, block, code), code, told, MEDIA_TYPE)


def problem_body(sentence: str, block: Mapping[str, Any], status: int) -> dict[str, Any]:
    """Return the members of a problem; what the block calls `detail` is a code here."""
    named = {"code" if name == "detail" else name: value for name, value in block.items()}
    return {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": sentence,
        **named,
    }


def status_of(block: Mapping[str, Any]) -> int:
    """Return the status that fits an error's block."""
    if block.get("detail") == "insufficient_scope":
        return 403
    return STATUS.get(str(block.get("kind")), 500)
