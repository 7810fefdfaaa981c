"""Cost of a search without its upstream, cached and uncached, compared with the Go reference."""

import argparse
import json
import shlex
import socket
import statistics
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.peer import installed_peer
from bench.process import INITIALIZE, INITIALIZED, WEBQUARRY, Process, request

CACHED_TARGET = 1.5  # multiple of the peer's CPU
UNCACHED_TARGET_MS = 2.0
RESULTS = 10
UNLIMITED = {"RATE_LIMIT_PER_TENANT": "0", "RATE_LIMIT_GLOBAL": "0", "AUDIT_ENABLED": "false"}


@dataclass(frozen=True)
class Sample:
    """One series of calls of one server."""

    cpu_ms: float
    wall_ms: float


class Upstream:
    """A fake SearXNG with a fixed response, in a thread of the benchmark."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.busy = 0.0  # seconds spent on responses
        self.responses = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            connection, _ = self._listener.accept()
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection:
            self._respond(connection)

    def _respond(self, connection: socket.socket) -> None:
        pending = bytearray()
        while chunk := connection.recv(65536):
            pending += chunk
            while (end := pending.find(b"\r\n\r\n")) >= 0:
                started = time.perf_counter()
                del pending[: end + 4]
                connection.sendall(RESPONSE)
                self.busy += time.perf_counter() - started
                self.responses += 1


def _build_response() -> bytes:
    results = [
        {
            "url": f"https://example.org/page/{number}",
            "title": f"Page {number} about owls",
            "content": "Owls hunt at night and hear very well. " * 4,
            "engine": "stub",
            "engines": ["stub"],
            "publishedDate": "2024-03-05T00:00:00",
            "score": 1.0,
            "category": "general",
        }
        for number in range(RESULTS)
    ]
    body = json.dumps({"query": "owls", "results": results, "unresponsive_engines": []}).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    return head.encode() + b"\r\n" + body


RESPONSE = _build_response()


def main() -> None:
    options = _options()
    upstream = Upstream()
    settings = UNLIMITED | {
        "SEARCH_PROVIDER": "searxng",
        "SEARXNG_URL": f"http://127.0.0.1:{upstream.port}",
        "ALLOW_PRIVATE_IPS": "true",
        "WEB_SEARCH_REQUEST_DELAY_RANGE": "0,0",  # a politeness delay would dominate the result
    }
    servers = {"ours": tuple(shlex.split(options.ours)), "peer": installed_peer()}
    series: dict[tuple[str, str], list[Sample]] = defaultdict(list)
    for _ in range(options.rounds):
        for name, command in servers.items():
            if command:
                for kind, sample in _measure(command, settings, options.calls).items():
                    series[name, kind].append(sample)
    _report(series, upstream, options)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--calls", type=int, default=500, help="calls per series")
    parser.add_argument("--ours", default=f"{WEBQUARRY} serve --stdio --toolsets web")
    return parser.parse_args()


def _measure(command: Sequence[str], settings: dict[str, str], calls: int) -> dict[str, Sample]:
    with (
        tempfile.TemporaryDirectory(prefix="bench-search-") as home,
        Process(command, Path(home), settings) as server,
    ):
        server.call(INITIALIZE)
        server.send(INITIALIZED)
        warm_up = max(calls // 5, 1)
        _series(server, first=10, queries=[f"warm {n}" for n in range(warm_up)])
        uncached = _series(server, first=10_000, queries=[f"owls {n}" for n in range(calls)])
        cached = _series(server, first=20_000, queries=["owls 0"] * calls)
    return {"uncached": uncached, "cached": cached}


def _series(server: Process, first: int, queries: Sequence[str]) -> Sample:
    cpu, started = server.cpu_ms(), time.perf_counter()
    for number, query in enumerate(queries, first):
        arguments = {"query": query, "num_results": RESULTS}
        result = server.call(
            request(number, "tools/call", {"name": "web_search", "arguments": arguments})
        )
        if result["structuredContent"]["resultCount"] != RESULTS:
            raise SystemExit(f"{query}: some results are missing: {result}")
    elapsed = (time.perf_counter() - started) * 1e3
    return Sample((server.cpu_ms() - cpu) / len(queries), elapsed / len(queries))


def _report(
    series: dict[tuple[str, str], list[Sample]], upstream: Upstream, options: argparse.Namespace
) -> None:
    upstream_ms = upstream.busy / max(upstream.responses, 1) * 1e3
    print(
        f"web_search over stdio, {options.calls} calls, medians of {options.rounds} rounds; "
        f"the upstream itself takes {upstream_ms:.3f} ms\n"
    )
    print(f"{'':<12}{'peer CPU ms':>12}{'ours CPU ms':>12}{'ratio':>8}{'ours wall':>11}  target")
    for kind in ("uncached", "cached"):
        cpu, wall = _median(series["ours", kind])
        peer = _median(series["peer", kind])[0] if series["peer", kind] else 0.0
        ratio = cpu / peer if peer else 0.0
        if kind == "cached":
            verdict = f"<= {CACHED_TARGET} x peer " + _passed(bool(peer) and ratio <= CACHED_TARGET)
        else:
            verdict = f"<= {UNCACHED_TARGET_MS} ms " + _passed(cpu <= UNCACHED_TARGET_MS)
        own_wall = wall - upstream_ms
        print(f"{kind:<12}{peer:>12.3f}{cpu:>12.3f}{ratio:>8.2f}{own_wall:>11.2f}  {verdict}")


def _median(samples: list[Sample]) -> tuple[float, float]:
    return (
        statistics.median(sample.cpu_ms for sample in samples),
        statistics.median(sample.wall_ms for sample in samples),
    )


def _passed(passed: object) -> str:
    return "PASS" if passed else "MISS"


if __name__ == "__main__":
    main()
