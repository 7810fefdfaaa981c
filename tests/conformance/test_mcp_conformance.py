"""The conformance suites of the Model Context Protocol, run against our server core."""

import json
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conformance.node import ROOT, installed, run

PACKAGE = "@modelcontextprotocol/conformance"
SERVER = "tests.conformance.everything_server"
EXPECTED = Path(__file__).with_name("expected_failures.toml")
ACCEPTED = {"SUCCESS", "INFO", "SKIPPED"}


@dataclass(frozen=True)
class Suite:
    """One run of one release of the suite, and its minimum number of scenarios."""

    name: str
    release: str
    min_scenarios: int
    arguments: tuple[str, ...] = ()


SUITES = (
    Suite("default", "0.1.16", 30),
    Suite("2025-11-25", "0.2.0-alpha.12", 33, ("--requirements", "2025-11-25")),
    Suite("2026-07-28", "0.2.0-alpha.12", 50, ("--requirements", "2026-07-28")),
)


@pytest.fixture(scope="module")
def server_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    data_dir = tmp_path_factory.mktemp("everything")
    command = [sys.executable, "-W", "error", "-m", SERVER, str(data_dir)]
    log = data_dir / "server.log"
    with (
        log.open("w") as stderr_file,
        subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=stderr_file, text=True
        ) as server,
    ):
        assert server.stdout is not None
        port = server.stdout.readline().strip()
        assert port, log.read_text()
        try:
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            server.terminate()


@pytest.mark.parametrize("suite", SUITES, ids=lambda suite: suite.name)
def test_every_conformance_scenario_passes_except_the_expected_failures(
    suite: Suite, server_url: str, tmp_path: Path
) -> None:
    script = installed(PACKAGE, suite.release, "dist/index.js")
    results = tmp_path / "results"
    completed = run(
        script,
        ("server", "--url", server_url, "--output-dir", str(results), *suite.arguments),
        home=tmp_path,
    )
    reports = {_scenario(path): _failures(path) for path in results.glob("*/checks.json")}
    assert len(reports) >= suite.min_scenarios, completed.stdout + completed.stderr
    expected = _expected(suite)
    problems = [
        f"{s}: {p}" for s, failures in reports.items() if s not in expected for p in failures
    ]
    problems += [
        f"{s}: passes now, remove it from expected_failures.toml"
        for s in expected
        if not reports.get(s)
    ]
    if problems:
        pytest.fail("\n".join(sorted(problems)), pytrace=False)


def _expected(suite: Suite) -> set[str]:
    entries = tomllib.loads(EXPECTED.read_text())["expected"]
    return {s for entry in entries if entry["suite"] == suite.name for s in entry["scenarios"]}


def _scenario(checks: Path) -> str:
    """Return the scenario of a directory named `server-<scenario>-<time>`."""
    name = checks.parent.name.removeprefix("server-")
    return name[: -len("-2026-01-01T00-00-00-000Z")]


def _failures(checks: Path) -> list[str]:
    return [
        f"{check['id']}: {check['status']}: {check.get('errorMessage', '')}"
        for check in json.loads(checks.read_text())
        if check["status"] not in ACCEPTED
    ]
