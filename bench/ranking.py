"""How often the best source ranks first on synthetic pages, compared with the Go reference."""

import argparse
import asyncio
import json
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from bench.peer import installed_peer
from bench.process import INITIALIZE, INITIALIZED, Process, request
from tests.research_pages import Query, pages, queries
from tests.research_pages.our_ranking import our_order

TARGET = 0.9
COLUMNS = ("ours", "peer", "peer*")
Orders = tuple[list[str], list[str]]
_SETTINGS = {
    "SEARCH_PROVIDER": "searxng",
    "ALLOW_PRIVATE_IPS": "true",
    "AUDIT_ENABLED": "false",
    "RATE_LIMIT_PER_TENANT": "0",
    "CHROME_PATH": "disabled",
}


def main() -> None:
    options = _options()
    ours = [asyncio.run(our_order(query)) for query in queries()]
    theirs, origin = _peer_orders()
    _report(ours, theirs, origin, verbose=options.verbose)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--verbose", action="store_true", help="print both orders in full")
    return parser.parse_args()


def _peer_orders() -> tuple[list[Orders], str]:
    """Return the peer's orders for every query, and where they come from."""
    command = installed_peer()
    if command is None:
        documented = [[page.url for page in query.pages] for query in queries()]
        return [(order, []) for order in documented], "the documented one (search order)"
    with _serve_pages() as port, tempfile.TemporaryDirectory(prefix="eval-ranking-") as home:
        settings = _SETTINGS | {"SEARXNG_URL": f"http://127.0.0.1:{port}"}
        with Process(command, Path(home), settings) as server:
            server.call(INITIALIZE)
            server.send(INITIALIZED)
            orders = [
                _query_peer(server, number, query) for number, query in enumerate(queries(), 2)
            ]
    return orders, "the one it returned over stdio"


def _query_peer(server: Process, number: int, query: Query) -> Orders:
    """Return the order of the response, and the order by the peer's own scores."""
    arguments = {"query": query.text, "num_results": len(query.pages)}
    answer = server.call(
        request(number, "tools/call", {"name": "search_and_scrape", "arguments": arguments})
    )
    body = answer.get("structuredContent") or json.loads(answer["content"][0]["text"])
    sources: list[dict[str, Any]] = body.get("sources") or []
    found = [_original(source["url"]) for source in sources]
    scored = sorted(sources, key=_by_score)
    missing = len(query.pages) - len(found)
    if missing:
        print(f"peer: {missing} of {len(query.pages)} pages missing for {query.text!r}")
    return found, [_original(source["url"]) for source in scored]


def _by_score(source: dict[str, Any]) -> float:
    scores: dict[str, float] = source.get("scores") or {}
    return -scores.get("overall", 0.0)


def _report(
    ours: Sequence[list[str]], theirs: Sequence[Orders], origin: str, *, verbose: bool
) -> None:
    best_first = Counter[str]()
    print(f"{len(queries())} queries over {len(pages())} pages; the peer's order is {origin}")
    print("(peer*: its results sorted by its own scores, which it does not do itself)\n")
    print("rank of the best source".ljust(66) + "".join(f"{name:>7}" for name in COLUMNS))
    for query, own, (returned, scored) in zip(queries(), ours, theirs, strict=True):
        orders = dict(zip(COLUMNS, (own, returned, scored), strict=True))
        ranks = {name: _rank(query.best_url, order) for name, order in orders.items()}
        best_first.update(name for name, rank in ranks.items() if rank == 1)
        print(f"{query.topic}: {query.text}"[:65].ljust(66)
              + "".join(f"{rank or '-':>7}" for rank in ranks.values()))  # fmt: skip
        if verbose:
            print("\n".join(f"    {name:<6}{_names(query, orders[name])}" for name in COLUMNS))
    print()
    for name in COLUMNS:
        print(f"{name:<6}best source first in {best_first[name]} of {len(queries())}")
    share = best_first["ours"] / len(queries())
    print(f"ours {share:.0%}, target {TARGET:.0%}: {'PASS' if share >= TARGET else 'MISS'}")


def _rank(url: str, order: list[str]) -> int:
    """Return the rank of the best source, 0 when it is missing."""
    return order.index(url) + 1 if url in order else 0


def _names(query: Query, order: list[str]) -> str:
    names = {page.url: page.name for page in query.pages}
    return ", ".join(names.get(url, url) for url in order)


@contextmanager
def _serve_pages() -> Generator[int]:
    """Serve the pages and a fake SearXNG that returns them, on a free port of loopback."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    port = server.server_address[1]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield port
    finally:
        server.shutdown()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    # the base class prescribes the name
    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        host = f"http://{self.headers['Host']}"
        if parts.path == "/search":
            text = parse_qs(parts.query).get("q", [""])[0]
            found = next((query for query in queries() if query.text == text), None)
            self._send(json.dumps(_results(found, lambda url: _local(url, host))), "json")
            return
        page = pages().get(_original(self.path))
        self._send(page.html if page else "not found", "html", 200 if page else 404)

    def _send(self, body: str, kind: str, status: int = 200) -> None:
        content = body.encode()
        content_type = "application/json" if kind == "json" else "text/html; charset=utf-8"
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    # the base class prescribes the parameter name
    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Log nothing."""


def _results(query: Query | None, local: Callable[[str], str]) -> dict[str, Any]:
    results = [
        {"url": local(page.url), "title": page.title, "content": "", "publishedDate": page.date}
        for page in (query.pages if query else ())
    ]
    return {"query": query.text if query else "", "results": results, "unresponsive_engines": []}


def _local(url: str, host: str) -> str:
    """Return the loopback URL of a page; its original host becomes part of the path."""
    return url.replace("https://", f"{host}/", 1)


def _original(url: str) -> str:
    path = urlsplit(url)
    return f"https://{path.path.lstrip('/')}"


if __name__ == "__main__":
    main()
