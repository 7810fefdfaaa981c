"""The audit trail: who did what, one JSON line each, chained so that changes show."""

import contextlib
import json
import logging
import os
import select
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from webquarry.observe import call_context
from webquarry.observe.disk_queue import DiskQueue, FastSink, Sink
from webquarry.observe.hash_chain import ChainedFile, ChainSeal, Verification, verify
from webquarry.observe.mask import mask, mask_value
from webquarry.observe.rotation import Rotation
from webquarry.observe.timestamp import rfc3339

if TYPE_CHECKING:
    from webquarry.observe.audit_webhook import AuditWebhook

__all__ = ["AuditEvent", "AuditFile", "AuditLog", "Verification", "verify"]

_LOG = logging.getLogger(__name__)
_WARN_EVERY = 60.0


@dataclass(frozen=True, kw_only=True)
class AuditEvent:
    """Something worth recording; the trail adds the time, the request and the chain."""

    event_type: str  # like tool_call, auth.failure, data.erasure
    tenant_id: str
    user_id: str
    success: bool
    request_id: str = ""  # empty takes that of the current request
    session_id: str = ""
    tool_name: str = ""
    source_ip: str = ""
    duration_ms: float | None = None
    error_code: str = ""
    query: str | None = None  # written only if the operator wants it, otherwise its length
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, kw_only=True)
class AuditFile:
    """How an audit trail is kept."""

    path: Path | None = None  # None writes to stderr
    key: bytes | None = None  # None writes no chain
    include_request_body: bool = False
    secrets: Iterable[str] = ()
    rotation: Rotation | None = None  # None lets the file grow
    buffer: int = 0  # events that may wait for a slow sink; 0 writes each at once
    webhook: "AuditWebhook | None" = None


class AuditLog:
    """Writes events. A failing disk costs events, never the call they are about."""

    def __init__(
        self,
        trail: AuditFile,
        *,
        clock: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._trail = trail
        self._secrets = tuple(trail.secrets)
        self._clock = clock
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._warned_at = float("-inf")
        self._sink = self._opened(trail)
        self.dropped = 0

    @property
    def spilled(self) -> int:
        """How many events had to wait on disk."""
        return self._sink.spilled if isinstance(self._sink, DiskQueue) else 0

    def _opened(self, trail: AuditFile) -> Sink:
        seal = ChainSeal(trail.key) if trail.key else None
        path = trail.path
        sink: FastSink = ChainedFile(path, seal, trail.rotation) if path else _Stderr(seal)
        if not trail.buffer:
            return sink
        # one per process, as each empties its own
        swap = path.with_name(f"{path.name}.swap-{os.getpid()}") if path else None
        return DiskQueue(sink, size=trail.buffer, swap=swap, lost=self._lose)

    def log(self, event: AuditEvent) -> None:
        """Write one event; a failure to do so is counted in `dropped` and warned about."""
        body = self._body(event)
        with self._lock:
            try:
                self._sink.append(body)
            # a closed stderr is a ValueError
            except (OSError, ValueError) as error:
                self._lose(error)
        if self._trail.webhook:
            self._trail.webhook.offer(body)

    def close(self) -> None:
        """Write what waits and release the file; a later event opens it again."""
        with self._lock, contextlib.suppress(OSError):
            self._sink.close()
        if self._trail.webhook:
            self._trail.webhook.close()

    def _lose(self, error: Exception) -> None:
        self.dropped += 1
        self._warn(error)

    def _warn(self, error: Exception) -> None:
        now = self._monotonic()
        if now - self._warned_at >= _WARN_EVERY:
            self._warned_at = now
            _LOG.warning("audit events are lost: %s", error, extra={"dropped": self.dropped})

    def _body(self, event: AuditEvent) -> dict[str, Any]:
        metadata: dict[str, Any] = mask_value(event.metadata, self._secrets)
        if event.query is not None and self._trail.include_request_body:
            metadata["query"] = mask(event.query, self._secrets)
        elif event.query is not None:
            metadata["query_length"] = len(event.query)
        optional = {
            "session_id": event.session_id,
            "tool_name": event.tool_name,
            "source_ip": event.source_ip,
            "duration_ms": None if event.duration_ms is None else round(event.duration_ms, 3),
            "error_code": event.error_code,
            "metadata": metadata,
        }
        return {
            "timestamp": rfc3339(self._clock()),
            "event_type": event.event_type,
            "tenant_id": event.tenant_id,
            "user_id": event.user_id,
            "request_id": event.request_id or call_context.request_id.get(),
            "success": event.success,
            **{name: value for name, value in optional.items() if value not in (None, "", {})},
        }


class _Stderr:
    """Events on stderr; their chain begins with the process."""

    def __init__(self, seal: ChainSeal | None) -> None:
        self._seal = seal
        self._last = ""

    def append(self, body: Mapping[str, Any]) -> None:
        self._write(*self._line(body))

    def at_once(self, body: Mapping[str, Any]) -> bool:
        """Write the line if there is room for it now: a pipe that nobody reads has none."""
        if not _has_room(sys.stderr):
            return False
        line, last = self._line(body)
        if len(line) >= select.PIPE_BUF:  # more than the room that there is for sure
            return False
        self._write(line, last)
        return True

    def _line(self, body: Mapping[str, Any]) -> tuple[str, str]:
        return self._seal.line(body, self._last) if self._seal else (json.dumps(body), "")

    def _write(self, line: str, last: str) -> None:
        sys.stderr.write(line + "\n")
        sys.stderr.flush()
        self._last = last

    def close(self) -> None:
        """Leave stderr open: it belongs to the process."""


def _has_room(stream: TextIO) -> bool:
    """Tell whether a line can be written without waiting; False when that cannot be told."""
    if not hasattr(select, "poll"):  # Windows
        return False
    try:
        descriptor = stream.fileno()
    # not a file, closed, or none at all
    except (OSError, ValueError, AttributeError):
        return False
    room = select.poll()
    room.register(descriptor, select.POLLOUT)
    return room.poll(0) == [(descriptor, select.POLLOUT)]
