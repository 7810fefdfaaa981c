"""Pages a second and CPU per page of `scrape_page`, beside the Go reference on the same pages."""

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

    cpu_ms: float  # of the server, per page
    per_second: float


def page(number: int, size: int) -> bytes:
    """Return an article with what surrounds one, about as long as asked."""
    chance = random.Random(number)  # noqa: S311 - the same pages for everybody
    parts: list[str] = []
    length = 0
    while length < size - 1_500:
        parts.append(_part(chance, len(parts)))
        length += len(parts[-1])
    links = "".join(f'<li><a href="/{word}">{word}</a></li>' for word in WORDS)
    return (
        f"<!doctype html><html lang=en><head><meta charset=utf-8><title>Owls {number}</title>"
        f'<meta name=author content="Ada Owl"><meta property="article:published_time" '
        f'content="2024-05-03"></head><body><header><nav><ul>{links}</ul></nav></header>'
        f"<main><article><h1>Owls {number}</h1>{''.join(parts)}</article></main>"
        f"<aside><h3>More</h3><ul>{links}</ul></aside><footer>© Owls</footer></body></html>"
    ).encode()


def _part(chance: random.Random, number: int) -> str:
    def prose(least: int, most: int) -> str:
        return " ".join(chance.choices(WORDS, k=chance.randint(least, most))).capitalize() + "."

    if number % 9 == 4:
        return "<ul>" + "".join(f"<li>{prose(4, 9)}</li>" for _ in range(5)) + "</ul>"
    if number % 23 == 7:
        row = "".join(f"<td>{chance.randint(1, 99)}</td>" for _ in range(4))
        return f"<table><tr><th>a<th>b<th>c<th>d</tr>{f'<tr>{row}</tr>' * 4}</table>"
    heading = f"<h2>{prose(3, 5)}</h2>" if number % 6 == 0 else ""
    link = f'<a href="/{chance.choice(WORDS)}">{prose(2, 3)}</a>'
    return f"{heading}<p>{prose(30, 60)} {link} <em>{prose(3, 6)}</em> {prose(20, 40)}</p>"


class _Pages(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    made: dict[str, bytes] = {}  # noqa: RUF012 - shared by all connections on purpose

    def do_GET(self) -> None:
        body = self.made.get(self.path.partition("?")[0], b"")
        head = (
            f"HTTP/1.1 {200 if body else 404} X\r\ncontent-type: text/html; charset=utf-8\r\n"
            f"content-length: {len(body)}\r\n\r\n"
        )
        # in one piece: a second one would wait for the first to be acknowledged
        self.wfile.write(head.encode() + body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Say nothing."""


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of clients that hang up."""


@contextmanager
def served() -> Generator[int]:
    """Serve the pages on loopback; ten different ones of every size."""
    for size in SIZES.values():
        _Pages.made |= {f"/{size}/{number}": page(number, size) for number in range(10)}
    server = _Server(("127.0.0.1", 0), _Pages)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()


class Server(Process):
    """A server that answers in any order."""

    def next_reply(self) -> Message:
        """Return the next answer to a request."""
        while "id" not in (reply := json.loads(self._line())):
            pass
        return reply


def measure(server: Server, port: int, size: int, options: argparse.Namespace) -> Sample:
    """Read pages, so many at once, after a tenth of them to warm up."""
    warm = max(options.at_once, options.pages // 10)
    _read(server, port, size, range(warm), options.at_once)
    cpu, begun = server.cpu_ms(), time.perf_counter()
    _read(server, port, size, range(warm, warm + options.pages), options.at_once)
    elapsed = time.perf_counter() - begun
    return Sample((server.cpu_ms() - cpu) / options.pages, options.pages / elapsed)


_numbers = iter(range(2, 10**9))


def _read(server: Server, port: int, size: int, pages: Sequence[int], at_once: int) -> None:
    waiting = 0
    for number in pages:
        # a query of its own keeps every cache out of it
        url = f"http://127.0.0.1:{port}/{size}/{number % 10}?n={next(_numbers)}"
        params = {"name": "scrape_page", "arguments": {"url": url, "max_length": 5_000_000}}
        server.send(request(next(_numbers), "tools/call", params))
        waiting += 1
        if waiting == at_once:
            _expect(server, size)
            waiting -= 1
    for _ in range(waiting):
        _expect(server, size)


def _expect(server: Server, size: int) -> None:
    reply = server.next_reply()
    found = json.dumps(reply.get("result", {}).get("structuredContent") or reply)
    if '"isError": true' in found or len(found) < size / 3:
        raise SystemExit(f"a page of {size} bytes came back as {found[:500]}")


def main() -> None:
    options = _options()
    commands = {"ours": tuple(shlex.split(options.ours))}
    if peer := installed_peer():
        commands["peer"] = peer
    series: dict[tuple[str, str], list[Sample]] = {}
    with served() as port:
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
    parser.add_argument("--at-once", type=int, default=5, help="reads in flight")
    parser.add_argument("--ours", default=f"{WEBQUARRY} serve --stdio --toolsets web")
    return parser.parse_args()


def _report(series: dict[tuple[str, str], list[Sample]], options: argparse.Namespace) -> None:
    print(f"{options.pages} pages, {options.at_once} at once, medians of {options.rounds} rounds\n")
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
    return f">= 1.0 of the peer: {ratio:.2f} " + ("PASS" if ratio >= 1 else "short of it")


if __name__ == "__main__":
    main()
