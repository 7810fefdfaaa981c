"""Somebody who types what the documents say, in a directory with the files they name."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.cli.stub import Stub
from tests.cli.test_checking import BIB
from tests.cli.typing_in import Typist
from tests.documentation.blocks import ROOT
from tests.documentation.web import settings
from tests.server.http_server import http_server
from tests.server.processes import stdio_server
from webquarry.settings.tree import declared_names
from webquarry.wiring.declared_settings import declared_variables
from webquarry_build.reference.examples import CRAWL, SESSION

# Never run, each for its reason; the files they name must exist all the same.
NOT_RUN = {
    "docker": "needs a daemon and pulls images",
    "kubectl": "needs a cluster",
    "pip": "installs packages; make does the same",
    "schemathesis": "takes minutes; tests/server/test_rest_fuzz.py runs it for 20 seconds",
    "uvx": "installs packages",
    ".venv/bin/python": "runs tests or benchmarks, which is not for a test",
    "webquarry worker": "needs Redis and Postgres; tests/services/crawling runs it",
    "webquarry demo": "tests/demo and tests/cli/test_demoing.py run it",
}
# Exit statuses other than 0, where the document's point is that one.
STATUS = {
    "webquarry audit refs.bib": 3,  # one of its entries is a book, which nobody registers
    "webquarry audit - < refs.bib": 3,
}
FILES = {
    "refs.bib": BIB,
    "wanted.json": json.dumps({"type": "object", "properties": {"author": {"type": "string"}}}),
}
KEY = "5d0c1f0a9be2a7c4"  # stands for the id of a key of the reader's own
_SERVER = re.compile(r"(http://)?(127\.0\.0\.1|localhost):8642")
_SITE = re.compile(r"https://example\.(com|org)(?=/|\b)(?!/article)")
_BARE_SITE = re.compile(r"(?<==)example\.com\b")
_ASSIGNED = re.compile(r"([A-Z][A-Z0-9_]+)=(\S*)\s+")
_SHELL = re.compile(r"[|<;&$`]|>.*>")
_STARTED: set[str] = set()
KNOWN = set(declared_names(declared_variables()))


class Reader:
    """Runs commands one after another in one home, against one web and one server."""

    def __init__(
        self, home: Path, web: Stub, typist: Typist, patch: pytest.MonkeyPatch, server: str
    ) -> None:
        self._home = home
        self._web = web
        self._typist = typist
        self._patch = patch
        self._server = server
        self._key = KEY  # the one that was made last
        for name, text in FILES.items():
            (home / name).write_text(text, encoding="utf-8")

    def adapt(self, text: str) -> str:
        """Return the text with the addresses and names of this test in place of the examples."""
        text = _SERVER.sub(self._server, text)
        text = _BARE_SITE.sub(self._web.home, _SITE.sub(self._web.home, text))
        text = text.replace(KEY, self._key)
        if SESSION in text or "1d3b" in text:
            text = re.sub(rf"{SESSION}|1d3b", self._session(), text)
        if "data/store.sqlite3" in text:
            self._type("webquarry keys list", 0)  # which makes one
        if CRAWL in text:
            text = text.replace(CRAWL, self._crawl())
        return text

    def run(self, command: str) -> None:
        """Run one command; it must end as the document says."""
        adapted = self.adapt(command)
        while found := _ASSIGNED.match(adapted):
            assert found[1] in KNOWN, f"{found[1]} is no setting"
            self._patch.setenv(found[1], found[2])
            adapted = adapted[found.end() :]
        if reason := reason_not_to_run(adapted):
            assert reason
            check_files(adapted)
        elif adapted.startswith("make "):
            self._make(adapted)
        elif " serve " in adapted:
            self._serve(adapted)
        elif adapted.startswith("webquarry ") and not _SHELL.search(_unquoted(adapted)):
            self._type(adapted, STATUS.get(command, 0))
        else:
            self._bash(adapted, STATUS.get(command, 0))

    def _type(self, command: str, status: int) -> None:
        """Run `webquarry` in this process, which is much quicker than in one of its own."""
        command, _, file = command.partition(" > ")
        done = self._typist.type(*shlex.split(command)[1:], *_offline(command))
        assert done.status == status, f"{command}\n{done.err}{done.out}"
        assert "Traceback" not in done.err
        if file:
            (self._home / file).write_text(done.out, encoding="utf-8")
        if found := re.search(r"wq_([0-9a-f]{16})_", done.out):
            self._key = found[1]

    def _make(self, command: str) -> None:
        words = shlex.split(command)
        done = subprocess.run(
            [shutil.which("make") or "make", "-n", *words[1:]],
            cwd=ROOT,
            capture_output=True,
            check=False,
            timeout=20,
        )
        assert done.returncode == 0, done.stderr.decode()

    def _serve(self, command: str) -> None:
        """Start the server on a free port, wait until it listens, and stop it."""
        if command in _STARTED:  # by another document
            return
        _STARTED.add(command)
        given = shlex.split(command.replace("--port 8642", ""))[2:]
        others = [word for word in given if word not in {"--stdio", "--http"}]
        if "--stdio" in given:
            with stdio_server(self._home, *others, settings=dict(os.environ)) as process:
                assert process.handshake()["result"]["serverInfo"]["name"] == "webquarry"
                assert process.close() == 0
            return
        settings = dict(os.environ) | {"PORT": "0"}
        with http_server(self._home, *others, settings=settings) as client:  # and stops it
            assert client.get("/health/live").status_code == 200

    def _bash(self, command: str, status: int) -> None:
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        if command.startswith("curl "):
            if not shutil.which("curl"):
                pytest.skip("curl is not installed")
            command = command.replace("curl ", "curl --fail-with-body ", 1)
        done = subprocess.run(
            ["/bin/bash", "-o", "pipefail", "-c", command],
            cwd=self._home,
            env={**os.environ, "PATH": path},
            capture_output=True,
            check=False,
            timeout=60,
        )
        assert done.returncode == status, f"{command}\n{done.stderr.decode()}{done.stdout.decode()}"

    def _session(self) -> str:
        step = {"searchStep": "s", "stepNumber": 1, "nextStepNeeded": True, "researchGoal": "g"}
        return self._made("sequential_search", step, "sessionId")

    def _crawl(self) -> str:
        return self._made("cinder_crawl", {"url": f"{self._web.home}/", "maxPages": 1}, "crawlId")

    def _made(self, tool: str, arguments: Mapping[str, object], field: str) -> str:
        done = self._typist.type("call", tool, json.dumps(arguments))
        return str(json.loads(done.out)[field])


def reason_not_to_run(command: str) -> str | None:
    """Return why a command is only looked at."""
    words = command.split()
    return NOT_RUN.get(words[0]) or NOT_RUN.get(" ".join(words[:2]))


def check_files(command: str) -> None:
    """Check that the files of this repository which a command names are there."""
    for word in shlex.split(command):
        if re.match(r"(deploy|tests|docs|scripts|src|bench)/", word):
            assert (ROOT / word).exists(), f"{command}: there is no {word}"
        if word.startswith("bench."):
            assert (ROOT / f"{word.replace('.', '/')}.py").exists(), command


def ready(web: Stub, home: Path, patch: pytest.MonkeyPatch) -> None:
    """Make a home of its own, and let nobody but the stub be asked."""
    patch.chdir(home)
    patch.setenv("HOME", str(home))
    patch.setenv("WEBQUARRY_DATA_DIR", str(home / "data"))
    patch.setenv("NO_COLOR", "1")
    for name, value in settings(web).items():
        patch.setenv(name, value)


def _offline(command: str) -> list[str]:
    """Keep the one command that asks strangers, to see whether one can, from doing so."""
    return ["--offline"] if command == "webquarry doctor" else []


def _unquoted(command: str) -> str:
    return re.sub(r"'[^']*'|\"[^\"]*\"", "", command)
