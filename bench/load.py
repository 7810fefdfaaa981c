"""A minimal HTTP client on one keep-alive connection. Without the SDK, it uses little CPU."""

import asyncio
import json
import time
from dataclasses import dataclass, field

from bench.mcp_messages import Protocol
from bench.process import TIMEOUT, Message

END_OF_CHUNKS = b"\r\n0\r\n\r\n"


@dataclass
class Client:
    """One MCP client on one connection; protocol versions with a handshake also have a session."""

    protocol: Protocol
    port: int
    session: str | None = None
    latencies_ms: list[float] = field(default_factory=list[float])
    _number: int = 1

    async def connect(self) -> None:
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self.port)
        for message in self.protocol.opening:
            await self.post(message)

    async def close(self) -> None:
        self._writer.close()
        await self._writer.wait_closed()

    async def echo(self, times: int) -> None:
        """Call echo `times` times, one after the other."""
        for _ in range(times):
            self._number += 1
            message = self.protocol.echo(self._number)
            before = time.perf_counter()
            reply = await self.post(message)
            self.latencies_ms.append((time.perf_counter() - before) * 1e3)
            if b'"hello world"' not in reply or b'"isError":true' in reply:
                raise SystemExit(f"echo failed: {reply.decode(errors='replace')}")

    async def post(self, message: Message) -> bytes:
        body = json.dumps(message, separators=(",", ":")).encode()
        lines = [
            "POST /mcp HTTP/1.1",
            f"Host: 127.0.0.1:{self.port}",
            "Content-Type: application/json",
            "Accept: application/json, text/event-stream",
            f"Content-Length: {len(body)}",
            *self.protocol.headers(message),
        ]
        if self.session:
            lines.append(f"Mcp-Session-Id: {self.session}")
        self._writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
        return await asyncio.wait_for(self._reply(), TIMEOUT)

    async def _reply(self) -> bytes:
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        status, *lines = head.rstrip().split("\r\n")
        headers = {name.lower(): value for name, _, value in (x.partition(": ") for x in lines)}
        if headers.get("transfer-encoding") == "chunked":
            reply = await self._reader.readuntil(END_OF_CHUNKS)
        else:
            reply = await self._reader.readexactly(int(headers.get("content-length", "0")))
        if not status.startswith("HTTP/1.1 2"):
            raise SystemExit(f"{status}: {reply.decode(errors='replace')}")
        self.session = headers.get("mcp-session-id", self.session)
        return reply


async def until_listening(port: int) -> None:
    """Return once something accepts connections on `port`."""
    deadline = time.monotonic() + TIMEOUT
    while time.monotonic() < deadline:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.05)
            continue
        writer.close()
        await writer.wait_closed()
        return
    raise SystemExit(f"nothing listens on port {port}; start the server yourself to see its error")
