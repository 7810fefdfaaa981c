"""Sends hostile content to a real server and measures whether it still responds to others.

The measure is CPU time, so that a busy machine changes nothing: while a health request waits, how
much does the main thread of the server compute?

`--python ../other/.venv/bin/python` sends the same content to another installation, to see what
it does there. A server that does not respond for 30 seconds is killed and started again.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx2

from bench.hostile_case import UPSTREAMS, HostileCase
from bench.hostile_content import CASES, REGRESSIONS

MAX_BLOCK = 1.0  # seconds of CPU time that one health request may wait
MAX_MEDIAN = 0.25
MAX_AFTER = 0.1  # seconds of CPU time outside of the main thread, after a call has ended
_CALL_TIMEOUT = 120
_HEALTH_TIMEOUT = 30
_QUIET_SECONDS = 0.5
_TICK = 1 / os.sysconf("SC_CLK_TCK")
_PAGE = b"<title>Owls</title><main><p>Owls hunt at night in the fields around the barn.</p></main>"
# the first call of each tool imports its code, which is no work of the content
WARM_UP = (
    HostileCase("warm-up", _PAGE),
    HostileCase("warm-up", b"# Owls\n\nOwls *hunt*.", "text/markdown"),
    HostileCase("warm-up", _PAGE, tool="cinder_extract",
                arguments={"urls": ["{url}"], "prompt": "the name"}),
    HostileCase("warm-up", _PAGE, tool="cinder_map"),
    HostileCase("warm-up", tool="web_search", arguments={"query": "owls"},
                response=b'{"web":{"results":[{"title":"Owls","url":"https://a.example/"}]}}'),
    HostileCase("warm-up", _PAGE, tool="search_and_scrape", arguments={"query": "owls"},
                response=b'{"web":{"results":[{"title":"Owls","url":"{url}"}]}}'),
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
    """A running server and a site with hostile content, which is also its search provider."""

    def __init__(self, home: Path, site: str, python: str = sys.executable) -> None:
        self._home = home
        self._site = site
        self._python = python
        self._start()

    def close(self) -> None:
        """End the server."""
        self._client.close()
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:  # it is frozen
            self._process.kill()
            self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()

    def run(self, case: HostileCase) -> CaseOutcome:
        """Call the tool, and ask for the health of the server until the call ends."""
        url = f"{self._site}/{len(_Site.cases)}"
        _Site.cases.append((case, url))
        kinds: list[str] = []
        arguments = case.arguments_for(url)
        call = threading.Thread(target=lambda: kinds.append(self._call(case.tool, arguments)))
        waits: list[float] = []
        call.start()
        try:
            waits.append(self._health())
            while call.is_alive():
                waits.append(self._health())
            before, end = self._cpu_of_others(), time.monotonic() + _QUIET_SECONDS
            while time.monotonic() < end:
                self._health()
        except httpx2.TimeoutException:
            self.close()
            call.join()
            self._start()
            return CaseOutcome("no response", [*waits, _HEALTH_TIMEOUT], 0.0)
        outcome = CaseOutcome(kinds[0], waits, max(0.0, self._cpu_of_others() - before))
        if outcome.problem:  # what still runs must not count for the next case
            self.close()
            self._start()
        return outcome

    def _start(self) -> None:
        """Start the server, and call each tool once."""
        environment = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        settings = {
            "HOME": str(self._home), "WEBQUARRY_DATA_DIR": str(self._home / "data"),
            "ALLOW_PRIVATE_IPS": "true", "CHROME_PATH": "disabled", "RATE_LIMIT_PER_TENANT": "0",
            "RATE_LIMIT_GLOBAL": "0", "DAILY_QUOTA_PER_TENANT": "0", "BRAVE_API_KEY": "key",
            "SEARCH_PROVIDER": "brave", "LOCAL_INDEX": "off",
            **{f"{name.upper()}_BASE_URL": f"{self._site}/{name}" for name in UPSTREAMS},
            "SEARXNG_URL": f"{self._site}/searxng",
        }  # fmt: skip
        command = (self._python, "-m", "webquarry", "serve", "--http", "--port", "0",
                   "--toolsets", "all")  # fmt: skip
        with (self._home / "stderr").open("ab") as errors:
            self._process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=errors, cwd=self._home,
                env=environment | settings,
            )  # fmt: skip
        self._server, self._pid = _url(self._process), self._process.pid
        self._client = httpx2.Client(base_url=self._server, timeout=_HEALTH_TIMEOUT)
        for case in WARM_UP:
            self.run(case)

    def _call(self, tool: str, arguments: dict[str, Any]) -> str:
        try:
            response = httpx2.post(
                f"{self._server}/v1/tools/{tool}", json=arguments, timeout=_CALL_TIMEOUT
            )
        except httpx2.HTTPError:  # the server was killed
            return "no response"
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
def freeze_test(home: Path, python: str = sys.executable) -> Generator[FreezeTest]:
    """Start a server and a site."""
    site = ThreadingHTTPServer(("127.0.0.1", 0), _Site)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    try:
        with closing(
            FreezeTest(home, f"http://127.0.0.1:{site.server_address[1]}", python)
        ) as test:
            yield test
    finally:
        site.shutdown()
        site.server_close()


class _Site(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    cases: list[tuple[HostileCase, str]] = []  # noqa: RUF012 - shared by all connections

    def do_GET(self) -> None:
        name = self.path[1:]
        status, body, content_type = 404, b"", "text/plain"
        if name.partition("/")[0] in UPSTREAMS:
            case, url = self.cases[-1]
            # an instance without JSON is asked for a page
            status = 403 if "format=json" in name else 200
            body, content_type = case.response_for(url), "application/json"
        elif name.isdigit() and int(name) < len(self.cases):
            case, _ = self.cases[int(name)]
            status, body, content_type = 200, case.body, case.content_type
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with suppress(OSError):  # the client may refuse the rest
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
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", default=sys.executable, help="of another installation")
    parser.add_argument("--only", default="", help="cases whose names contain this")
    options = parser.parse_args()
    cases = [case for case in CASES if options.only in case.name]
    failed = 0
    print(f"{'hostile content':42} {'ended as':>20} {'max':>6} {'median':>6} {'after':>6} case")
    with (
        tempfile.TemporaryDirectory(prefix="freeze-") as home,
        freeze_test(Path(home), str(Path(options.python).absolute())) as test,
    ):
        for case in cases:
            outcome = test.run(case)
            failed += bool(outcome.problem)
            times = f"{max(outcome.waits):6.2f} {outcome.median:6.2f} {outcome.after:6.2f}"
            kind = "regression" if case.name in REGRESSIONS else "guard"
            print(
                f"{case.name:42} {outcome.kind:>20} {times} {kind:10}  {outcome.problem}",
                flush=True,
            )
    print(f"{len(cases)} tried, {failed} froze the server or went on after their end")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
