"""Why a page could not be read: the outcome of each tier, and the one error that follows."""

import math
from collections.abc import Sequence
from typing import Literal

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

# a kind of error, or what the status of the response says
Outcome = Kind | Literal["no_such_host", "payment_required", "server_refused", "server_failed"]

# the most telling outcome first: what is known about the page itself helps the caller most
_PRECEDENCE: tuple[Outcome, ...] = (
    "validation",
    "no_such_host",
    "not_found",
    "auth_required",
    "payment_required",
    "rate_limited",
    "blocked",
    "server_refused",
    "server_failed",
    "network",
    "browser_unavailable",
    "content_empty",
)


EMPTY_SHELL = "empty until its script runs"
_NEEDS_BROWSER = (
    "{url} is empty until its script runs, which needs a browser. Install Chromium "
    "(Debian: apt install chromium) or set CHROME_PATH, and do not choose mode static."
)


class LoginWallError(PageError):
    """The page is only for people who have signed in."""

    advice = Advice("auth_required", retryable=False, action="inform_user")


class PaymentRequiredError(PageError):
    """The page is only for people or programs that pay for it."""

    advice = Advice("auth_required", retryable=False, action="inform_user")


class NoSuchHostError(NetworkError):
    """The host of the URL does not exist, so that a retry cannot help."""

    advice = Advice("network", retryable=False, action="inform_user")


class ServerRefusedError(PageError):
    """The server of the page rejects the request with a status that a retry does not change."""

    advice = Advice("upstream_unavailable", retryable=False, action="inform_user")


class ServerFailedError(PageError):
    """The server of the page fails for now."""

    advice = Advice(
        "upstream_unavailable", retryable=True, action="retry_after_delay", retry_after=30
    )


class UnreadableError(Exception):
    """A tier could not read the page. `reason` completes "stealth: …"; `final` stops the ladder."""

    def __init__(
        self,
        kind: Outcome,
        reason: str,
        *,
        final: bool = False,
        retry_after: float | None = None,
        candidate: Reading | None = None,
    ) -> None:
        super().__init__(reason)
        self.kind: Outcome = kind
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
    tiers = {attempt.tier for attempt in attempts}
    if worst.reason.startswith(EMPTY_SHELL) and "browser" not in tiers:
        return BrowserError(
            _NEEDS_BROWSER.format(url=url),
            details={"attempts": [attempt.model_dump() for attempt in attempts]},
        )
    error, message = _ERRORS[worst.kind]
    wait = error.advice.retry_after if worst.retry_after is None else worst.retry_after
    return error(
        message.format(url=url, reason=worst.reason, wait=max(1, math.ceil(wait or 0))),
        retry_after=wait,
        details={"attempts": [attempt.model_dump() for attempt in attempts]},
    )


_ERRORS: dict[Outcome, tuple[type[WebquarryError], str]] = {
    "validation": (BadInputError, "{reason}"),
    "not_found": (
        NotFoundError,
        "Not found: {url} returned 404/410 — the page does not exist. Check the URL.",
    ),
    "auth_required": (LoginWallError, "Auth required: {url} is behind a login wall."),
    "payment_required": (
        PaymentRequiredError,
        "Payment required: {url} returned HTTP 402. Use another source.",
    ),
    "rate_limited": (RateLimitError, "Rate limited on {url}. Retry in {wait} seconds."),
    "blocked": (
        BlockedError,
        "Blocked: {url} uses bot detection. Try an alternative source — "
        "its content can't be read directly.",
    ),
    "no_such_host": (NoSuchHostError, "Network error on {url}: {reason}. Check the URL."),
    "server_refused": (
        ServerRefusedError,
        "Refused: {url} returned {reason}. Check the URL, or use another source.",
    ),
    "server_failed": (
        ServerFailedError,
        "Unavailable: {url} returned {reason}. Retry in {wait} seconds.",
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
