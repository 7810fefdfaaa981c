"""Real metasearch servers for tests: Debian's searx over a small index, all on loopback."""

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import parse_qs, urlsplit
from urllib.request import Request, urlopen

import pytest

PROGRAM = shutil.which("searx-run")
PER_PAGE = 5
PAGES = 4
_START_SECONDS = 60
Reply = tuple[int, dict[str, str], bytes]


@contextmanager
def serving(reply: Callable[[str, dict[str, str]], Reply]) -> Generator[str]:
    """Answer GET requests with what `reply` makes of the path and the headers; yield the URL."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, headers, content = reply(self.path, dict(self.headers))
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            """Keep the output of tests clean."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


def index(path: str, _: dict[str, str]) -> Reply:
    """Find a few pages for every query, as a search engine would."""
    asked = parse_qs(urlsplit(path).query)
    if asked.get("q") == ["broken"]:
        return 500, {}, b"this engine fails"
    query, page = asked.get("q", [""])[0], int(asked.get("page", ["1"])[0])
    found = [
        {"url": f"https://example.org/{query.replace(' ', '-')}/{page}-{n}",
         "title": f"{query} {page}-{n}", "content": f"About {query}, no. {page}-{n}."}
        for n in range(1, PER_PAGE + 1)
        if page <= PAGES and query != "nothing"
    ]  # fmt: skip
    body = json.dumps({"results": found, "hints": [{"text": f"{query} at night"}]}).encode()
    return 200, {"Content-Type": "application/json"}, body


@dataclass
class Searx:
    """One running server."""

    url: str
    process: "subprocess.Popen[bytes]"

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@contextmanager
def searx(home: Path, index_url: str, *, theme: str = "simple") -> Generator[Searx]:
    """Run a searx that asks only our index; skip the test where it is not installed."""
    if PROGRAM is None:
        pytest.skip("Debian's searx is not installed: apt-get install searx")
    home.mkdir(parents=True, exist_ok=True)
    port = free_port()
    (home / "settings.yml").write_text(json.dumps(_settings(port, index_url, theme)))
    environ = {"PATH": os.environ["PATH"], "HOME": str(home)}
    environ["SEARX_SETTINGS_PATH"] = str(home / "settings.yml")
    with (home / "log").open("wb") as log:
        process = subprocess.Popen([PROGRAM], cwd=home, env=environ, stdout=log, stderr=log)
    server = Searx(f"http://127.0.0.1:{port}", process)
    try:
        _wait_until_well(server, home / "log")
        yield server
    finally:
        server.kill()


@contextmanager
def hanging() -> Generator[str]:
    """Run a server that accepts requests and does not respond before the end; yield its URL."""
    ended = Event()

    def reply(_: str, __: dict[str, str]) -> Reply:
        ended.wait()
        return 503, {}, b""

    with serving(reply) as url:
        try:
            yield url
        finally:
            ended.set()


@contextmanager
def in_front(server: str, refuse: Callable[[str], Reply | None]) -> Generator[str]:
    """Run a proxy that refuses some requests and passes the rest on; yield its URL."""

    def reply(path: str, headers: dict[str, str]) -> Reply:
        if refused := refuse(path):
            return refused
        kept = {k: v for k, v in headers.items() if k.lower() in {"accept", "user-agent"}}
        try:
            # a loopback address of the test itself
            with urlopen(Request(server + path, headers=kept)) as answer:  # noqa: S310
                kind = answer.headers.get("Content-Type", "")
                return answer.status, {"Content-Type": kind}, answer.read()
        except HTTPError as error:
            return error.code, {}, error.read()

    with serving(reply) as url:
        yield url


def _settings(port: int, index_url: str, theme: str) -> dict[str, Any]:
    shared = "/usr/share/python3-searx"
    engine = {
        "name": "our index",
        "engine": "json_engine",
        "shortcut": "oi",
        "paging": True,
        "search_url": f"{index_url}/?q={{query}}&page={{pageno}}",
        "results_query": "results",
        "url_query": "url",
        "title_query": "title",
        "content_query": "content",
        "suggestion_query": "hints/text",
        "categories": "general",
        "enable_http": True,
        "timeout": 5.0,
    }
    return {
        "general": {"debug": False, "instance_name": "test", "enable_stats": False},
        "brand": dict.fromkeys(
            ("git_url", "git_branch", "issue_url", "docs_url", "public_instances", "wiki_url",
             "twitter_url"),
            "",
        ),
        "search": {
            "safe_search": 0, "autocomplete": "", "default_lang": "",
            "ban_time_on_fail": 0, "max_ban_time_on_fail": 0,
        },
        "server": {
            "port": port, "bind_address": "127.0.0.1", "secret_key": "of a test",
            "base_url": False, "image_proxy": False, "http_protocol_version": "1.1",
            "method": "GET", "default_http_headers": {},
        },
        "ui": {
            "static_path": f"{shared}/static", "templates_path": f"{shared}/templates",
            "default_theme": theme, "default_locale": "en",
            "theme_args": {"oscar_style": "logicodev"},
        },
        "outgoing": {"request_timeout": 5.0, "useragent_suffix": "", "pool_connections": 10,
                     "pool_maxsize": 10},
        "engines": [engine],
        "locales": {"en": "English"},
        "doi_resolvers": {"oadoi.org": "https://oadoi.org/"},
        "default_doi_resolver": "oadoi.org",
    }  # fmt: skip


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _wait_until_well(server: Searx, log: Path) -> None:
    ends = time.monotonic() + _START_SECONDS
    while time.monotonic() < ends and server.process.poll() is None:
        try:
            # a loopback address of the test itself
            with urlopen(f"{server.url}/healthz", timeout=5):  # noqa: S310
                return
        except (URLError, OSError):
            time.sleep(0.1)
    pytest.fail(f"searx did not start:\n{log.read_text(errors='replace')[-3000:]}")
