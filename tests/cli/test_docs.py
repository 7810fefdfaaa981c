"""Every command in docs/cli.md is run, as it stands there."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import PROVIDERS
from tests.cli.stub import Stub
from tests.cli.test_checking import BIB
from tests.cli.typing_in import Typist
from tests.server.http_server import http_server
from tests.server.processes import environment, stdio_server
from webquarry.cli.index import ENTRIES

DOCUMENT = Path(__file__).parents[2] / "docs" / "cli.md"
BLOCKS = re.findall(r"```sh\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.S)
COMMANDS = [line for block in BLOCKS for line in block.splitlines()]
ALONE = [c for c in COMMANDS if not set("|<>") & set(c) and " serve " not in c]
PIPED = [c for c in COMMANDS if set("|<>") & set(c)]
STATUS = {"webquarry audit refs.bib": 3, "webquarry audit - < refs.bib": 3}  # a book, not a paper
GOAL = {"searchStep": "s", "stepNumber": 1, "nextStepNeeded": False, "researchGoal": "g"}


@pytest.fixture
def ready(home: Path) -> Path:
    """A directory with the files that the document names."""
    (home / "refs.bib").write_text(BIB)
    schema = {"type": "object", "properties": {"author": {"type": "string"}}}
    (home / "wanted.json").write_text(json.dumps(schema))
    return home


def test_every_command_is_in_the_document() -> None:
    told = {command.split()[1] for command in COMMANDS}
    # a worker needs Redis and Postgres; quotations have a document of their own
    assert set(ENTRIES) - told == {"worker", "quote"}


@pytest.mark.parametrize("command", ALONE)
def test_a_command_of_the_document_works(
    typist: Typist, web: Stub, ready: Path, command: str
) -> None:
    assert ready.is_dir()
    words = shlex.split(command.replace("https://example.com", web.home))[1:]
    if words[0] == "session" and words[1] != "list":
        step = typist.type("call", "sequential_search", json.dumps(GOAL))
        words[2] = json.loads(step.out)["sessionId"][:8]

    done = typist.type(*words)

    assert (done.status, "Traceback" in done.err) == (STATUS.get(command, 0), False), done.err
    assert done.out or "--output" in words


@pytest.mark.parametrize("command", PIPED)
def test_a_command_of_the_document_works_in_a_pipe(web: Stub, ready: Path, command: str) -> None:
    done = subprocess.run(
        ["/bin/bash", "-o", "pipefail", "-c", command.replace("https://example.com", web.home)],
        cwd=ready,
        env=_environment(ready, web),
        capture_output=True,
        timeout=60,
        check=False,
    )

    assert done.returncode == STATUS.get(command, 0), done.stderr
    written = [path for path in ready.glob("*.md") if path.stat().st_size]
    assert done.stdout or written


def test_the_servers_of_the_document_start_and_stop(web: Stub, ready: Path) -> None:
    assert [c for c in COMMANDS if " serve " in c] == [
        "webquarry serve --stdio",
        "webquarry serve --http --port 8642",
    ]
    with stdio_server(ready, settings=web.settings(*PROVIDERS)) as process:
        assert process.handshake()["result"]["serverInfo"]["name"] == "webquarry"
        assert process.close() == 0
    with http_server(ready) as client:  # which stops it, and checks that it ends well
        assert client.get("/health/live").status_code == 200


def _environment(home: Path, web: Stub) -> dict[str, str]:
    made = environment(home, **web.settings(*PROVIDERS))
    return made | {"PATH": f"{Path(sys.executable).parent}:{made['PATH']}"}
