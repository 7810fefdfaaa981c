"""All that README and docs show is run: commands, programs, configuration; nothing is skipped.

What cannot be run here stands in `NOT_RUN` of tests/documentation/reader.py, with the reason.
"""

import contextlib
import io
import json
import os
import re
import socket
import subprocess
import sys
import tomllib
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.stub import Stub, stub_web
from tests.cli.typing_in import Typist
from tests.documentation.blocks import ROOT, Block, blocks, documents, prose
from tests.documentation.reader import KNOWN, NOT_RUN, STATUS, Reader, ready
from tests.documentation.shapes import check_json
from tests.documentation.web import respond, settings
from tests.server.http_server import http_server
from webquarry.cli.command_index import ENTRIES
from webquarry.settings.load import load
from webquarry.wiring.declared_settings import declared_variables

BLOCKS = blocks()
SHELL = [b for b in BLOCKS if b.language in {"sh", "console"}]
LANGUAGES = {"sh", "console", "python", "json", "toml", "text", "mermaid"}
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
_COMMAND = re.compile(r"^(\$ |webquarry |make |curl |docker |kubectl )")


@pytest.fixture(scope="module")
def web() -> Generator[Stub]:
    with stub_web(respond) as stub:
        yield stub


@pytest.fixture(scope="module")
def server(web: Stub, tmp_path_factory: pytest.TempPathFactory) -> Generator[str]:
    home = tmp_path_factory.mktemp("server")
    with http_server(
        home, settings=settings(web) | {"ADMIN_API_KEY": "your-admin-key-here"}
    ) as http:
        yield str(http.base_url).rstrip("/")


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no name be resolved but those of this machine."""
    resolve = socket.getaddrinfo

    def only_here(host: Any, *arguments: Any, **named: Any) -> Any:
        if host not in {"127.0.0.1", "localhost", "::1", "0.0.0.0", None}:  # noqa: S104
            raise socket.gaierror(f"a document's example asked for {host}")
        return resolve(host, *arguments, **named)

    monkeypatch.setattr(socket, "getaddrinfo", only_here)


@pytest.fixture
def reader(
    web: Stub,
    server: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Reader:
    ready(web, tmp_path, monkeypatch)
    return Reader(tmp_path, web, Typist(monkeypatch, capsys), monkeypatch, server)


@pytest.mark.parametrize("block", SHELL, ids=str)
def test_the_commands_of_a_block_work(reader: Reader, block: Block) -> None:
    commands = block.commands()

    assert commands
    for command in commands:
        reader.run(command)


@pytest.mark.parametrize("block", [b for b in BLOCKS if b.language == "python"], ids=str)
def test_a_program_runs(reader: Reader, block: Block) -> None:
    program = compile(reader.adapt(block.text), str(block), "exec")
    printed = io.StringIO()

    with contextlib.redirect_stdout(printed):
        exec(program, {"__name__": "__main__"})  # noqa: S102 - that is the point

    assert bool(printed.getvalue()) == ("print(" in block.text)


@pytest.mark.parametrize("block", [b for b in BLOCKS if b.language == "json"], ids=str)
def test_json_is_what_the_code_takes_or_gives(block: Block) -> None:
    check_json(json.loads(block.text), str(block))


@pytest.mark.parametrize("block", [b for b in BLOCKS if b.language == "toml"], ids=str)
def test_a_settings_file_is_accepted(block: Block, tmp_path: Path) -> None:
    (tmp_path / "webquarry.toml").write_text(block.text, encoding="utf-8")

    settings = load(environ={}, directory=tmp_path, flags={}, declared=declared_variables())

    for group, table in tomllib.loads(block.text).items():
        for key, value in table.items():
            told = getattr(getattr(settings, group), key)
            assert json.dumps(told) == json.dumps(value)


def test_no_exception_is_left_over() -> None:
    commands = [command for block in SHELL for command in block.commands()]
    used = {
        name for name in NOT_RUN for command in commands if f"{command} ".startswith(f"{name} ")
    }

    assert set(NOT_RUN) - used == set()
    assert set(STATUS) - set(commands) == set()


def test_every_block_says_what_it_is() -> None:
    assert [str(block) for block in BLOCKS if block.language not in LANGUAGES] == []


def test_commands_stand_in_blocks_that_are_run() -> None:
    shown = [str(b) for b in BLOCKS if b.language in {"text", "mermaid"}
             for line in b.text.splitlines() if _COMMAND.match(line)]  # fmt: skip
    indented = [
        f"{path.name}: {line}"
        for path in documents()
        for line in prose(path).splitlines()
        if line.startswith("    ") and _COMMAND.match(line.strip())
    ]

    assert shown + indented == []


@pytest.mark.parametrize("path", documents(), ids=lambda path: str(path.relative_to(ROOT)))
def test_what_a_document_names_is_there(path: Path) -> None:
    text = prose(path)
    spans = re.findall(r"`([^`\n]+)`", text)

    commands = [s.split()[1] for s in spans if re.match(r"webquarry [a-z]", s)]
    made = [s.split()[1] for s in spans if re.match(r"make [a-z]", s)]
    names = [n for s in spans for n in re.findall(r"\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b", s)]
    files = [s for s in spans if re.fullmatch(r"[\w./-]+\.(py|md|toml|yml|yaml|npz|sh)", s)]

    assert set(commands) <= set(ENTRIES)
    assert set(made) <= TARGETS
    assert {name for name in names if name not in KNOWN} <= NO_SETTINGS
    assert [name for name in files if not _is_there(name, path)] == []


# Words in capitals that are no settings: what others define, and the names of constants.
NO_SETTINGS = {"EARLY_PHASE1", "DEFAULT_TOOLSETS"}
# Files of the reader's own.
THEIRS = {
    "webquarry.toml",
    "src/webquarry/tools/shout.py",
    "tests/tools/test_shout.py",
    "report.md",
    "search-log.md",
}


def _is_there(name: str, document: Path) -> bool:
    places = (ROOT, document.parent, ROOT / "src" / "webquarry", ROOT / "tests",
              ROOT / "src" / "webquarry" / "content")  # fmt: skip
    return name in THEIRS or any((place / name).exists() for place in places)


@pytest.mark.parametrize("path", documents(), ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    links = re.findall(r"\]\((?!https?://|#)([^)#\s]+)", prose(path))

    assert [link for link in links if not (path.parent / link).exists()] == []


def test_every_command_is_in_the_guide_to_the_command_line() -> None:
    guide = [b for b in SHELL if b.document == "docs/cli.md"]
    told = {c.split()[1] for b in guide for c in b.commands() if c.startswith("webquarry ")}

    # a worker needs Redis and Postgres; quotations have a document of their own
    assert set(ENTRIES) - told <= {"worker", "quote", "demo", "completion"}


def test_every_target_of_make_says_what_it_does() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    told = set(re.findall(r"^([a-z-]+):.*## \S", text, re.M))
    [phony] = re.findall(r"^\.PHONY:((?:.*\\\n)*.*)$", text, re.M)

    assert told == TARGETS
    assert set(phony.replace("\\", "").split()) == TARGETS


def test_the_site_is_built_and_fetches_nothing_from_elsewhere(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-d", str(tmp_path)]
    quiet = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(build, cwd=ROOT, env=quiet, capture_output=True, check=False, timeout=120)

    assert (done.returncode, done.stderr.decode()) == (0, "")
    pages = [page.read_text(encoding="utf-8") for page in tmp_path.rglob("*.html")]
    loaded = {
        address
        for page in pages
        for tag in re.findall(r"<(?:script|link|img|iframe)\b[^>]*>", page)
        for address in re.findall(r"(?:src|href)=\"?(https?:[^\"\s>]+)", tag)
    }
    assert len(pages) > len(documents())
    assert loaded == set()


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 200
