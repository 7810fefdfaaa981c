"""Why a page could not be read: what each tier saw, and the one error that follows from it."""

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

# the more an outcome says about the page itself, the more it says to the caller
_GRAVITY: tuple[Kind, ...] = (
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
    """One tier has no page; its text completes "stealth: ...". `final` means none can have it."""

    def __init__(
        self,
        kind: Kind,
        words: str,
        *,
        final: bool = False,
        retry_after: float | None = None,
        candidate: Reading | None = None,
    ) -> None:
        super().__init__(words)
        self.kind: Kind = kind
        self.words = words
        self.final = final
        self.retry_after = retry_after
        self.candidate = candidate  # better than nothing


def missed(error: WebquarryError) -> UnreadableError:
    """Return the outcome of a tier whose upstream failed."""
    kind: Kind = error.advice.kind
    if kind not in _GRAVITY:
        kind = "network"
    detail = str(error.details.get("detail", ""))
    words = detail.replace("_", " ") if kind == "network" and detail else str(error)
    return UnreadableError(kind, words, retry_after=error.retry_after)


def failure(
    url: str, misses: Sequence[UnreadableError], attempts: Sequence[ReadAttempt]
) -> WebquarryError:
    """Return the error that says most about why nothing came out."""
    worst = min(misses, key=lambda miss: _GRAVITY.index(miss.kind))
    if worst.kind == "network" and any(m.kind == "content_empty" for m in misses):
        worst = next(m for m in misses if m.kind == "content_empty")
    outcomes = "; ".join(f"{attempt.tier}: {attempt.outcome}" for attempt in attempts)
    # a refused URL was not tried at all
    tried = f" Tried {outcomes}." if outcomes and worst.kind != "validation" else ""
    return _error(url, worst, tried, attempts)


def _error(
    url: str, worst: UnreadableError, tried: str, attempts: Sequence[ReadAttempt]
) -> WebquarryError:
    cls, words = _WORDS[worst.kind]
    wait = worst.retry_after or 60.0
    return cls(
        words.format(url=url, why=worst.words, wait=f"{wait:.0f}") + tried,
        retry_after=wait if worst.kind == "rate_limited" else None,
        details={"attempts": [attempt.model_dump() for attempt in attempts]},
    )


_WORDS: dict[Kind, tuple[type[WebquarryError], str]] = {
    "validation": (BadInputError, "{why}"),
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
    "network": (NetworkError, "Network error on {url}: {why}. Check connectivity."),
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
