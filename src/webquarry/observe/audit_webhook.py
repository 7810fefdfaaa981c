"""Posts audit events to the operator's webhook, with retries."""

import http.client
import json
import logging
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from typing import Any

from webquarry.observe.background_writer import BackgroundWriter, Body
from webquarry.version import __version__

_LOG = logging.getLogger(__name__)
_TIMEOUT = 5.0
_FIRST_WAIT, _MAX_WAIT = 1.0, 60.0
_CLOSE_TIMEOUT = 5.0
_RETRYABLE = frozenset({408, 425, 429})

Post = Callable[[str, bytes], int]


def post(url: str, body: bytes) -> int:
    """Send JSON and return the status; raise OSError without a response."""
    headers = {"Content-Type": "application/json", "User-Agent": f"webquarry/{__version__}"}
    # the operator's own URL; the settings allow http and https only
    request = urllib.request.Request(url, body, headers)  # noqa: S310
    try:
        # as above
        with urllib.request.urlopen(request, timeout=_TIMEOUT) as response:  # noqa: S310
            return int(response.status)
    except urllib.error.HTTPError as error:
        return error.code
    except http.client.HTTPException as error:
        raise OSError(str(error)) from error


class AuditWebhook:
    """Posts one event at a time, in order. A full queue loses events, but never fails a call."""

    def __init__(
        self,
        url: str,
        *,
        size: int,
        send: Post = post,
        wait: Callable[[float], bool] | None = None,
    ) -> None:
        self._url = url
        self._send = send
        self._closing = threading.Event()
        self._wait = wait or self._closing.wait  # returns whether `close` was called
        self._queue = BackgroundWriter(size, self._deliver, "audit webhook")
        self.dropped = 0

    def enqueue(self, body: Mapping[str, Any]) -> None:
        """Queue an event."""
        if not self._queue.put(dict(body)):
            self.dropped += 1

    def close(self) -> None:
        """Send the queued events, for a few seconds at most."""
        self._closing.set()
        if not self._queue.close(_CLOSE_TIMEOUT):
            _LOG.warning("some audit events were not sent to the webhook before shutdown")

    def _deliver(self, body: Body) -> None:
        text = json.dumps(body).encode()
        wait = _FIRST_WAIT
        while True:
            try:
                status = self._send(self._url, text)
            except OSError as error:
                problem = str(error)
            else:
                if status < 400:
                    return
                problem = f"HTTP {status}"
                if status < 500 and status not in _RETRYABLE:
                    break  # a retry would fail as well
            if self._wait(wait):
                break
            wait = min(2 * wait, _MAX_WAIT)
        self.dropped += 1
        _LOG.warning("an audit event could not be sent to the webhook: %s", problem)
