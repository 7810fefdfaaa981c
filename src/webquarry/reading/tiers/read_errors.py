"""Why a page could not be read: the outcome of each tier, and the one error that follows."""

from collections.abc import Sequence

from webquarry.errors import (
    Advice,
    BadInputError,
    BlockedError,
    BrowserError,
    Kind,
    NetworkError,
    NotFoundError,
    PageError,
    RateLimitError,
    WebquarryError,
)
from webquarry.models.reading import ReadAttempt, Reading

# the most telling outcome first: what is known about the page itself helps the caller most
_PRECEDENCE: tuple[Kind, ...] = (
    "validation",
    "not_found",
    "auth_required",
    "rate_limited",
    "blocked",
    "network",
    "browser_unavailable",
    "content_empty",
)


class LoginWallError(PageError):
    """The page is only for people who have signed in."""

    advice = Advice("auth_required", retryable=False, action="inform_user")


class UnreadableError(Exception):
    """A tier could not read the page. `reason` completes "stealth: …"; `final` stops the ladder."""

    def __init__(
        self,
        kind: Kind,
        reason: str,
        *,
        final: bool = False,
        retry_after: float | None = None,
        candidate: Reading | None = None,
    ) -> None:
        super().__init__(reason)
        self.kind: Kind = kind
        self.reason = reason
        self.final = final
        self.retry_after = retry_after
        self.candidate = candidate  # a poor reading, used when no tier has a better one


def error_for_attempts(
    url: str, failures: Sequence[UnreadableError], attempts: Sequence[ReadAttempt]
) -> WebquarryError:
    """Return the most telling error after all tiers failed."""
    worst = min(failures, key=lambda failure: _PRECEDENCE.index(failure.kind))
    if worst.kind == "network":
        empty = (failure for failure in failures if failure.kind == "content_empty")
        worst = next(empty, worst)
    error, message = _ERRORS[worst.kind]
    wait = worst.retry_after or 60.0
    return error(
        message.format(url=url, reason=worst.reason, wait=f"{wait:.0f}"),
        retry_after=wait if worst.kind == "rate_limited" else None,
        details={"attempts": [attempt.model_dump() for attempt in attempts]},
    )


_ERRORS: dict[Kind, tuple[type[WebquarryError], str]] = {
    "validation": (BadInputError, "{reason}"),
    "not_found": (
        NotFoundError,
        "Not found: {url} returned 404/410 — the page does not exist. Check the URL.",
    ),
    "auth_required": (LoginWallError, "Auth required: {url} is behind a login wall."),
    "rate_limited": (RateLimitError, "Rate limited on {url}. Retry in {wait} seconds."),
    "blocked": (
        BlockedError,
        "Blocked: {url} uses bot detection. Try an alternative source — "
        "its content can't be read directly.",
    ),
    "network": (NetworkError, "Network error on {url}: {reason}. Check connectivity."),
    "browser_unavailable": (
        BrowserError,
        "Scrape failed: Chrome unavailable. Set CHROME_PATH or install Chrome "
        "(Debian: apt install chromium).",
    ),
    "content_empty": (
        PageError,
        "No content extracted from {url}. May need browser rendering.",
    ),
}
