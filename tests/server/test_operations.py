"""What keeps a server up: bounds on connections, draining, several workers."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx2
import pytest

from tests.server.http_server import UNLIMITED, http_server
from tests.server.processes import CLIENT, environment


def talk(client: httpx2.Client, *pieces: bytes, seconds: float = 10) -> bytes:
    """Send the pieces and return everything until the server closes."""
    with socket.create_connection((client.base_url.host, client.base_url.port or 80)) as line:
        line.settimeout(seconds)
        answer = b""
        try:
            for piece in pieces:
                line.sendall(piece)
            while chunk := line.recv(65536):
                answer += chunk
        except ConnectionError:
            pass  # refused and closed while we were still sending
        return answer


def test_a_head_that_is_too_large_is_refused(tmp_path: Path) -> None:
    with http_server(tmp_path, settings={"HTTP_MAX_HEADER_BYTES": "4KiB"}) as client:
        usual = client.get("/health/live", headers={"x-filler": "x" * 1000})
        one = talk(
            client, b"GET / HTTP/1.1\r\nHost: localhost\r\nX-A: " + b"a" * 9000 + b"\r\n\r\n"
        )
        many = b"".join(b"X-%d: y\r\n" % number for number in range(1000))
        several = talk(client, b"GET / HTTP/1.1\r\nHost: localhost\r\n" + many + b"\r\n")
        endless = talk(client, b"GET / HTTP/1.1\r\nX-A: ", *[b"a" * 1000] * 50)
        address = talk(client, b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
        alive = client.get("/health/live").status_code

    assert usual.status_code == 200
    for answer in (one, several, address):
        assert answer.startswith(b"HTTP/1.1 431 ")
    assert endless.startswith(b"HTTP/1.1 431 ") or endless == b""
    assert alive == 200


def test_a_request_that_dawdles_is_ended(tmp_path: Path) -> None:
    settings = {"HTTP_READ_HEADER_TIMEOUT": "1s", "HTTP_READ_TIMEOUT": "1s"}
    with http_server(tmp_path, settings=settings) as client:
        silent = talk(client)
        head = talk(client, b"GET / HTTP/1.1\r\nHost: loc")
        post = b"POST /v1/tools/echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"
        body = talk(client, post)

    assert silent == b""
    assert head.startswith(b"HTTP/1.1 408 ")
    assert body.startswith(b"HTTP/1.1 408 ")


def test_the_safe_headers_are_there_and_can_be_changed(tmp_path: Path) -> None:
    settings = {"HTTP_PERMISSIONS_POLICY": "off", "HTTP_REFERRER_POLICY": "same-origin"}
    with http_server(tmp_path, settings=settings) as client:
        headers = client.get("/v1/tools").headers

    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["cache-control"] == "no-store"
    assert headers["strict-transport-security"] == "max-age=31536000"
    assert headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"
    assert headers["referrer-policy"] == "same-origin"
    assert "permissions-policy" not in headers


def test_pages_of_the_same_machine_may_not_call_a_server_on_the_network(tmp_path: Path) -> None:
    settings = {
        "WEBQUARRY_HOST": "0.0.0.0",  # noqa: S104 -- that is what is tested
        "API_KEYS": "on",
        "ALLOWED_ORIGINS": "https://app.example",
    }
    with http_server(tmp_path, settings=settings) as client:
        statuses = [
            client.options("/mcp", headers={"origin": origin}).status_code
            for origin in ("http://localhost:6274", "https://app.example", "https://x.example", "[")
        ]

    assert statuses == [403, 204, 403, 403]


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_request_under_way_is_answered_before_the_server_stops(
    tmp_path: Path, workers: str
) -> None:
    server = Server(tmp_path, "--workers", workers)
    answers: list[int] = []
    try:
        assert server.status("/health/ready") == 200
        begun = threading.Event()

        def slow() -> Iterator[bytes]:
            begun.set()
            yield b'{"message":'
            time.sleep(1.0)  # the request is under way while the signal comes
            yield b'"hi"}'

        def call() -> None:
            answers.append(
                httpx2.post(
                    f"{server.address}/v1/tools/echo", content=slow(), timeout=60
                ).status_code
            )

        caller = threading.Thread(target=call)
        caller.start()
        assert begun.wait(10)
        time.sleep(0.3)
        server.process.terminate()
        caller.join(20)

        assert server.process.wait(20) == 0
        assert answers == [200]
    finally:
        server.end()


def test_a_client_that_only_listens_does_not_hold_the_server_up(tmp_path: Path) -> None:
    server = Server(tmp_path)
    try:
        with httpx2.Client(base_url=server.address, timeout=60) as client:
            params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": CLIENT}
            hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
            accept = {"accept": "application/json, text/event-stream"}
            opened = client.post("/mcp", json=hello, headers=accept)
            session = {"mcp-session-id": opened.headers["mcp-session-id"]}
            with client.stream("GET", "/mcp", headers=accept | session) as news:
                assert news.status_code == 200
                server.process.terminate()
                heard = b"".join(news.iter_bytes())  # ends, because the server ends it

            assert heard.strip() in (b"", b": ping")
            # the usual grace is 30 seconds
            assert server.process.wait(15) == 0
    finally:
        server.end()


def test_workers_share_a_port_and_are_replaced_when_they_die(tmp_path: Path) -> None:
    server = Server(tmp_path, "--workers", "2")
    try:
        until(lambda: len(server.children()) == 2)
        until(lambda: server.status("/health/ready") == 200)
        first = server.children()
        os.kill(first[0], signal.SIGKILL)
        until(lambda: len(server.children()) == 2 and first[0] not in server.children())
        statuses = {server.status("/health/ready") for _ in range(10)}

        assert statuses == {200}
        server.process.terminate()
        assert server.process.wait(20) == 0
        until(lambda: server.children() == [])
    finally:
        server.end()


def test_limits_are_exact_across_workers(tmp_path: Path) -> None:
    server = Server(tmp_path, "--workers", "2", DAILY_QUOTA_PER_TENANT="25")
    try:
        # a connection each, so that both workers get some
        statuses = [server.status("/v1/tools") for _ in range(40)]

        assert sorted(statuses) == [200] * 25 + [429] * 15
    finally:
        server.end()


class Server:
    """A server that a test stops itself."""

    def __init__(self, home: Path, *arguments: str, **settings: str) -> None:
        command = [sys.executable, "-m", "webquarry", "serve", "--http", "--port", "0",
                   "--toolsets", "starter", *arguments]  # fmt: skip
        with (home / "stderr").open("wb") as errors:
            self.process = subprocess.Popen(
                command,
                stdout=subprocess.PIPE,
                stderr=errors,
                cwd=home,
                env=environment(home, **(UNLIMITED | settings)),
            )
        assert self.process.stdout
        lines = (line.split() for line in self.process.stdout if b"Console" in line)
        self.address = next(lines)[1].decode().rstrip("/")

    def status(self, path: str) -> int:
        """Return what a request on a connection of its own gets."""
        return httpx2.get(f"{self.address}{path}", timeout=60).status_code

    def children(self) -> list[int]:
        """Return the workers; the helper of the multiprocessing library is none."""
        tasks = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        found = [int(pid) for pid in tasks.read_text().split()] if tasks.exists() else []
        return [pid for pid in found if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdout
        self.process.stdout.close()


def until(condition: Callable[[], bool]) -> None:
    """Return once the condition holds."""
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.05)
