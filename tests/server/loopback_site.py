"""A small site and a search engine on loopback, for tests of the complete server."""

import json
import re
from collections.abc import Callable, Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any, cast
from urllib.parse import parse_qs, urlsplit

PAGES = 12  # of the site
HITS = 55  # of the search engine
_SITE = re.compile(r"site:([\w.-]+)")
_PROSE = "Owls are birds of the night that hunt voles and mice around old barns and in fields. "


class _Server(ThreadingHTTPServer):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.ended = Event()


class _Site(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Log nothing."""

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        if url.path == "/res/v1/web/search":
            self._send(200, "application/json", self._search_results(parse_qs(url.query)))
        elif url.path == "/slow":  # until the client has gone or the site ends
            cast("_Server", self.server).ended.wait(60)
        elif url.path in _APIS:
            body = json.dumps(_APIS[url.path](f"http://{self.headers['host']}"))
            self._send(200, "application/json", body)
        elif url.path == "/" or url.path.removeprefix("/p/") in map(str, range(PAGES)):
            self._send(200, "text/html; charset=utf-8", _page(url.path))
        else:
            self._send(404, "text/plain", "There is no such page.")

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self._send(200, "application/json", "{}")

    def _search_results(self, params: dict[str, list[str]]) -> str:
        count, page = int(params["count"][0]), int(params.get("offset", ["0"])[0])
        hits = range(page * count, min((page + 1) * count, HITS))
        sites = _SITE.findall(params["q"][0])
        base = f"https://{sites[0]}" if sites else f"http://{self.headers['host']}"
        results = [
            {"title": f"Owl {n}", "url": f"{base}/p/{n}", "description": f"About owl {n}"}
            for n in hits
        ]
        return json.dumps({"query": {}, "web": {"results": results}})

    def _send(self, status: int, kind: str, text: str) -> None:
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _news(base: str) -> Any:
    row = {"title": "Owls in town", "url": f"{base}/p/3", "description": "Seen in the park"}
    return {"query": {}, "results": [row | {"page_age": "2026-01-02T03:04:05"}]}


def _images(base: str) -> Any:
    picture = {"url": f"{base}/owl.png", "width": 30, "height": 20}
    return {
        "query": {},
        "results": [{"title": "An owl", "url": f"{base}/p/4", "properties": picture}],
    }


def _works(base: str) -> Any:
    paper = {"best_oa_location": {"pdf_url": f"{base}/p/1"}}
    return {"meta": {"count": 1}, "results": [_WORK | paper]}


_WORK = {
    "id": "https://openalex.org/W1",
    "doi": "https://doi.org/10.5555/owls",
    "display_name": "Owls at night",
    "publication_year": 2020,
    "cited_by_count": 3,
    "abstract_inverted_index": {"Owls": [0], "hunt": [1]},
    "ids": {"openalex": "https://openalex.org/W1"},
    "primary_location": {"landing_page_url": "https://doi.org/10.5555/owls"},
    "referenced_works": ["https://openalex.org/W2"],
}
_APIS: dict[str, Callable[[str], Any]] = {
    "/res/v1/news/search": _news,
    "/res/v1/images/search": _images,
    "/works": _works,
    "/works/doi:10.5555/owls": lambda _: _WORK,
    "/works/W1": lambda _: _WORK,
}


def _page(path: str) -> str:
    links = "".join(f'<li><a href="/p/{n}">Owl {n}</a></li>' for n in range(PAGES))
    return (
        f"<html><head><title>Owl {path}</title></head><body><main><h1>Owl {path}</h1>"
        f"<p>{_PROSE * 3}</p></main><ul>{links}</ul></body></html>"
    )


@contextmanager
def loopback_site() -> Generator[str]:
    """Serve the site while the block runs; yield its URL without a trailing slash."""
    server = _Server(("127.0.0.1", 0), _Site)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.ended.set()
        server.shutdown()
        server.server_close()
        thread.join()


def settings_for(site: str) -> dict[str, str]:
    """Return settings with which a server searches and reads only this site."""
    return {
        "ALLOW_PRIVATE_IPS": "true",
        "SEARCH_PROVIDER": "brave",
        "BRAVE_API_KEY": "key",
        "BRAVE_BASE_URL": site,
        "CRAWL_DELAY": "0",
        "CHROME_PATH": "disabled",
    }
