"""Pages per second and CPU per page of `scrape_page`, compared with the Go reference."""

import argparse
import json
import random
import shlex
import statistics
import tempfile
import threading
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from bench.peer import installed_peer
from bench.process import INITIALIZE, INITIALIZED, WEBQUARRY, Message, Process, request

SIZES = {"5 KB": 5_000, "20 KB": 20_000, "100 KB": 100_000, "1 MB": 1_000_000}
SETTINGS = {"ALLOW_PRIVATE_IPS": "true", "CHROME_PATH": "disabled", "JINA_READER_DISABLED": "true"}
WORDS = (
    "owl", "night", "forest", "barn", "tower", "feather", "silent", "hunt", "prey", "mouse", "vole",
    "wing", "branch", "moon", "hollow", "nest", "egg", "chick", "winter", "summer", "field",
    "river", "stone", "village", "road", "people", "watch", "count", "record", "year", "study",
)  # fmt: skip


@dataclass(frozen=True)
class Sample:
    """One series of reads."""

    cpu_ms: float  # server CPU per page
    per_second: float


def page(number: int, size: int) -> bytes:
    """Return an article page of about `size` bytes, with navigation, sidebar and footer."""
    rng = random.Random(number)  # noqa: S311 - seeded, so that the pages are always the same
    parts: list[str] = []
    length = 0
    while length < size - 1_500:
        parts.append(_part(rng, len(parts)))
        length += len(parts[-1])
    links = "".join(f'<li><a href="/{word}">{word}</a></li>' for word in WORDS)
    return (
        f"<!doctype html><html lang=en><head><meta charset=utf-8><title>Owls {number}</title>"
        f'<meta name=author content="Ada Owl"><meta property="article:published_time" '
        f'content="2024-05-03"></head><body><header><nav><ul>{links}</ul></nav></header>'
        f"<main><article><h1>Owls {number}</h1>{''.join(parts)}</article></main>"
        f"<aside><h3>More</h3><ul>{links}</ul></aside><footer>© Owls</footer></body></html>"
    ).encode()


def _part(rng: random.Random, number: int) -> str:
    def prose(min_words: int, max_words: int) -> str:
        words = rng.choices(WORDS, k=rng.randint(min_words, max_words))
        return " ".join(words).capitalize() + "."

    if number % 9 == 4:
        return "<ul>" + "".join(f"<li>{prose(4, 9)}</li>" for _ in range(5)) + "</ul>"
    if number % 23 == 7:
        row = "".join(f"<td>{rng.randint(1, 99)}</td>" for _ in range(4))
        return f"<table><tr><th>a<th>b<th>c<th>d</tr>{f'<tr>{row}</tr>' * 4}</table>"
    heading = f"<h2>{prose(3, 5)}</h2>" if number % 6 == 0 else ""
    link = f'<a href="/{rng.choice(WORDS)}">{prose(2, 3)}</a>'
    return f"{heading}<p>{prose(30, 60)} {link} <em>{prose(3, 6)}</em> {prose(20, 40)}</p>"


