"""Runs the commands of the documents, in a directory with the files that they name."""

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
from tests.documentation.stub_responses import settings
from tests.server.http_server import http_server
from tests.server.processes import stdio_server
from webquarry.settings.tree import declarations
from webquarry.wiring.declared_settings import declared_variables
from webquarry_build.reference.examples import CRAWL, MONITOR, SESSION

# Commands that are not run, with the reason. The files that they name must exist.
NOT_RUN = {
    "claude": "needs the client; checked by hand",
    "codex": "needs the client; checked by hand",
    "opencode": "needs the client; checked by hand",
    "docker": "needs a daemon and pulls images",
    "kubectl": "needs a cluster",
    "pip": "installs packages; make does the same",
    "schemathesis": "takes minutes; tests/server/test_rest_fuzz.py runs it for 20 seconds",
    "uvx": "installs packages",
    ".venv/bin/python": "runs tests or benchmarks, which take too long",
    "webquarry bundle": "needs captures; tests/cli/test_bundle_command.py runs it",
    "webquarry --offline": "needs a bundle; tests/services/bundles reads from one",
    "webquarry call browse_page": "needs Chromium; tests/tools/test_browse_page.py runs it",
    "webquarry login": "needs a person or their files; tests/cli/test_login_command.py runs it",
    "webquarry shot": "needs Chromium; tests/reading/browser/test_screenshots.py takes them",
    "webquarry worker": "needs Redis and Postgres; tests/crawl runs it",
    "webquarry demo": "tests/demo runs it",
    "webquarry watch": "needs a monitor; tests/cli/test_watch_command.py runs it",
    "webquarry zotero": "needs a Zotero library; tests/cli/test_zotero_command.py runs it",
}
# Commands that are expected to exit with another status than 0.
STATUS = {
    "webquarry audit refs.bib": 3,  # one of its entries is a book, which no registry lists
    "webquarry audit - < refs.bib": 3,
    # the index of the test is empty
    "webquarry answer how do heat pumps work --provider index": 1,
}
FILES = {
    "refs.bib": BIB,
    "report.md": "# Owls\n\nBarn owls hunt at night.\n",
    "urls.txt": "https://example.com/a\n",
    "wanted.json": json.dumps({"type": "object", "properties": {"author": {"type": "string"}}}),
}
KEY = "5d0c1f0a9be2a7c4"  # placeholder in the documents for the id of an API key
_SERVER = re.compile(r"(http://)?(127\.0\.0\.1|localhost):8642")
_SITE = re.compile(r"https://example\.(com|org)(?=/|\b)(?!/article)")
_BARE_SITE = re.compile(r"(?<==)example\.com\b")
_ASSIGNED = re.compile(r"([A-Z][A-Z0-9_]+)=(\S*)\s+")
_SHELL = re.compile(r"[|<;&$`]|>.*>")
_STARTED: set[str] = set()
KNOWN_SETTINGS = set(declarations(declared_variables()))


