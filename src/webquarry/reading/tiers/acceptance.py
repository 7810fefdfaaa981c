"""Decides whether a response, and the reading made from it, is the requested page."""

import re
from http import HTTPStatus

from webquarry.content.html.walls import detect_wall
from webquarry.content.text.length_limits import cap_text
from webquarry.errors import Kind
from webquarry.models.page import WallKind
from webquarry.models.reading import Reading
from webquarry.net.client.response import FetchedResponse
from webquarry.net.clock import Clock
from webquarry.net.upstream.status_errors import is_temporary, retry_after
from webquarry.reading.tiers.read_errors import EMPTY_SHELL, Outcome, UnreadableError

MIN_BYTES = 100
_MIN_SHELL_WORDS = 40
_SCRIPT = re.compile(rb"<script\b", re.IGNORECASE)
_PAYWALL_NOTE = "The page shows this much and asks for a subscription for the rest."
_WALL_ERRORS: dict[WallKind, Kind] = {
    "captcha": "blocked",
    "blocked": "blocked",
    "consent": "blocked",
    "login": "auth_required",
    "not_found": "not_found",
    "script_shell": "content_empty",
}
_WALL_NAMES: dict[WallKind, str] = {"not_found": "not-found", "blocked": "block"}
_FINAL: dict[int, Outcome] = {
    **dict.fromkeys((404, 410), "not_found"),
    **dict.fromkeys((401, 407), "auth_required"),
    402: "payment_required",
}
_BLOCKED = frozenset({403, 999})  # LinkedIn sends 999
_CHALLENGES = frozenset({"captcha", "blocked"})
_MARKUP = re.compile(r"<(script|style)\b.*?(?:</\1>|\Z)|<[^>]*+(?:>|\Z)", re.IGNORECASE | re.DOTALL)
_CHALLENGE_BYTES = 100_000


def check_status(fetched: FetchedResponse, clock: Clock) -> None:
    """Raise `UnreadableError` unless the status says that the response is the page."""
    if fetched.status >= 300:
        raise _failure_of_status(fetched, clock)
    if not fetched.content:
        raise UnreadableError("content_empty", "empty")


def _failure_of_status(fetched: FetchedResponse, clock: Clock) -> UnreadableError:
    status, reason = fetched.status, f"HTTP {fetched.status}"
    if status < 400:
        return UnreadableError("content_empty", f"{reason} without a target")
    if kind := _FINAL.get(status):
        return UnreadableError(kind, reason, final=True)
    wait = retry_after(fetched.headers, clock.time())
    if status == 429:
        # 429 without Retry-After often only means "no robots": another tier may try
        return UnreadableError("rate_limited", reason, final=wait is not None, retry_after=wait)
    if status in _BLOCKED or is_challenge(fetched):
        return UnreadableError("blocked", reason)
    reason = status_text(status)
    if is_temporary(status):
        return UnreadableError("server_failed", reason, final=wait is not None, retry_after=wait)
    return UnreadableError("server_refused", reason)


def status_text(status: int) -> str:
    """Return a status with its name: HTTP 503 Service Unavailable."""
    try:
        return f"HTTP {status} {HTTPStatus(status).phrase}"
    except ValueError:  # not registered
        return f"HTTP {status}"


def is_challenge(fetched: FetchedResponse) -> bool:
    """Tell whether an error response is a page that keeps robots out."""
    if fetched.headers.get("cf-mitigated") == "challenge":
        return True
    if "html" not in fetched.headers.media_type:
        return False
    source = cap_text(fetched.content, _CHALLENGE_BYTES).decode("utf-8", "replace")
    text = " ".join(_MARKUP.sub(" ", source).split())
    wall = detect_wall(text, title="", words=len(text.split()), source=source, url=fetched.url)
    return wall is not None and wall.kind in _CHALLENGES


def accept(reading: Reading, html: bytes = b"") -> Reading:
    """Return the reading of a page if it is good; raise `UnreadableError` to try another tier.

    A short page is good unless its `html` has a script that might add content in a browser.
    """
    if reading.wall:
        return _behind_wall(reading, reading.wall.kind, reading.wall.evidence)
    if reading.word_count and len(reading.markdown) >= MIN_BYTES:
        return reading
    size = len(reading.markdown.encode("utf-8", "replace"))
    if not reading.word_count:
        raise UnreadableError("content_empty", f"{size} bytes")
    if size < MIN_BYTES and _SCRIPT.search(html):
        raise UnreadableError("content_empty", f"{size} bytes", candidate=reading)
    return reading


def _behind_wall(reading: Reading, kind: WallKind, evidence: str) -> Reading:
    if kind == "paywall":
        return reading.model_copy(
            update={"complete": False, "notes": (*reading.notes, _PAYWALL_NOTE)}
        )
    if kind == "script_shell":
        # with fewer words, the request to enable JavaScript is all there is
        has_content = (reading.word_count or 0) >= _MIN_SHELL_WORDS
        candidate = reading.model_copy(update={"wall": None}) if has_content else None
        reason = f"{EMPTY_SHELL} ({evidence})"
        raise UnreadableError("content_empty", reason, candidate=candidate)
    reason = f"a {_WALL_NAMES.get(kind, kind)} page ({evidence})"
    raise UnreadableError(_WALL_ERRORS[kind], reason)