class _Pages(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    bodies: dict[str, bytes] = {}  # noqa: RUF012 - shared by all connections

    def do_GET(self) -> None:
        body = self.bodies.get(self.path.partition("?")[0], b"")
        head = (
            f"HTTP/1.1 {200 if body else 404} X\r\ncontent-type: text/html; charset=utf-8\r\n"
            f"content-length: {len(body)}\r\n\r\n"
        )
        # one write: with two, Nagle's algorithm would delay the second
        self.wfile.write(head.encode() + body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - prescribed by the base class
        """Log nothing."""


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """Do not log clients that disconnect."""


@contextmanager
def serve_pages() -> Generator[int]:
    """Serve the pages on loopback, ten different ones of each size."""
    for size in SIZES.values():
        _Pages.bodies |= {f"/{size}/{number}": page(number, size) for number in range(10)}
    server = _Server(("127.0.0.1", 0), _Pages)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()


class Server(Process):
    """A server process that may reply in any order."""

    def next_reply(self) -> Message:
        """Return the next reply to any request."""
        while "id" not in (reply := json.loads(self._read_line())):
            pass
        return reply


def measure(server: Server, port: int, size: int, options: argparse.Namespace) -> Sample:
    """Read pages concurrently, after a warm-up of a tenth as many."""
    warm_up = max(options.at_once, options.pages // 10)
    _read(server, port, size, range(warm_up), options.at_once)
    cpu, started = server.cpu_ms(), time.perf_counter()
    _read(server, port, size, range(warm_up, warm_up + options.pages), options.at_once)
    elapsed = time.perf_counter() - started
    return Sample((server.cpu_ms() - cpu) / options.pages, options.pages / elapsed)


_numbers = iter(range(2, 10**9))


def _read(server: Server, port: int, size: int, pages: Sequence[int], at_once: int) -> None:
    in_flight = 0
    for number in pages:
        # a unique query string bypasses every cache
        url = f"http://127.0.0.1:{port}/{size}/{number % 10}?n={next(_numbers)}"
        params = {"name": "scrape_page", "arguments": {"url": url, "max_length": 5_000_000}}
        server.send(request(next(_numbers), "tools/call", params))
        in_flight += 1
        if in_flight == at_once:
            _expect(server, size)
            in_flight -= 1
    for _ in range(in_flight):
        _expect(server, size)


def _expect(server: Server, size: int) -> None:
    reply = server.next_reply()
    result = json.dumps(reply.get("result", {}).get("structuredContent") or reply)
    if '"isError": true' in result or len(result) < size / 3:
        raise SystemExit(f"unexpected result for a page of {size} bytes: {result[:500]}")


def main() -> None:
    options = _options()
    commands = {"ours": tuple(shlex.split(options.ours))}
    if peer := installed_peer():
        commands["peer"] = peer
    series: dict[tuple[str, str], list[Sample]] = {}
    with serve_pages() as port:
        for _ in range(options.rounds):
            for name, command in commands.items():
                with (
                    tempfile.TemporaryDirectory(prefix="bench-read-") as home,
                    Server(command, Path(home), SETTINGS) as server,
                ):
                    server.call(INITIALIZE)
                    server.send(INITIALIZED)
                    for label, size in SIZES.items():
                        sample = measure(server, port, size, options)
                        series.setdefault((label, name), []).append(sample)
    _report(series, options)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--pages", type=int, default=60, help="pages per series")
    parser.add_argument("--at-once", type=int, default=5, help="concurrent reads")
    parser.add_argument("--ours", default=f"{WEBQUARRY} serve --stdio --toolsets web")
    return parser.parse_args()


def _report(series: dict[tuple[str, str], list[Sample]], options: argparse.Namespace) -> None:
    print(
        f"{options.pages} pages, {options.at_once} at a time, medians of {options.rounds} rounds\n"
    )
    print(f"{'page':<10}{'':>6}{'pages/s':>10}{'CPU ms/page':>13}  target")
    for label in SIZES:
        rates: dict[str, float] = {}
        for name in ("peer", "ours"):
            samples = series.get((label, name))
            if not samples:
                continue
            rates[name] = statistics.median(sample.per_second for sample in samples)
            cpu = statistics.median(sample.cpu_ms for sample in samples)
            verdict = _verdict(rates) if name == "ours" else ""
            print(f"{label:<10}{name:>6}{rates[name]:>10.1f}{cpu:>13.2f}  {verdict}")


def _verdict(rates: dict[str, float]) -> str:
    if "peer" not in rates:
        return ""
    ratio = rates["ours"] / rates["peer"]
    return f">= 1.0 of the peer: {ratio:.2f} " + ("PASS" if ratio >= 1 else "MISS")


if __name__ == "__main__":
    main()
