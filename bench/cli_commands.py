"""CPU seconds of twelve commands, as a Markdown table; `--before` adds an older installation."""

import argparse
import os
import shlex
import statistics
import subprocess
import tempfile
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

from bench.process import WEBQUARRY, clean_environment

PAGE = b"<title>A page</title><article><h1>A page</h1>" + b"<p>Some words of text.</p>" * 200
COMMANDS = (
    "--help",
    "read --help",
    "help crawl",
    "tools",
    "tools --tokens",
    "providers",
    "config",
    "doctor --offline",
    "session list",
    "crawl list",
    "search words --provider local",
    "read {url}",
)
SETTINGS = {"ALLOW_PRIVATE_IPS": "true", "CHROME_PATH": "disabled"}  # the page is on this machine


def main() -> None:
    options = _options()
    programs = [path for path in (options.before, options.now) if path]
    headings = ["command", *(["before"] if options.before else []), "now"]
    print(_row(headings) + "\n" + _row("---" for _ in headings))
    with _local_page() as url:
        for command in COMMANDS:
            costs = [_cpu_seconds(each, command, url, options.rounds) for each in programs]
            print(_row([f"`webquarry {command.format(url='URL')}`", *costs]), flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--now", default=str(WEBQUARRY), help="the program to measure")
    parser.add_argument("--before", help="the program of an older installation")
    return parser.parse_args()


def _cpu_seconds(program: str, command: str, url: str, rounds: int) -> str:
    """Return the median CPU time, children included, or how the command failed."""
    words = [program, *shlex.split(command.format(url=url))]
    with tempfile.TemporaryDirectory() as home:
        first = _run(words, Path(home))  # also warms up the disk cache
        if first[1]:
            return f"exit code {first[1]}"
        return f"{statistics.median(_run(words, Path(home))[0] for _ in range(rounds)):.2f}"


def _run(words: Sequence[str], home: Path) -> tuple[float, int]:
    """Return the CPU seconds and the exit code of one run."""
    child = subprocess.Popen(
        words,
        cwd=home,
        env=clean_environment(home) | SETTINGS,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime, child.returncode


@contextmanager
def _local_page() -> Generator[str]:
    server = HTTPServer(("127.0.0.1", 0), _Page)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Page(BaseHTTPRequestHandler):
    """Responds to every request with the same page."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(PAGE)))
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Print nothing."""


def _row(cells: Sequence[str] | Generator[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
