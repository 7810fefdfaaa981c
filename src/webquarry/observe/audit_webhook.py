"""Sends audit events to an address of the operator's, again and again until it takes them."""

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
_FIRST_WAIT, _LONGEST_WAIT = 1.0, 60.0
_CLOSING = 5.0
_AGAIN = frozenset({408, 425, 429})

Post = Callable[[str, bytes], int]


def post(url: str, body: bytes) -> int:
    """Send JSON and return the status; OSError when there was no answer."""
    headers = {"Content-Type": "application/json", "User-Agent": f"webquarry/{__version__}"}
    # the operator's own address, checked to be http or https when the settings were read
    request = urllib.request.Request(url, body, headers)  # noqa: S310
    try:
        # as above: checked when the settings were read
        with urllib.request.urlopen(request, timeout=_TIMEOUT) as response:  # noqa: S310
            return int(response.status)
    except urllib.error.HTTPError as error:
        return error.code
    except http.client.HTTPException as error:
        raise OSError(str(error)) from error


class AuditWebhook:
    """Posts one event at a time, in order; a full queue costs events, never a call."""

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
        self._wait = wait or self._closing.wait  # returns whether the process is ending
        self._backlog = BackgroundWriter(size, self._deliver, "audit webhook")
        self.dropped = 0

    def offer(self, body: Mapping[str, Any]) -> None:
        """Queue an event."""
        if not self._backlog.put(dict(body)):
            self.dropped += 1

    def close(self) -> None:
        """Try for a little while to send what is left."""
        self._closing.set()
        if not self._backlog.close(_CLOSING):
            _LOG.warning("audit events were not sent to the webhook before the end")

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
                if status < 500 and status not in _AGAIN:
                    break  # it will never take this one
            if self._wait(wait):
                break
            wait = min(2 * wait, _LONGEST_WAIT)
        self.dropped += 1
        _LOG.warning("the audit webhook refused an event: %s", problem)