class CommandRunner:
    """Runs commands in one home directory, against a stub web and one server."""

    def __init__(
        self, home: Path, web: Stub, typist: Typist, patch: pytest.MonkeyPatch, server: str
    ) -> None:
        self._home = home
        self._web = web
        self._typist = typist
        self._patch = patch
        self._server = server
        self._key = KEY  # the API key created last
        for name, text in FILES.items():
            (home / name).write_text(self.adapt(text), encoding="utf-8")

    def adapt(self, text: str) -> str:
        """Replace the example URLs and ids in the text by those of this test."""
        text = _SERVER.sub(self._server, text)
        text = _BARE_SITE.sub(self._web.home, _SITE.sub(self._web.home, text))
        text = text.replace(KEY, self._key)
        if SESSION in text or "1d3b" in text:
            text = re.sub(rf"{SESSION}|1d3b", self._session(), text)
        if "data/store.sqlite3" in text:
            self._type("webquarry keys list", 0)  # creates the store
        if CRAWL in text:
            text = text.replace(CRAWL, self._crawl())
        if MONITOR in text:
            text = text.replace(MONITOR, self._monitor())
        return text

    def run(self, command: str) -> str:
        """Run one command, check its exit status, and return what it printed."""
        adapted = self.adapt(command)
        while found := _ASSIGNED.match(adapted):
            assert found[1] in KNOWN_SETTINGS, f"{found[1]} is not a setting"
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
            return self._type(adapted, STATUS.get(command, 0))
        else:
            return self._bash(adapted, STATUS.get(command, 0))
        return ""

    def _type(self, command: str, status: int) -> str:
        """Run `webquarry` in this process, which is much faster than a subprocess."""
        command, _, file = command.partition(" > ")
        completed = self._typist.type(*shlex.split(command)[1:], *_offline(command))
        assert completed.status == status, f"{command}\n{completed.err}{completed.out}"
        assert "Traceback" not in completed.err
        if file:
            (self._home / file).write_text(completed.out, encoding="utf-8")
        if found := re.search(r"wq_([0-9a-f]{16})_", completed.out):
            self._key = found[1]
        return completed.out

    def _make(self, command: str) -> None:
        words = shlex.split(command)
        completed = subprocess.run(
            [shutil.which("make") or "make", "-n", *words[1:]],
            cwd=ROOT,
            capture_output=True,
            check=False,
            timeout=20,
        )
        assert completed.returncode == 0, completed.stderr.decode()

    def _serve(self, command: str) -> None:
        """Start the server on a free port, wait until it listens, and stop it."""
        if command in _STARTED:  # for another document
            return
        _STARTED.add(command)
        arguments = shlex.split(command.replace("--port 8642", ""))[2:]
        options = [word for word in arguments if word not in {"--stdio", "--http"}]
        if "--stdio" in arguments:
            with stdio_server(self._home, *options, settings=dict(os.environ)) as process:
                assert process.handshake()["result"]["serverInfo"]["name"] == "webquarry"
                assert process.close() == 0
            return
        settings = dict(os.environ) | {"PORT": "0"}
        with http_server(self._home, *options, settings=settings) as client:
            assert client.get("/health/live").status_code == 200

    def _bash(self, command: str, status: int) -> str:
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        if command.startswith("curl "):
            if not shutil.which("curl"):
                pytest.skip("curl is not installed")
            command = command.replace("curl ", "curl --fail-with-body ", 1)
        completed = subprocess.run(
            ["/bin/bash", "-o", "pipefail", "-c", command],
            cwd=self._home,
            env={**os.environ, "PATH": path},
            capture_output=True,
            check=False,
            timeout=60,
        )
        assert completed.returncode == status, (
            f"{command}\n{completed.stderr.decode()}{completed.stdout.decode()}"
        )
        return completed.stdout.decode()

    def _session(self) -> str:
        step = {"searchStep": "s", "stepNumber": 1, "nextStepNeeded": True, "researchGoal": "g"}
        return self._create("sequential_search", step, "sessionId")

    def _crawl(self) -> str:
        return self._create("cinder_crawl", {"url": f"{self._web.home}/", "maxPages": 1}, "crawlId")

    def _monitor(self) -> str:
        return self._create("monitor_create", {"target": f"{self._web.home}/"}, "monitorId")

    def _create(self, tool: str, arguments: Mapping[str, object], field: str) -> str:
        completed = self._typist.type("call", tool, json.dumps(arguments))
        return str(json.loads(completed.out)[field])


def reason_not_to_run(command: str) -> str | None:
    """Return why a command is not run, or None."""
    words = command.split()
    names = (" ".join(words[:count]) for count in (1, 2, 3))
    return next((NOT_RUN[name] for name in names if name in NOT_RUN), None)


def check_files(command: str) -> None:
    """Check that the files of this repository named in a command exist."""
    for word in shlex.split(command):
        if re.match(r"(deploy|tests|docs|scripts|src|bench)/", word):
            assert (ROOT / word).exists(), f"{command}: {word} does not exist"
        if word.startswith("bench."):
            assert (ROOT / f"{word.replace('.', '/')}.py").exists(), command


def prepare_home(web: Stub, home: Path, patch: pytest.MonkeyPatch) -> None:
    """Use a temporary home directory and send all requests to the stub web."""
    patch.chdir(home)
    patch.setenv("HOME", str(home))
    patch.setenv("WEBQUARRY_DATA_DIR", str(home / "data"))
    patch.setenv("NO_COLOR", "1")
    for name, value in settings(web).items():
        patch.setenv(name, value)


def _offline(command: str) -> list[str]:
    """Return `--offline` for `webquarry doctor`, which would test the internet connection."""
    return ["--offline"] if command == "webquarry doctor" else []


def _unquoted(command: str) -> str:
    return re.sub(r"'[^']*'|\"[^\"]*\"", "", command)
