"""Errors in Firecrawl's form, and refusals of what this server does not do."""

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import ValidationError

from webquarry.errors import BadInputError
from webquarry.models.model import Model
from webquarry.server.compat.vendor_api import VendorError

_STATUS_TIMEOUT = 408
# kind of our error → status and code of Firecrawl
_BY_KIND = {
    "validation": (400, "BAD_REQUEST"),
    "config": (400, "BAD_REQUEST"),
    "blocked": (403, "SCRAPE_SITE_BLOCKED"),
    "not_found": (404, "NOT_FOUND"),
    "session_not_found": (404, "NOT_FOUND"),
    "rate_limited": (429, "RATE_LIMIT_EXCEEDED"),
    "content_empty": (500, "SCRAPE_NO_CONTENT"),
    "network": (500, "SCRAPE_ALL_ENGINES_FAILED"),
    "upstream_unavailable": (500, "SCRAPE_ALL_ENGINES_FAILED"),
    "browser_unavailable": (500, "SCRAPE_BROWSER_UNAVAILABLE"),
}
_BY_DETAIL = {
    "timeout": (_STATUS_TIMEOUT, "SCRAPE_TIMEOUT"),
    "dns_no_such_name": (500, "SCRAPE_DNS_RESOLUTION_ERROR"),
    "dns_failed": (500, "SCRAPE_DNS_RESOLUTION_ERROR"),
    "tls": (500, "SCRAPE_SSL_ERROR"),
}
_UNCHANGED = frozenset({401, 403, 404, 405, 409, 413, 421, 503})  # of our own responses
_DROPPED = frozenset({"type", "title", "status", "detail", "code"})


Convert = Callable[[dict[str, Any]], dict[str, Any]]  # of a body from an earlier version


def unchanged(body: dict[str, Any]) -> dict[str, Any]:
    """Return a body of the current version."""
    return body


def firecrawl_error(problem: Mapping[str, Any]) -> VendorError:
    """Return a problem (RFC 9457) as Firecrawl sends errors."""
    status, code = _status_and_code(problem)
    details = {name: value for name, value in problem.items() if name not in _DROPPED}
    body = {"success": False, "code": code, "error": problem["detail"], "details": [details]}
    return VendorError(status, body)


def _status_and_code(problem: Mapping[str, Any]) -> tuple[int, str]:
    status: int = problem["status"]
    kind, detail = str(problem.get("kind")), str(problem.get("code", ""))
    if detail in _BY_DETAIL and kind in {"network", "upstream_unavailable"}:
        return _BY_DETAIL[detail]
    usual, code = _BY_KIND.get(kind, (status, "UNKNOWN_ERROR"))
    if status == 401 or kind == "auth_required":
        return status, "UNAUTHORIZED"
    return (status if status in _UNCHANGED else usual), code


def parsed(model: type[Model], body: Mapping[str, Any]) -> Any:
    """Return the body of a request as a model; `BadInputError` names what is wrong."""
    try:
        return model.model_validate(dict(body))
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False, include_context=False)
        texts = [_problem_text(problem) for problem in problems[:5]]
        fields = [".".join(map(str, problem["loc"])) for problem in problems[:5]]
        raise BadInputError("; ".join(texts), details={"fields": fields}) from error


def _problem_text(problem: Any) -> str:
    field = ".".join(str(part) for part in problem["loc"])
    if problem["type"] == "extra_forbidden":
        return f"{field}: this server has no such option"
    return f"{field}: {problem['msg']}"


def refuse(reasons: Mapping[str, str], given: Mapping[str, Any]) -> None:
    """Raise if an option was given that this server cannot honour."""
    for name, reason in reasons.items():
        if given.get(name):
            raise BadInputError(f"{name}: {reason}", details={"fields": [name]})
