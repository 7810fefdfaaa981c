"""A small site and a search engine on loopback, for tests of the complete server."""

import json
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlsplit

PAGES = 12  # of the site
HITS = 55  # of the search engine
_PROSE = "Owls are birds of the night that hunt voles and mice around old barns and in fields. "


class _Site(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Log nothing."""

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        if url.path == "/res/v1/web/search":
            self._send(200, "application/json", self._search_results(parse_qs(url.query)))
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
        base = f"http://{self.headers['host']}"
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


def _page(path: str) -> str:
    links = "".join(f'<li><a href="/p/{n}">Owl {n}</a></li>' for n in range(PAGES))
    return (
        f"<html><head><title>Owl {path}</title></head><body><main><h1>Owl {path}</h1>"
        f"<p>{_PROSE * 3}</p></main><ul>{links}</ul></body></html>"
    )


@contextmanager
def loopback_site() -> Generator[str]:
    """Serve the site while the block runs; yield its URL without a trailing slash."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Site)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
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
