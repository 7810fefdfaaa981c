"""Calls the server with real clients, and writes docs/clients.md from what reached their models.

Each client is installed into its own virtual environment in .cache/clients.
"""

import json
import os
import re
import select
import socket
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

from bench.process import WEBQUARRY

ROOT = Path(__file__).parent.parent
CACHE = ROOT / ".cache" / "clients"
PROGRAMS = Path(__file__).parent / "clients"
DOCUMENT = ROOT / "docs" / "clients.md"
PARAGRAPHS = 2000
SLOW_SECONDS = 60
PARAGRAPH = "Paragraph {} of the page says that owls hunt at night and hear well."
CHECKS = ("list", "call", "large page", "progress", "cancel", "resource", "prompt",
          "strict schema", "model sees")  # fmt: skip


@dataclass(frozen=True)
class ClientProgram:
    """A client: the packages it needs, and the program that uses it."""

    name: str
    packages: tuple[str, ...]
    program: str
    cannot: frozenset[str] = frozenset()  # what its interface has no means for


_NO_AGENT = frozenset({"strict schema"})
_SDK_1 = frozenset({"cancel"})  # its version of the SDK does not tell the server
CLIENTS = (
    ClientProgram("mcp", ("mcp",), "mcp_sdk.py", _NO_AGENT),
    ClientProgram("fastmcp", ("fastmcp",), "fastmcp_client.py", _NO_AGENT),
    ClientProgram(
        "langchain-mcp-adapters",
        ("langchain-mcp-adapters", "langchain"),
        "langchain_client.py",
        _SDK_1,
    ),
    ClientProgram(
        "openai-agents", ("openai-agents",), "openai_agents_client.py", frozenset({"progress"})
    ),
    ClientProgram(
        "pydantic-ai-slim",
        ("pydantic-ai-slim[mcp,openai,google]",),
        "pydantic_ai_client.py",
        frozenset({"progress"}),
    ),
    ClientProgram(
        "llama-index-tools-mcp",
        ("llama-index-tools-mcp",),
        "llama_index_client.py",
        frozenset({"progress", "strict schema"}),
    ),
    ClientProgram(
        "smolagents",
        ("smolagents[mcp]", "mcp[ws]<2"),
        "smolagents_client.py",
        frozenset({"progress", "cancel", "resource", "prompt", "strict schema"}),
    ),
    ClientProgram(
        "mcp-use",
        ("mcp-use",),
        "mcp_use_client.py",
        frozenset({"progress", "strict schema"}) | _SDK_1,
    ),
)


class _Site(BaseHTTPRequestHandler):
    """A page of 130 kB, one that never ends, and what happened to the request for that one."""

    slow = "not requested"

    def do_GET(self) -> None:
        if self.path == "/slow":
            self._wait_until_closed()
            return
        if self.path == "/slow/reset":
            _Site.slow = "not requested"
        if self.path.startswith("/slow/"):
            self._send(_Site.slow.encode(), "text/plain")
            return
        paragraphs = "".join(f"<p>{PARAGRAPH.format(n)}</p>" for n in range(PARAGRAPHS))
        page = f"<html><title>Owls</title><body><article><h1>Owls</h1>{paragraphs}</article>"
        self._send(page.encode(), "text/html; charset=utf-8", 200 if self.path == "/large" else 404)

    def _wait_until_closed(self) -> None:
        """Never answer; note when the other side closes the connection."""
        _Site.slow = "waiting"
        readable, _, _ = select.select([self.connection], [], [], SLOW_SECONDS)
        is_closed = readable and not self.connection.recv(1, socket.MSG_PEEK)
        _Site.slow = "closed" if is_closed else "still open"
        self.close_connection = True

    def _send(self, body: bytes, content_type: str, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Stay silent."""


def main() -> int:
    site = ThreadingHTTPServer(("127.0.0.1", 0), _Site)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    chosen = [c for c in CLIENTS if not sys.argv[1:] or c.name in sys.argv[1:]]
    rows = {client: _run(client, site.server_port) for client in chosen}
    site.shutdown()
    failed = [
        f"{client.name}: {check}: {result['note']}"
        for client, results in rows.items()
        for check, result in results.items()
        if not result["ok"] and check not in client.cannot
    ]
    table = _table(rows)
    print(table, *failed, sep="\n")
    if not sys.argv[1:]:
        text = DOCUMENT.read_text(encoding="utf-8")
        before, _, rest = text.partition("<!-- matrix -->\n")
        _, _, after = rest.partition("<!-- end -->\n")
        written = f"{before}<!-- matrix -->\n{table}\n<!-- end -->\n{after}"
        DOCUMENT.write_text(written, encoding="utf-8")
    return 1 if failed else 0


def _run(client: ClientProgram, port: int) -> dict[str, dict[str, Any]]:
    python = client_python(client)
    with tempfile.TemporaryDirectory() as directory:
        environ = {
            "PATH": os.environ["PATH"],
            "HOME": directory,
            "MATRIX_SITE": f"http://127.0.0.1:{port}",
            "MATRIX_COMMAND": str(WEBQUARRY),
            "MATRIX_PARAGRAPHS": str(PARAGRAPHS),
            "TOOLSETS": "default,starter",
            "ALLOW_PRIVATE_IPS": "true",
            "WEBQUARRY_DATA_DIR": f"{directory}/data",
        }
        command = [str(python), str(PROGRAMS / client.program)]
        try:
            done = subprocess.run(
                command,
                cwd=directory,
                env=environ,
                capture_output=True,
                text=True,
                timeout=400,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return {"list": {"ok": False, "note": "did not end in time"}}
    match = re.search(r"^MATRIX (.*)$", done.stdout, re.MULTILINE)
    if not match:
        return {"list": {"ok": False, "note": done.stderr[-1500:]}}
    return json.loads(match[1])


def client_python(client: ClientProgram) -> Path:
    """Return the Python of the client's own environment, which is made when it is missing."""
    home = CACHE / client.name
    python = home / "bin" / "python"
    if not (home / "installed").exists():
        uv = str(ROOT / ".venv" / "bin" / "uv")
        subprocess.run([uv, "venv", "-q", "--clear", str(home)], check=True)
        install = [uv, "pip", "install", "-q", "--python", str(python), *client.packages]
        subprocess.run(install, check=True)
        (home / "installed").touch()
    return python


def _version(client: ClientProgram) -> str:
    places = [str(path) for path in (CACHE / client.name / "lib").glob("python*/site-packages")]
    found = [d.version for d in distributions(path=places) if d.name.lower() == client.name]
    return found[0] if found else "?"


def _table(rows: dict[ClientProgram, dict[str, dict[str, Any]]]) -> str:
    lines = ["| Client | " + " | ".join(CHECKS) + " |", "|---" * (len(CHECKS) + 1) + "|"]
    for client, results in rows.items():
        cells = [_cell(check, client, results.get(check)) for check in CHECKS]
        lines.append(f"| {client.name} {_version(client)} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _cell(check: str, client: ClientProgram, result: dict[str, Any] | None) -> str:
    if result is None or not result["ok"]:
        failed = "not run" if result is None else "✘"
        return "—" if check in client.cannot else failed
    return result["note"] if check == "model sees" else f"✔ {result['note']}".strip()


if __name__ == "__main__":
    sys.exit(main())
