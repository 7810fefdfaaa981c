"""Whether what a tier read is the page that was asked for."""

from collections.abc import Callable

from webquarry.errors import Kind
from webquarry.models.page import PageContent, WallKind
from webquarry.models.reading import Reading
from webquarry.reading.tiers.read_errors import UnreadableError

LEAST_BYTES = 100
_PAYWALL = "The page shows this much and asks for a subscription for the rest."
_KINDS: dict[WallKind, Kind] = {
    "captcha": "blocked",
    "blocked": "blocked",
    "consent": "blocked",
    "login": "auth_required",
    "not_found": "not_found",
    "script_shell": "content_empty",
}


def judge(reading: Reading, page: PageContent, *, scripted: Callable[[], bool]) -> Reading:
    """Return the reading if it is good; raise `UnreadableError` if another tier should try.

    `scripted` tells whether a browser could find more on the page; few pages need the answer.
    """
    wall = page.wall
    if wall and wall.kind == "paywall":
        update = {"complete": False, "notes": (_PAYWALL,), "wall": wall.kind}
        return reading.model_copy(update=update)
    if wall and wall.kind == "script_shell":
        candidate = reading if page.wordCount else None
        words = f"empty until its script runs ({wall.evidence})"
        raise UnreadableError("content_empty", words, candidate=candidate)
    if wall:
        words = f"{_article(wall.kind)} page ({wall.evidence})"
        raise UnreadableError(_KINDS[wall.kind], words)
    if page.wordCount and len(reading.markdown) >= LEAST_BYTES:
        return reading
    size = len(reading.markdown.encode("utf-8", "replace"))
    if not page.wordCount:
        raise UnreadableError("content_empty", f"{size} bytes")
    if size < LEAST_BYTES and scripted():
        raise UnreadableError("content_empty", f"{size} bytes", candidate=reading)
    return reading


def _article(kind: WallKind) -> str:
    return {"not_found": "a not-found", "blocked": "a block"}.get(kind, f"a {kind}")
