"""A small web on loopback: a site to read and crawl, and stand-ins for the providers."""

import json
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from tests.replay import RECORDED

_TEXT = (
    "Heat pumps move heat instead of making it. Even at minus ten degrees there is heat in the "
    "air, and a compressor lifts it to the temperature of a radiator. Measured over a winter, one "
    "unit of electricity brought three units of heat into the house, which surprised the authors. "
)
PAGES = {
    "/": ("Heat pumps", "/a", "/b", "/gone"),
    "/a": ("How heat pumps work", "/b", "/c"),
    "/b": ("Heat pumps in winter", "/"),
    "/c": ("Costs of heat pumps", "/a"),
}
_SPELT = {"semanticscholar": "SEMANTIC_SCHOLAR"}
_WORK = {
    "DOI": "10.5555/heat.1",
    "title": ["Heat pumps in cold climates"],
    "author": [{"given": "Ada", "family": "Lovelace"}, {"given": "Charles", "family": "Babbage"}],
    "container-title": ["Journal of Warmth"],
    "issued": {"date-parts": [[2021, 3]]},
    "URL": "https://doi.org/10.5555/heat.1",
    "is-referenced-by-count": 12,
    "type": "journal-article",
}
# answers of our own where a recording would not fit the story
_OWN: dict[str, Any] = {
    "/crossref/works": {"message": {"items": [_WORK], "total-results": 1}},
    "/crossref/works/10.5555/heat.1": {"message": _WORK},
    "/wayback/save/https://example.org/article": {"job_id": "spn2-1"},
    "/wayback/save/status/spn2-1": {
        "status": "success",
        "timestamp": "20240102030405",
        "original_url": "https://example.org/article",
    },
    "/worldbank/country/DE/indicator/SL.UEM.TOTL.ZS": [
        {"page": 1, "pages": 1, "per_page": 50, "total": 6, "lastupdated": "2024-06-28"},
        [
            {
                "indicator": {"id": "SL.UEM.TOTL.ZS", "value": "Unemployment, total (%)"},
                "country": {"id": "DE", "value": "Germany"},
                "countryiso3code": "DEU",
                "date": str(2023 - back),
                "value": value,
            }
            for back, value in enumerate((3.0, 3.1, 3.6, 3.9, 3.2, 3.4))
        ],
    ],
}


class Stub:
    """What was asked for, and where it listens."""

    def __init__(self, port: int) -> None:
        self.home = f"http://127.0.0.1:{port}"

    def settings(self, *providers: str) -> dict[str, str]:
        """Return settings that point these providers, and nobody else, at the stub."""
        known = {
            "brave": {"BRAVE_API_KEY": "test-brave-key"},
            "edgar": {"EDGAR_CONTACT_EMAIL": "tests@example.org"},
        }
        keys = {k: v for name in providers for k, v in known.get(name, {}).items()}
        bases = {f"{_SPELT.get(name, name.upper())}_BASE_URL": f"{self.home}/{name}"
                 for name in providers}  # fmt: skip
        return {"ALLOW_PRIVATE_IPS": "true", "CHROME_PATH": "disabled", "CRAWL_DELAY": "0s",
                **keys, **bases}  # fmt: skip


def answer(path: str, query: dict[str, list[str]], home: str) -> tuple[int, str, bytes]:
    """Return status, type and body for one request."""
    if path == "/long":
        return 200, "text/html", f"<p>{_TEXT * 200}</p>".encode()
    if path in PAGES:
        return 200, "text/html; charset=utf-8", _page(path).encode()
    if path == "/brave/res/v1/web/search":
        return _json({"type": "search", "web": {"results": _hits(query, home)}})
    if path in _OWN:
        return _json(_OWN[path])
    return _recorded(path) or (404, "text/plain", b"nothing here")


Respond = Callable[[str, dict[str, list[str]], str], tuple[int, str, bytes]]


def _recorded(path: str) -> tuple[int, str, bytes] | None:
    provider, _, rest = path.removeprefix("/").partition("/")
    for file in sorted((RECORDED / provider).glob("*.json")):
        for exchange in json.loads(file.read_text(encoding="utf-8")):
            recorded = urlsplit(str(exchange["request"]["url"])).path
            if exchange.get("status") == 200 and rest and recorded.endswith(f"/{rest}"):
                text = exchange.get("text")
                return (200, "text/plain", text.encode()) if text else _json(exchange["body"])
    return None


@contextmanager
def stub_web(respond: Respond = answer) -> Generator[Stub]:
    """Serve until the end of the block."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = urlsplit(self.path)
            home = f"http://{self.headers['Host']}"
            status, kind, body = respond(unquote(asked.path), parse_qs(asked.query), home)
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            """Say nothing: the output of a test is its own."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield Stub(server.server_port)
        finally:
            server.shutdown()
            thread.join()


def _page(path: str) -> str:
    title, *links = PAGES[path]
    anchors = " ".join(f'<a href="{link}">{link}</a>' for link in links)
    text = f"<p>{title}: {_TEXT}</p>" * 3
    return (
        f"<!doctype html><html lang=en><title>{title}</title>"
        f'<meta name="author" content="Ada Lovelace">'
        f"<body><article><h1>{title}</h1>{text}</article><nav>{anchors}</nav></body></html>"
    )


def _hits(query: dict[str, list[str]], home: str) -> list[dict[str, Any]]:
    if query["q"][0].startswith("nothing"):
        return []
    return [
        {"title": PAGES[path][0], "url": f"{home}{path}", "description": _TEXT[:90]}
        for path in ("/a", "/b", "/c")
    ]


def _json(body: Any) -> tuple[int, str, bytes]:
    return 200, "application/json", json.dumps(body).encode()
