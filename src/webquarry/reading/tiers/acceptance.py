"""Decides whether a response, and the reading made from it, is the requested page."""

import re

from webquarry.errors import Kind
from webquarry.models.page import WallKind
from webquarry.models.reading import Reading
from webquarry.net.client.response import FetchedResponse
from webquarry.net.clock import Clock
from webquarry.net.upstream.status_errors import retry_after
from webquarry.reading.tiers.read_errors import UnreadableError

MIN_BYTES = 100
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
_GONE = frozenset({404, 410})
_LOGIN = frozenset({401, 402, 407})
_TEMPORARY = frozenset({408, 425, 500, 502, 504})


def check_status(fetched: FetchedResponse, clock: Clock) -> None:
    """Raise `UnreadableError` unless the status says that the response is the page."""
    status, reason = fetched.status, f"HTTP {fetched.status}"
    if status < 300:
        if fetched.content:
            return
        raise UnreadableError("content_empty", "empty")
    if status in _GONE:
        raise UnreadableError("not_found", reason, final=True)
    if status in _LOGIN:
        raise UnreadableError("auth_required", reason, final=True)
    if status == 429:
        wait = retry_after(fetched.headers, clock.time())
        # 429 without Retry-After often only means "no robots": another tier may try
        raise UnreadableError("rate_limited", reason, final=wait is not None, retry_after=wait)
    if status in _TEMPORARY or status > 504:
        raise UnreadableError("network", reason)
    if status < 400:
        raise UnreadableError("content_empty", f"{reason} without a target")
    raise UnreadableError("blocked", reason)


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
        return reading.model_copy(update={"complete": False, "notes": (_PAYWALL_NOTE,)})
    if kind == "script_shell":
        candidate = reading.model_copy(update={"wall": None}) if reading.word_count else None
        reason = f"empty until its script runs ({evidence})"
        raise UnreadableError("content_empty", reason, candidate=candidate)
    reason = f"a {_WALL_NAMES.get(kind, kind)} page ({evidence})"
    raise UnreadableError(_WALL_ERRORS[kind], reason)
