"""MCP over stdin and stdout, directly on the event loop: no threads, no polling."""

import asyncio
import os
import stat
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.runner import serve_loop
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from webquarry.server.json_rpc import is_stateless, parse_error, parse_message, wrong_era_error

MAX_LINE = 10 * 1024 * 1024
GRACE = 1.0  # seconds for running requests to finish after the client has closed stdin
CHUNK = 65_536


@dataclass(frozen=True)
class StdioConnection:
    """The descriptors, and what the fast start read before the server was loaded."""

    read_fd: int = 0
    write_fd: int = 1
    unread: bytes = b""
    # messages that the fast start has answered: the server processes them, but the client must
    # not get a second response to the request ids in `answered`
    replay: tuple[bytes, ...] = ()
    answered: frozenset[int | str] = frozenset()
    max_line: int = MAX_LINE


async def serve(server: Server[Any], connection: StdioConnection) -> None:
    """Serve one client until it closes its end."""
    writer = await _Writer.open(connection)
    reader = await _Reader.open(connection, writer)
    options = server.create_initialization_options()
    try:
        if await reader.opens_with_handshake():
            # the same as `run`, but without a task for each message
            async with server.lifespan(server) as state:
                await serve_loop(server, reader, writer, lifespan_state=state, init_options=options)
        else:
            await server.run(reader, writer, options)
    finally:
        await writer.drain()
        reader.stop()


class _Stream:
    """The context manager methods that the SDK expects of a stream."""

    async def aclose(self) -> None:
        return None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        return None


class _Flow(asyncio.BaseProtocol):
    """Flow control: whether the pipe accepts more data."""

    def __init__(self) -> None:
        self.ready = asyncio.Event()
        self.ready.set()
        self.lost = False

    def pause_writing(self) -> None:
        self.ready.clear()

    def resume_writing(self) -> None:
        self.ready.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost = True
        self.ready.set()


@dataclass
class _Writer(_Stream):
    """Writes messages; waits only if the client reads too slowly."""

    fd: int
    answered: set[int | str]
    transport: asyncio.WriteTransport | None = None
    flow: _Flow = field(default_factory=_Flow)
    pending: set[int | str] = field(default_factory=set[int | str])
    idle: asyncio.Event = field(default_factory=asyncio.Event)

    @classmethod
    async def open(cls, connection: StdioConnection) -> "_Writer":
        writer = cls(connection.write_fd, set(connection.answered))
        if _is_pipe_or_socket(connection.write_fd):
            loop = asyncio.get_running_loop()
            pipe = os.fdopen(connection.write_fd, "wb", buffering=0, closefd=False)
            writer.transport, _ = await loop.connect_write_pipe(lambda: writer.flow, pipe)
        return writer

    async def send(self, item: SessionMessage, /) -> None:
        message = item.message
        if isinstance(message, types.JSONRPCResponse | types.JSONRPCError):
            self._remove_pending(message.id)
            if message.id in self.answered:
                self.answered.discard(message.id)
                return
        await self.write(message.model_dump_json(by_alias=True, exclude_unset=True).encode())

    async def write(self, line: bytes) -> None:
        if self.transport is None:
            data = line + b"\n"
            while data:
                data = data[os.write(self.fd, data) :]
        else:
            self.transport.write(line + b"\n")
            await self.flow.ready.wait()

    async def drain(self) -> None:
        """Wait until everything written has left the process."""
        if self.transport is not None and not self.flow.lost:
            self.transport.set_write_buffer_limits(high=0)
            await self.flow.ready.wait()

    def expect(self, request: int | str) -> None:
        self.pending.add(request)
        self.idle.clear()

    def _remove_pending(self, request: int | str | None) -> None:
        if request is not None:
            self.pending.discard(request)
        if not self.pending:
            self.idle.set()


