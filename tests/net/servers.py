"""Small servers on loopback with scripted responses."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from webquarry.net.client.response import Headers

Handler = Callable[["ReceivedRequest"], Awaitable[None]]
ConnectionHandler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@dataclass(frozen=True)
class ReceivedRequest:
    """One request, and its connection for the response."""

    method: str
    target: str
    headers: Headers
    body: bytes
    writer: asyncio.StreamWriter

    async def respond(self, status: int = 200, body: bytes = b"", **headers: str) -> None:
        """Send a complete response; `content_type="..."` becomes Content-Type."""
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        fields["content-length"] = str(len(body))
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        await self.send_raw(f"HTTP/1.1 {status} X\r\n{head}\r\n".encode("latin-1") + body)

    async def send_raw(self, data: bytes) -> None:
        """Send bytes as they are."""
        self.writer.write(data)
        await self.writer.drain()

    def close(self) -> None:
        """Close the connection."""
        self.writer.close()


@dataclass
class Site:
    """A running server and the requests it received."""

    port: int
    requests: list[ReceivedRequest] = field(default_factory=list[ReceivedRequest])

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    @property
    def targets(self) -> list[str]:
        return [request.target for request in self.requests]


async def _read(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> ReceivedRequest:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    line, *fields = head.strip().split("\r\n")
    method, target, _ = line.split(" ")
    headers = Headers(
        (name, value.strip()) for name, _, value in (f.partition(":") for f in fields)
    )
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return ReceivedRequest(method, target, headers, body, writer)


@asynccontextmanager
async def listen(handle_connection: ConnectionHandler) -> AsyncGenerator[int]:
    """Serve each connection with `handle_connection` while the block runs; yields the port."""
    connections: set[asyncio.Task[None]] = set()

    async def run_connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await handle_connection(reader, writer)
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(run_connection(reader, writer))
        connections.add(task)
        task.add_done_callback(connections.discard)

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in tuple(connections):
            task.cancel()
        await asyncio.gather(*connections, return_exceptions=True)


@asynccontextmanager
async def serve(handler: Handler) -> AsyncGenerator[Site]:
    """Respond to requests with `handler` while the block runs."""
    site = Site(0)

    async def handle_connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while not writer.is_closing():
            request = await _read(reader, writer)
            site.requests.append(request)
            await handler(request)

    async with listen(handle_connection) as port:
        site.port = port
        yield site


def pages(answers: Mapping[str, bytes | tuple[int, dict[str, str]]]) -> Handler:
    """Respond to a path with a body, or with a status and headers; anything else is not found."""

    async def handle(request: ReceivedRequest) -> None:
        found = answers.get(request.target.partition("?")[0])
        if found is None:
            await request.respond(404)
        elif isinstance(found, bytes):
            await request.respond(200, found, content_type="text/html")
        else:
            await request.respond(found[0], b"", **found[1])

    return handle
