"""A small web on loopback: pages with dates, authors, links and images, and a search engine."""

import json
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit


class Page(NamedTuple):
    """One page."""

    title: str
    text: str
    published: str = ""
    author: str = ""


PAGES = {
    "/barn": Page(
        "Barn owls of the north",
        "Barn owls hunt voles in rough grassland at night. They find them by hearing alone. "
        "A pair raises four to six chicks in a good year. Winters with deep snow kill many.",
        "2026-03-01",
        "Ada Strix",
    ),
    "/eagle": Page(
        "Eagle owls and their prey",
        "Eagle owls take hares, hedgehogs and even young foxes. They nest on cliffs and in "
        "quarries. Their call carries for four kilometres in a still night.",
        "2024-05-17",
        "Bo Bubo",
    ),
    "/undated": Page(
        "Owl pellets",
        "Owl pellets hold the bones of voles and shrews. Schools take them apart to learn what "
        "owls eat. A pellet is dry after two days and has no smell.",
    ),
}
ORDER = ("/barn", "/eagle", "/undated")


class _Web(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Log nothing."""

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        base = f"http://{self.headers['host']}"
        if url.path.startswith("/res/v1/"):
            found = _found(url.path.split("/")[3], base, parse_qs(url.query))
            self._send(200, "application/json", json.dumps(found))
        elif url.path == "/":
            self._send(200, "text/html; charset=utf-8", _html(_INDEX, base))
        elif page := PAGES.get(url.path):
            self._send(200, "text/html; charset=utf-8", _html(page, base))
        else:
            self._send(404, "text/plain", "There is no such page.")

    def _send(self, status: int, kind: str, text: str) -> None:
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


_INDEX = Page("All about owls", "Pages about owls of Europe, what they eat and where they nest.")


def _html(page: Page, base: str) -> str:
    metas = (
        ("author", page.author),
        ("article:published_time", page.published),
        ("description", page.text.partition(".")[0]),
    )
    head = "".join(f'<meta name="{n}" property="{n}" content="{v}">' for n, v in metas if v)
    links = "".join(f'<li><a href="{path}">{PAGES[path].title}</a></li>' for path in ORDER)
    return (
        f"<html><head><title>{page.title}</title>{head}</head><body><nav>Menu of the site</nav>"
        f"<main><article><h1>{page.title}</h1><p>{page.text}</p>"
        f'<img src="{base}/owl.png" alt="An owl" width="640" height="480">'
        f'</article></main><ul class="more">{links}</ul></body></html>'
    )


def _found(kind: str, base: str, params: dict[str, list[str]]) -> dict[str, object]:
    count, page = int(params["count"][0]), int(params.get("offset", ["0"])[0])
    paths = ORDER[page * count : (page + 1) * count]
    if kind == "images":
        image = {"title": "An owl", "url": f"{base}/barn", "source": base}
        return {"results": [image | {"properties": {"url": f"{base}/owl.png"}}]}
    rows = [_row(path, base) for path in paths]
    return {"results": rows} if kind == "news" else {"query": {}, "web": {"results": rows}}


def _row(path: str, base: str) -> dict[str, str]:
    page = PAGES[path]
    row = {"title": page.title, "url": f"{base}{path}", "description": page.text.split(". ")[0]}
    # the search engine knows the date of one page; the others state theirs, or have none
    return row | ({"page_age": f"{page.published}T00:00:00"} if path == "/barn" else {})


@contextmanager
def sample_web() -> Generator[str]:
    """Serve the web while the block runs; yield its URL without a trailing slash."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Web)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def urls_of(web: str) -> Iterator[str]:
    """Return the URLs of the pages, in the order of the search engine."""
    return (f"{web}{path}" for path in ORDER)
