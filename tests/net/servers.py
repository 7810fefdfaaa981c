"""Small servers on loopback that answer exactly what a test says."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from webquarry.net.client.headers import Headers

Handler = Callable[["Asked"], Awaitable[None]]
Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@dataclass(frozen=True)
class Asked:
    """One request, and the connection to answer it on."""

    method: str
    target: str
    headers: Headers
    body: bytes
    writer: asyncio.StreamWriter

    async def answer(self, status: int = 200, body: bytes = b"", **headers: str) -> None:
        """Send a complete answer; `content_type="..."` becomes Content-Type."""
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        fields["content-length"] = str(len(body))
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        await self.raw(f"HTTP/1.1 {status} X\r\n{head}\r\n".encode("latin-1") + body)

    async def raw(self, data: bytes) -> None:
        """Send bytes as they are."""
        self.writer.write(data)
        await self.writer.drain()

    def hang_up(self) -> None:
        """Close the connection."""
        self.writer.close()


@dataclass
class Site:
    """A running server and what it was asked."""

    port: int
    asked: list[Asked] = field(default_factory=list[Asked])

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    @property
    def targets(self) -> list[str]:
        return [asked.target for asked in self.asked]


async def _read(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Asked:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    line, *fields = head.strip().split("\r\n")
    method, target, _ = line.split(" ")
    headers = Headers(
        (name, value.strip()) for name, _, value in (f.partition(":") for f in fields)
    )
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Asked(method, target, headers, body, writer)


@asynccontextmanager
async def listen(talk: Talk) -> AsyncGenerator[int]:
    """Hold each conversation with `talk` inside the block; yields the port."""
    talks: set[asyncio.Task[None]] = set()

    async def held(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await talk(reader, writer)
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    def welcome(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(held(reader, writer))
        talks.add(task)
        task.add_done_callback(talks.discard)

    server = await asyncio.start_server(welcome, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in tuple(talks):
            task.cancel()
        await asyncio.gather(*talks, return_exceptions=True)


@asynccontextmanager
async def serve(handler: Handler) -> AsyncGenerator[Site]:
    """Answer requests with `handler` inside the block."""
    site = Site(0)

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while not writer.is_closing():
            asked = await _read(reader, writer)
            site.asked.append(asked)
            await handler(asked)

    async with listen(talk) as port:
        site.port = port
        yield site


def pages(answers: Mapping[str, bytes | tuple[int, dict[str, str]]]) -> Handler:
    """Answer a path with a body, or with a status and headers; anything else is not found."""

    async def handle(asked: Asked) -> None:
        found = answers.get(asked.target.partition("?")[0])
        if found is None:
            await asked.answer(404)
        elif isinstance(found, bytes):
            await asked.answer(200, found, content_type="text/html")
        else:
            await asked.answer(found[0], b"", **found[1])

    return handle
