"""A stand-in for the Zotero API on loopback: items, collections, versions and writes."""

import json
import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

KEY = "zotero-test-key"


class ZoteroServer:
    """One library, as the API keeps it."""

    def __init__(self, items: list[dict[str, Any]], collections: dict[str, str]) -> None:
        self.items = {item["key"]: item for item in items}
        self.collections = collections
        self.version = 7
        self.writes: list[list[dict[str, Any]]] = []
        self.conflicts = 0  # how many of the next writes meet a newer library
        self.home = ""

    def listed(self, path: str, query: dict[str, list[str]]) -> list[dict[str, Any]]:
        parts = path.split("/")
        if parts[-1] == "collections":
            return [{"key": key, "name": name, "parentCollection": False}
                    for key, name in self.collections.items()]  # fmt: skip
        rows = list(self.items.values())
        if parts[-1] == "top":
            rows = [row for row in rows if not row.get("parentItem")]
        if "collections" in parts:
            key = parts[parts.index("collections") + 1]
            rows = [row for row in rows if key in row.get("collections", [])]
        if kind := query.get("itemType"):
            rows = [row for row in rows if row["itemType"] == kind[0]]
        if tag := query.get("tag"):
            rows = [row for row in rows if {"tag": tag[0]} in row.get("tags", [])]
        return rows

    def write(self, changes: list[dict[str, Any]], version: int) -> tuple[int, Any]:
        if self.conflicts:
            self.conflicts -= 1
            self.version += 1
        if version < self.version:
            return 412, "Library has been modified since specified version"
        self.version += 1
        self.writes.append(changes)
        for change in changes:
            key = change.get("key") or f"NEW{len(self.items):05}"
            self.items[key] = self.items.get(key, {}) | change | {"key": key}
        return 200, {"successful": {}, "success": {}, "unchanged": {}, "failed": {}}


@contextmanager
def zotero_server(server: ZoteroServer) -> Generator[ZoteroServer]:
    """Serve the library until the end of the block."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = urlsplit(self.path)
            query = parse_qs(asked.query)
            rows = server.listed(asked.path, query)
            start, limit = int(query["start"][0]), int(query["limit"][0])
            page = [{"key": row["key"], "version": 1, "data": row}
                    for row in rows[start : start + limit]]  # fmt: skip
            self._answer(200, page, len(rows))

        def do_POST(self) -> None:
            changes = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if self.headers["Zotero-API-Key"] != KEY:
                self._answer(403, "Forbidden")
                return
            version = int(self.headers["If-Unmodified-Since-Version"])
            self._answer(*server.write(changes, version))

        def _answer(self, status: int, answer: Any, total: int = 0) -> None:
            body = answer if isinstance(answer, str) else json.dumps(answer)
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Last-Modified-Version", str(server.version))
            self.send_header("Total-Results", str(total))
            self.send_header("Content-Length", str(len(body.encode())))
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            """Say nothing: the output of a test is its own."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        server.home = f"http://127.0.0.1:{http.server_port}"
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield server
        finally:
            http.shutdown()
            thread.join()
