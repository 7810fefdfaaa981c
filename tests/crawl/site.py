"""A web site for crawl tests: an HTTP server in a thread, with a log of its requests."""

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Reply:
    """A response of the site; `endless` sends a body that never ends, a byte at a time."""

    body: bytes = b""
    status: int = 200
    headers: tuple[tuple[str, str], ...] = (("content-type", "text/html; charset=utf-8"),)
    endless: bool = False


@dataclass
class Site:
    """A running site."""

    port: int = 0
    log: list[tuple[float, str]] = field(default_factory=list[tuple[float, str]])
    bodies: list[tuple[str, bytes]] = field(default_factory=list[tuple[str, bytes]])
    headers: list[dict[str, str]] = field(default_factory=list[dict[str, str]])  # of `bodies`
    open_now: int = 0
    max_open: int = 0
    _request_logged: threading.Condition = field(default_factory=threading.Condition)
    is_held: Callable[[str], bool] = lambda path: False  # whether to delay the response

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def request_counts(self) -> Counter[str]:
        """Return how often each path was requested."""
        return Counter(path for _, path in self.log)

    def times(self) -> list[float]:
        """Return the times of the page requests, in Unix seconds."""
        return sorted(at for at, path in self.log if path != "/robots.txt")

    async def wait_for_requests(self, requests: int) -> None:
        """Wait until the log has this many requests."""
        await asyncio.to_thread(self.wait_for_requests_now, requests)

    def record(self, path: str) -> None:
        """Add a request to the log."""
        with self._request_logged:
            self.log.append((time.time(), path))
            self._request_logged.notify_all()

    def wait_for_requests_now(self, requests: int) -> None:
        """Wait in a test without an event loop."""
        with self._request_logged:
            assert self._request_logged.wait_for(lambda: len(self.log) >= requests, 60), len(
                self.log
            )


Handler = Callable[[str, dict[str, str]], Reply]


@contextmanager
def running_site(handler: Handler, *, latency: float = 0.0) -> Generator[Site]:
    """Serve while the block runs."""
    server = _Server(handler, latency)
    server.thread.start()
    assert server.ready.wait(5)
    try:
        yield server.site
    finally:
        server.loop.call_soon_threadsafe(server.stop)
        server.thread.join(5)


class _Server:
    def __init__(self, handler: Handler, latency: float) -> None:
        self.site = Site()
        self.ready = threading.Event()
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self._handler = handler
        self._latency = latency
        self._task: asyncio.Task[None] | None = None

    def stop(self) -> None:
        if self._task:
            self._task.cancel()

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        self._task = self.loop.create_task(self._main())
        try:
            self.loop.run_until_complete(self._task)
        except asyncio.CancelledError:
            for task in asyncio.all_tasks(self.loop):
                task.cancel()
            self.loop.run_until_complete(asyncio.sleep(0.01))
            self.loop.close()

    async def _main(self) -> None:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.site.port = server.sockets[0].getsockname()[1]
        self.ready.set()
        async with server:
            await server.serve_forever()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while line := await reader.readline():
                await _respond(self.site, self._handler, line, (reader, writer), self._latency)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # a killed client, or the end of the test
        finally:
            writer.close()


async def _respond(
    site: Site,
    handler: Handler,
    line: bytes,
    connection: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    latency: float,
) -> None:
    reader, writer = connection
    path = line.split()[1].decode()
    headers: dict[str, str] = {}
    while (field_line := await reader.readline()).strip():
        name, _, value = field_line.decode("latin-1").partition(":")
        headers[name.lower()] = value.strip()
    length = int(headers.get("content-length", "0"))
    if length:
        body = await reader.readexactly(length)
        site.bodies.append((path, body))
        site.headers.append(headers)
    site.record(path)
    site.open_now += 1
    site.max_open = max(site.max_open, site.open_now)
    try:
        if latency and path != "/robots.txt":
            await asyncio.sleep(latency)
        # another thread releases the request
        while site.is_held(path):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        reply = handler(path, headers)
        await _send(writer, reply)
    finally:
        site.open_now -= 1


async def _send(writer: asyncio.StreamWriter, reply: Reply) -> None:
    head = [f"HTTP/1.1 {reply.status} X", *(f"{name}: {value}" for name, value in reply.headers)]
    if not reply.endless:
        head.append(f"content-length: {len(reply.body)}")
    writer.write("\r\n".join((*head, "", "")).encode())
    if reply.endless:
        for _ in range(10_000):
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(0.05)
    writer.write(reply.body)
    await writer.drain()


def page(title: str, links: list[str], text: str = "") -> Reply:
    """Return a page with links."""
    items = "".join(f'<li><a href="{link}">to {link}</a></li>' for link in links)
    body = text or f"{title} says something of its own. " * 12
    html = f"<html><head><title>{title}</title></head><body><main><h1>{title}</h1>"
    return Reply(f"{html}<p>{body}</p><ul>{items}</ul></main></body></html>".encode())


MISSING = Reply(b"no", status=404, headers=(("content-type", "text/plain"),))


def tree(pages: int, width: int = 8, robots: str = "") -> Handler:
    """Return a site of linked pages: /0 links to /1 … /8 and so on, and each to two others."""

    def handle(path: str, headers: dict[str, str]) -> Reply:
        if path == "/robots.txt":
            return Reply(robots.encode(), headers=(("content-type", "text/plain"),))
        if not path[1:].isdigit() or int(path[1:]) >= pages:
            return MISSING
        number = int(path[1:])
        children = [number * width + step for step in range(1, width + 1)]
        others = [(number * 7 + 3) % pages, (number * 31 + 11) % pages]
        return page(f"Page {number}", [f"/{n}" for n in (*children, *others) if n < pages])

    return handle
