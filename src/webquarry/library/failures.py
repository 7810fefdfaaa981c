"""The exceptions of the library: `ToolError`, and with it the class of the error tree."""

from functools import cache

from webquarry import errors
from webquarry.errors import WebquarryError
from webquarry.models.result import Result

_BY_KIND: dict[str, type[WebquarryError]] = {
    "auth_required": errors.AccessError,
    "blocked": errors.BlockedError,
    "browser_unavailable": errors.BrowserError,
    "config": errors.SettingsError,
    "content_empty": errors.PageError,
    "internal": errors.InternalError,
    "network": errors.NetworkError,
    "not_found": errors.NotFoundError,
    "rate_limited": errors.RateLimitError,
    "session_not_found": errors.SessionNotFoundError,
    "upstream_unavailable": errors.ProviderError,
    "validation": errors.BadInputError,
}


class ToolError(WebquarryError):
    """A tool failed; `details` is the machine-readable block of the error."""


def tool_error(result: Result) -> ToolError:
    """Return the failure of a call: a `ToolError` that is also the class of its kind."""
    if result.problem is None:
        return ToolError("\n".join(part.text for part in result.content if part.type == "text"))
    block = result.problem.block
    kind = _BY_KIND.get(str(block.get("kind")), errors.InternalError)
    return _class_of(kind)(
        result.problem.message,
        provider=block.get("provider"),
        retry_after=block.get("retryAfterSeconds"),
        alternatives=tuple(block.get("alternatives") or ()),
        details=block,
    )


@cache
def _class_of(kind: type[WebquarryError]) -> type[ToolError]:
    # named as the class of its kind: that is what a traceback should show
    return type(kind.__name__, (ToolError, kind), {"__doc__": kind.__doc__})
