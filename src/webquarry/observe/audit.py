"""The audit log: one JSON line for each event, hash-chained so that changes are detected."""

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
from webquarry.observe.chain_keys import earlier_keys, record_rotation
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
    """One event. The log adds the time, the request id and the hash."""

    event_type: str  # like tool_call, auth.failure, data.erasure
    tenant_id: str
    user_id: str
    success: bool
    request_id: str = ""  # empty: that of the current call
    session_id: str = ""
    tool_name: str = ""
    source_ip: str = ""
    duration_ms: float | None = None
    error_code: str = ""
    query: str | None = None  # logged with `include_request_body`, otherwise its length
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, kw_only=True)
class AuditFile:
    """Where the audit log is written, and how."""

    path: Path | None = None  # None: stderr
    key: bytes | None = None  # None: no hash chain
    previous_key: bytes | None = None  # before the last rotation
    include_request_body: bool = False
    secrets: Iterable[str] = ()
    rotation: Rotation | None = None  # None: the file grows without limit
    buffer: int = 0  # events that may wait for a slow sink; 0: write each at once
    webhook: "AuditWebhook | None" = None


class AuditLog:
    """Writes events. A failing disk loses events, but never fails the call."""

    def __init__(
        self,
        options: AuditFile,
        *,
        clock: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._options = options
        self._secrets = tuple(options.secrets)
        self._clock = clock
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._warned_at = float("-inf")
        self._sink = self._open(options)
        self.dropped = 0

    def _open(self, options: AuditFile) -> Sink:
        seal, path = _seal(options), options.path
        sink: FastSink = ChainedFile(path, seal, options.rotation) if path else _Stderr(seal)
        if not options.buffer:
            return sink
        # each process has its own file and empties it
        spill_file = path.with_name(f"{path.name}.swap-{os.getpid()}") if path else None
        return DiskQueue(sink, size=options.buffer, spill_file=spill_file, on_loss=self._count_loss)

    def log(self, event: AuditEvent) -> None:
        """Write one event; a failure is counted in `dropped` and logged."""
        body = self._body(event)
        with self._lock:
            try:
                self._sink.append(body)
            # a closed stderr raises ValueError
            except (OSError, ValueError) as error:
                self._count_loss(error)
        if self._options.webhook:
            self._options.webhook.enqueue(body)

    def close(self) -> None:
        """Write queued events and close the file; the next event opens it again."""
        with self._lock, contextlib.suppress(OSError):
            self._sink.close()
        if self._options.webhook:
            self._options.webhook.close()

    def _count_loss(self, error: Exception) -> None:
        self.dropped += 1
        now = self._monotonic()
        if now - self._warned_at >= _WARN_EVERY:
            self._warned_at = now
            _LOG.warning("audit events were lost: %s", error, extra={"dropped": self.dropped})

    def _body(self, event: AuditEvent) -> dict[str, Any]:
        metadata: dict[str, Any] = mask_value(event.metadata, self._secrets)
        if event.query is not None and self._options.include_request_body:
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


def _seal(options: AuditFile) -> ChainSeal | None:
    """Return the seal; it continues a file that was begun with an earlier key."""
    key, path = options.key, options.path
    if key is None or path is None:
        return ChainSeal(key) if key else None
    try:
        record_rotation(path, key, options.previous_key)
        return ChainSeal(key, earlier_keys(path, key))
    except OSError as error:
        _LOG.warning("the earlier keys of the audit log cannot be read: %s", error)
        return ChainSeal(key)


class _Stderr:
    """Writes events to stderr; their hash chain starts with the process."""

    def __init__(self, seal: ChainSeal | None) -> None:
        self._seal = seal
        self._last = ""

    def append(self, body: Mapping[str, Any]) -> None:
        self._write(*self._line(body))

    def try_append(self, body: Mapping[str, Any]) -> bool:
        """Write the line if that cannot block, as it would on a full pipe."""
        if not _is_writable(sys.stderr):
            return False
        line, last = self._line(body)
        if len(line) >= select.PIPE_BUF:  # more than a writable pipe surely takes
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


def _is_writable(stream: TextIO) -> bool:
    """Return whether a line can be written without blocking; False if unknown."""
    if not hasattr(select, "poll"):  # Windows
        return False
    try:
        descriptor = stream.fileno()
    # not a file, closed, or None
    except (OSError, ValueError, AttributeError):
        return False
    poll = select.poll()
    poll.register(descriptor, select.POLLOUT)
    return poll.poll(0) == [(descriptor, select.POLLOUT)]
