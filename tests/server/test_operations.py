"""Connection limits, graceful shutdown and several workers."""

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


def send_raw(client: httpx2.Client, *pieces: bytes, seconds: float = 10) -> bytes:
    """Send the pieces and return everything until the server closes the connection."""
    with socket.create_connection((client.base_url.host, client.base_url.port or 80)) as connection:
        connection.settimeout(seconds)
        response = b""
        try:
            for piece in pieces:
                connection.sendall(piece)
            while chunk := connection.recv(65536):
                response += chunk
        except ConnectionError:
            pass  # the server closed while we were sending
        return response


def test_too_large_headers_are_rejected(tmp_path: Path) -> None:
    with http_server(tmp_path, settings={"HTTP_MAX_HEADER_BYTES": "4KiB"}) as client:
        usual = client.get("/health/live", headers={"x-filler": "x" * 1000})
        one = send_raw(
            client, b"GET / HTTP/1.1\r\nHost: localhost\r\nX-A: " + b"a" * 9000 + b"\r\n\r\n"
        )
        many = b"".join(b"X-%d: y\r\n" % number for number in range(1000))
        several = send_raw(client, b"GET / HTTP/1.1\r\nHost: localhost\r\n" + many + b"\r\n")
        endless = send_raw(client, b"GET / HTTP/1.1\r\nX-A: ", *[b"a" * 1000] * 50)
        long_url = send_raw(
            client, b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n"
        )
        alive = client.get("/health/live").status_code

    assert usual.status_code == 200
    for response in (one, several, long_url):
        assert response.startswith(b"HTTP/1.1 431 ")
    assert endless.startswith(b"HTTP/1.1 431 ") or endless == b""
    assert alive == 200


def test_slow_requests_time_out(tmp_path: Path) -> None:
    settings = {"HTTP_READ_HEADER_TIMEOUT": "1s", "HTTP_READ_TIMEOUT": "1s"}
    with http_server(tmp_path, settings=settings) as client:
        silent = send_raw(client)
        head = send_raw(client, b"GET / HTTP/1.1\r\nHost: loc")
        post = b"POST /v1/tools/echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"
        body = send_raw(client, post)

    assert silent == b""
    assert head.startswith(b"HTTP/1.1 408 ")
    assert body.startswith(b"HTTP/1.1 408 ")


def test_security_headers_are_sent_and_can_be_configured(tmp_path: Path) -> None:
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


def test_localhost_origins_are_rejected_by_a_server_on_the_network(tmp_path: Path) -> None:
    settings = {
        "WEBQUARRY_HOST": "0.0.0.0",  # noqa: S104 -- the test needs it
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
def test_a_request_in_progress_is_completed_before_the_server_stops(
    tmp_path: Path, workers: str
) -> None:
    server = Server(tmp_path, "--workers", workers)
    statuses_of_calls: list[int] = []
    try:
        assert server.status("/health/ready") == 200
        started = threading.Event()

        def slow() -> Iterator[bytes]:
            started.set()
            yield b'{"message":'
            time.sleep(1.0)  # the request is in progress when the signal arrives
            yield b'"hi"}'

        def call() -> None:
            statuses_of_calls.append(
                httpx2.post(f"{server.url}/v1/tools/echo", content=slow(), timeout=60).status_code
            )

        caller = threading.Thread(target=call)
        caller.start()
        assert started.wait(10)
        time.sleep(0.3)
        server.process.terminate()
        caller.join(20)

        assert server.process.wait(20) == 0
        assert statuses_of_calls == [200]
    finally:
        server.end()


def test_an_open_event_stream_does_not_delay_the_shutdown(tmp_path: Path) -> None:
    server = Server(tmp_path)
    try:
        with httpx2.Client(base_url=server.url, timeout=60) as client:
            params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": CLIENT}
            hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
            accept = {"accept": "application/json, text/event-stream"}
            opened = client.post("/mcp", json=hello, headers=accept)
            session = {"mcp-session-id": opened.headers["mcp-session-id"]}
            with client.stream("GET", "/mcp", headers=accept | session) as events:
                assert events.status_code == 200
                server.process.terminate()
                received = b"".join(events.iter_bytes())  # ends because the server closes it

            assert received.strip() in (b"", b": ping")
            # the default grace period is 30 seconds
            assert server.process.wait(15) == 0
    finally:
        server.end()


def test_workers_share_a_port_and_are_replaced_when_they_die(tmp_path: Path) -> None:
    server = Server(tmp_path, "--workers", "2")
    try:
        wait_until(lambda: len(server.children()) == 2)
        wait_until(lambda: server.status("/health/ready") == 200)
        first = server.children()
        os.kill(first[0], signal.SIGKILL)
        wait_until(lambda: len(server.children()) == 2 and first[0] not in server.children())
        statuses = {server.status("/health/ready") for _ in range(10)}

        assert statuses == {200}
        server.process.terminate()
        assert server.process.wait(20) == 0
        wait_until(lambda: server.children() == [])
    finally:
        server.end()


def test_limits_are_exact_across_workers(tmp_path: Path) -> None:
    server = Server(tmp_path, "--workers", "2", DAILY_QUOTA_PER_TENANT="25")
    try:
        # one connection per request, so that both workers get requests
        statuses = [server.status("/v1/tools") for _ in range(40)]

        assert sorted(statuses) == [200] * 25 + [429] * 15
    finally:
        server.end()


class Server:
    """A server process that the test stops itself."""

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
        self.url = next(lines)[1].decode().rstrip("/")

    def status(self, path: str) -> int:
        """Return the status of a request on a new connection."""
        return httpx2.get(f"{self.url}{path}", timeout=60).status_code

    def children(self) -> list[int]:
        """Return the workers, without the resource tracker of multiprocessing."""
        tasks = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        pids = [int(pid) for pid in tasks.read_text().split()] if tasks.exists() else []
        return [pid for pid in pids if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdout
        self.process.stdout.close()


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait until the condition holds."""
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "timed out waiting for the condition"
        time.sleep(0.05)
