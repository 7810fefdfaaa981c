"""Serves a client's first requests while the real server loads."""

import _thread
import json
import os
import select
from collections.abc import Callable
from typing import Any, NamedTuple

from webquarry.front import snapshot_requests
from webquarry.front.snapshot import ProtocolSnapshot

CHUNK = 65_536
IDLE = 0.04  # seconds without a request after which loading starts


class Handover(NamedTuple):
    """The connection as the fast start leaves it to the real server."""

    read_fd: int
    write_fd: int
    unread: bytes
    replay: tuple[bytes, ...]
    answered: frozenset[Any]


class Front:
    """Answers from the snapshot until the real server is ready or is needed."""

    def __init__(
        self, read_fd: int, write_fd: int, snapshot: ProtocolSnapshot, load: Callable[[], object]
    ) -> None:
        self._read_fd = read_fd
        self._write_fd = write_fd
        self._snapshot = snapshot
        self._load = load
        self._loaded, self._done = os.pipe()
        self._loading = False
        self._listed = False
        self._buffer = b""
        self._version: str | None = None  # negotiated by the first request
        self._modern = False
        self._views = False  # the client shows views, which the tools of the snapshot lack
        self._opening: bytes = b""
        self._initialized: bytes = b""
        self._answered: set[Any] = set()

    def run(self) -> Handover | None:
        """Serve until the real server is loaded; None if the client disconnects before."""
        while not self._answer_lines():  # True: a request needs the real server
            if self._listed:
                self._start_loading()
            timeout = None if self._loading else IDLE
            ready = select.select([self._read_fd, self._loaded], [], [], timeout)[0]
            if self._loaded in ready:
                break
            if not ready:
                self._start_loading()
            elif not self._read():
                if not self._buffer:
                    return None
                break
        self._start_loading()
        os.read(self._loaded, 1)
        replay = tuple(line for line in (self._opening, self._initialized) if line)
        answered = frozenset(self._answered)
        return Handover(self._read_fd, self._write_fd, self._buffer, replay, answered)

    def _start_loading(self) -> None:
        if self._loading:
            return
        self._loading = True
        # imported by the main thread: `threading` takes the importing thread for the main thread
        import threading  # noqa: F401  # pyright: ignore[reportUnusedImport]

        _thread.start_new_thread(self._load_and_signal, ())

    def _load_and_signal(self) -> None:
        try:
            self._load()
        finally:
            os.write(self._done, b"x")

    def _read(self) -> bool:
        chunk = os.read(self._read_fd, CHUNK)
        self._buffer += chunk
        return bool(chunk)

    def _answer_lines(self) -> bool:
        """Answer complete lines; return whether one needs the real server."""
        while (end := self._buffer.find(b"\n")) >= 0:
            line = self._buffer[:end]
            if not self._answer(line):
                return True
            self._buffer = self._buffer[end + 1 :]
        return False

    def _answer(self, line: bytes) -> bool:
        message = snapshot_requests.parse(line)
        if message is None:
            return False
        if "id" not in message:
            return self._store_notification(message, line)
        result = self._result(message, line)
        if result is None:
            return False
        reply = f'{{"jsonrpc":"2.0","id":{json.dumps(message["id"])},"result":{result}}}\n'
        data = reply.encode()
        while data:
            data = data[os.write(self._write_fd, data) :]
        return True

    def _store_notification(self, message: snapshot_requests.Message, line: bytes) -> bool:
        """Store the notification of the handshake for the real server."""
        expected = message["method"] == "notifications/initialized" and snapshot_requests.is_bare(
            message
        )
        if not expected or self._modern or not self._version or self._initialized:
            return False
        self._initialized = line
        return True

    def _result(self, message: snapshot_requests.Message, line: bytes) -> str | None:
        method = message["method"]
        if method == "initialize":
            return self._open(message, line)
        modern = snapshot_requests.envelope_version(message)
        if not snapshot_requests.is_bare(message) or (
            modern is None and self._has_envelope(message)
        ):
            return None
        if modern is not None:
            return self._modern_result(method, modern, message, line)
        if self._version is None or self._modern:
            return None
        if method == "ping":
            return "{}"
        listed = method == "tools/list" and not self._views
        return self._list(self._version) if listed else None

    def _open(self, message: snapshot_requests.Message, line: bytes) -> str | None:
        version = snapshot_requests.handshake_version(message)
        if version is None or self._version is not None:
            return None
        result = self._snapshot.initialize(version)
        if result is not None:
            self._start_session(version, message, line)
            self._views = snapshot_requests.declares_views(message)
        return result

    def _modern_result(
        self, method: str, version: str, message: snapshot_requests.Message, line: bytes
    ) -> str | None:
        if self._version is not None and (not self._modern or self._version != version):
            return None
        result = None
        if method == "server/discover":
            result = self._snapshot.discover(version)
        elif method == "tools/list" and not snapshot_requests.declares_views(message):
            result = self._list(version) if self._snapshot.discover(version) else None
        if result is not None and self._version is None:
            self._modern = True
            self._start_session(version, message, line)
        return result

    def _list(self, version: str) -> str | None:
        result = self._snapshot.tools(version)
        self._listed = result is not None
        return result

    def _start_session(self, version: str, message: snapshot_requests.Message, line: bytes) -> None:
        self._version = version
        self._opening = line
        self._answered.add(message["id"])

    @staticmethod
    def _has_envelope(message: snapshot_requests.Message) -> bool:
        meta = message.get("params", {}).get("_meta", {})
        return type(meta) is dict and snapshot_requests.VERSION_KEY in meta
