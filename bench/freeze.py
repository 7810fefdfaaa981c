"""Sends hostile content to a real server and measures whether it still responds to others.

The measure is CPU time, so that a busy machine changes nothing: while a health request waits, how
much does the main thread of the server compute?
"""

import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx2

from bench.hostile_content import CASES, HostileCase

MAX_BLOCK = 1.0  # seconds of CPU time that one health request may wait
MAX_MEDIAN = 0.25
MAX_AFTER = 0.2  # seconds of CPU time outside of the main thread, after a call has ended
_CALL_TIMEOUT = 120
_HEALTH_TIMEOUT = 120
_QUIET_REQUESTS = 20
_TICK = 1 / os.sysconf("SC_CLK_TCK")
_PAGE = b"<title>Owls</title><main><p>Owls hunt at night in the fields around the barn.</p></main>"
# the first call of each tool imports its code, which is no work of the content
WARM_UP = (
    HostileCase("warm-up", _PAGE),
    HostileCase("warm-up", b"# Owls\n\nOwls *hunt*.", "text/markdown"),
    HostileCase("warm-up", _PAGE, tool="cinder_extract",
                arguments={"urls": ["{url}"], "prompt": "the name"}),
    HostileCase("warm-up", _PAGE, tool="cinder_map"),
    HostileCase("warm-up", tool="format_bibliography",
                arguments={"sources": [{"url": "https://a.example/", "author": "Ada Owl"}]}),
)  # fmt: skip


@dataclass(frozen=True)
class CaseOutcome:
    """How a hostile call ended, and what it cost others."""

    kind: str  # "ok", or the kind of the error
    waits: Sequence[float]  # CPU time of the main thread during each health request
    after: float  # CPU time outside of the main thread after the call

    @property
    def median(self) -> float:
        """The median of the waits."""
        return sorted(self.waits)[len(self.waits) // 2]

    @property
    def problem(self) -> str:
        """What is wrong; "" for nothing."""
        if self.kind == "internal":
            return "ended in an internal error"
        if max(self.waits) > MAX_BLOCK or self.median > MAX_MEDIAN:
            return f"blocked the server for {max(self.waits):.2f} s of CPU time"
        if self.after > MAX_AFTER:
            return f"used {self.after:.2f} s of CPU time after its end"
        return ""


class FreezeTest:
    """A running server and a site with hostile content."""

    def __init__(self, server: str, site: str, pid: int) -> None:
        self._server = server
        self._client = httpx2.Client(base_url=server, timeout=_HEALTH_TIMEOUT)
        self._site = site
        self._pid = pid

    def close(self) -> None:
        """Close the connection to the server."""
        self._client.close()

    def run(self, case: HostileCase) -> CaseOutcome:
        """Call the tool, and ask for the health of the server until the call ends."""
        number = len(_Site.cases)
        _Site.cases.append(case)
        kinds: list[str] = []
        arguments = case.arguments_for(f"{self._site}/{number}")
        call = threading.Thread(target=lambda: kinds.append(self._call(case.tool, arguments)))
        call.start()
        waits = [self._health()]
        while call.is_alive():
            waits.append(self._health())
        before = self._cpu_of_others()
        for _ in range(_QUIET_REQUESTS):
            self._health()
        return CaseOutcome(kinds[0], waits, max(0.0, self._cpu_of_others() - before))

    def _call(self, tool: str, arguments: dict[str, Any]) -> str:
        response = httpx2.post(
            f"{self._server}/v1/tools/{tool}", json=arguments, timeout=_CALL_TIMEOUT
        )
        return "ok" if response.status_code == 200 else str(response.json().get("kind"))

    def _health(self) -> float:
        main_thread = Path(f"/proc/{self._pid}/task/{self._pid}/stat")
        before = _cpu(main_thread)
        self._client.get("/health/live").raise_for_status()
        return _cpu(main_thread) - before

    def _cpu_of_others(self) -> float:
        """Return the CPU time of the other threads and of the worker processes that still run."""
        main = _cpu(Path(f"/proc/{self._pid}/task/{self._pid}/stat"))
        own = _cpu(Path(f"/proc/{self._pid}/stat"))
        children = Path(f"/proc/{self._pid}/task/{self._pid}/children").read_text().split()
        return own - main + sum(_cpu(Path(f"/proc/{child}/stat")) for child in children)


@contextmanager
def freeze_test(home: Path) -> Generator[FreezeTest]:
    """Start a server and a site."""
    site = ThreadingHTTPServer(("127.0.0.1", 0), _Site)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    environment = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    settings = {
        "HOME": str(home), "WEBQUARRY_DATA_DIR": str(home / "data"), "ALLOW_PRIVATE_IPS": "true",
        "CHROME_PATH": "disabled", "RATE_LIMIT_PER_TENANT": "0", "RATE_LIMIT_GLOBAL": "0",
        "DAILY_QUOTA_PER_TENANT": "0",
    }  # fmt: skip
    command = (sys.executable, "-m", "webquarry", "serve", "--http", "--port", "0",
               "--toolsets", "all")  # fmt: skip
    with (home / "stderr").open("wb") as errors:
        server = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, cwd=home, env=environment | settings
        )
    try:
        test = FreezeTest(_url(server), f"http://127.0.0.1:{site.server_address[1]}", server.pid)
        with closing(test):
            for case in WARM_UP:
                test.run(case)
            yield test
    finally:
        server.terminate()
        server.wait(30)
        if server.stdout:
            server.stdout.close()
        site.shutdown()
        site.server_close()


class _Site(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    cases: list[HostileCase] = []  # noqa: RUF012 - shared by all connections

    def do_GET(self) -> None:
        name = self.path[1:]
        case = self.cases[int(name)] if name.isdigit() and int(name) < len(self.cases) else None
        body = case.body if case else b""
        self.send_response(200 if case else 404)
        self.send_header("Content-Type", case.content_type if case else "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - of the base class
        """Log nothing."""


def _url(server: "subprocess.Popen[bytes]") -> str:
    """Return the URL that the server prints once it listens."""
    for line in server.stdout or ():
        if b"Console" in line:
            return line.split()[1].decode().rstrip("/")
    raise SystemExit("the server ended before it listened")


def _cpu(stat: Path) -> float:
    """Return the CPU time of a process or thread; 0 when it has ended."""
    try:
        fields = stat.read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) * _TICK


def main() -> int:
    """Run all cases; return 1 if one froze the server."""
    failed = 0
    print(f"{'hostile content':42} {'ended as':>20} {'max':>6} {'median':>6} {'after':>6}")
    with tempfile.TemporaryDirectory(prefix="freeze-") as home, freeze_test(Path(home)) as test:
        for case in CASES:
            outcome = test.run(case)
            failed += bool(outcome.problem)
            print(f"{case.name:42} {outcome.kind:>20} {max(outcome.waits):6.2f} "
                  f"{outcome.median:6.2f} {outcome.after:6.2f}  {outcome.problem}")  # fmt: skip
    print(f"{len(CASES)} tried, {failed} froze the server or went on after their end")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