class _Reader(_Stream):
    """Yields messages; an invalid line gets an error response."""

    def __init__(self, connection: StdioConnection, writer: _Writer) -> None:
        self._writer = writer
        self._max_line = connection.max_line
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._first: SessionMessage | None = None  # read ahead to see how the client starts
        self._handshake = False
        self._buffer = bytearray()
        self._skipping = False
        self._stop: Callable[[], None] = lambda: None
        for line in connection.replay:
            self._lines.put_nowait(line)
        if connection.unread:
            self.data_received(connection.unread)

    @classmethod
    async def open(cls, connection: StdioConnection, writer: _Writer) -> "_Reader":
        reader = cls(connection, writer)
        loop = asyncio.get_running_loop()
        if _is_pipe_or_socket(connection.read_fd):
            pipe = os.fdopen(connection.read_fd, "rb", buffering=0, closefd=False)
            transport, _ = await loop.connect_read_pipe(lambda: _Feed(reader), pipe)
            reader._stop = transport.close
        else:
            threading.Thread(
                target=_pump, args=(connection.read_fd, loop, reader), daemon=True, name="stdin"
            ).start()
        return reader

    def stop(self) -> None:
        self._stop()

    def data_received(self, chunk: bytes) -> None:
        self._buffer += chunk
        while (end := self._buffer.find(b"\n")) >= 0:
            line = bytes(self._buffer[:end])
            del self._buffer[: end + 1]
            if self._skipping:
                self._skipping = False
            else:
                self._lines.put_nowait(line)
        if len(self._buffer) > self._max_line:
            if not self._skipping:
                self._lines.put_nowait(b'{"too long"')  # leads to a parse error, in order
            self._skipping = True
            self._buffer.clear()

    def eof_received(self) -> None:
        if self._buffer and not self._skipping:
            self._lines.put_nowait(bytes(self._buffer))
        self._buffer.clear()
        self._lines.put_nowait(None)

    def __aiter__(self) -> Self:
        return self

    async def opens_with_handshake(self) -> bool:
        """Return whether the first message is `initialize`, without consuming it."""
        try:
            self._first = await self.__anext__()
        except StopAsyncIteration:
            return False
        message = self._first.message
        self._handshake = (
            isinstance(message, types.JSONRPCRequest) and message.method == "initialize"
        )
        return self._handshake

    async def __anext__(self) -> SessionMessage:
        if self._first is not None:
            first, self._first = self._first, None
            return first
        while (line := await self._lines.get()) is not None:
            if not line.strip():
                continue
            try:
                message = parse_message(line)
            except ValidationError as exc:
                await self._writer.write(parse_error(exc))
                continue
            if isinstance(message, types.JSONRPCRequest):
                self._writer.expect(message.id)
                if self._handshake and is_stateless(message):
                    await self._writer.send(SessionMessage(wrong_era_error(message.id)))
                    continue
            return SessionMessage(message)
        self._lines.put_nowait(None)  # the SDK reads the end twice
        await self._wait_until_idle()
        raise StopAsyncIteration

    async def receive(self) -> SessionMessage:
        return await self.__anext__()

    async def _wait_until_idle(self) -> None:
        """Let running requests finish: scripts send all requests and close stdin."""
        if self._writer.pending:
            try:
                await asyncio.wait_for(self._writer.idle.wait(), GRACE)
            except TimeoutError:
                return


@dataclass
class _Feed(asyncio.Protocol):
    """Passes bytes from the event loop to the reader."""

    reader: _Reader

    def data_received(self, data: bytes) -> None:
        self.reader.data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self.reader.eof_received()


def _is_pipe_or_socket(fd: int) -> bool:
    """Return False for files and terminals, which not every event loop can wait for."""
    mode = os.fstat(fd).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def _pump(fd: int, loop: asyncio.AbstractEventLoop, reader: _Reader) -> None:
    try:
        while chunk := os.read(fd, CHUNK):
            loop.call_soon_threadsafe(reader.data_received, chunk)
        loop.call_soon_threadsafe(reader.eof_received)
    except RuntimeError:  # the event loop has been closed
        return
