"""What the status of an answer means for reading the page."""

from webquarry.net.clock import Clock
from webquarry.net.fetch import FetchedResponse
from webquarry.net.upstream.http_port import Response
from webquarry.net.upstream.status_errors import wait_of
from webquarry.reading.tiers.read_errors import UnreadableError

_GONE = frozenset({404, 410})
_LOGIN = frozenset({401, 402, 407})
_LATER = frozenset({408, 425, 500, 502, 504})


def check_status(fetched: FetchedResponse, clock: Clock) -> None:
    """Raise `UnreadableError` unless the answer carries the page."""
    status, words = fetched.status, f"HTTP {fetched.status}"
    if status < 300:
        if fetched.content:
            return
        raise UnreadableError("content_empty", "empty")
    if status in _GONE:
        raise UnreadableError("not_found", words, final=True)
    if status in _LOGIN:
        raise UnreadableError("auth_required", words, final=True)
    if status == 429:
        asked = Response(status=status, headers=fetched.headers)
        wait = wait_of(asked, clock.today())
        # who says when to come back means it; others only want no robots
        raise UnreadableError("rate_limited", words, final=wait is not None, retry_after=wait)
    if status in _LATER or status > 504:
        raise UnreadableError("network", words)
    if status < 400:
        raise UnreadableError("content_empty", f"{words} without a target")
    raise UnreadableError("blocked", words)
