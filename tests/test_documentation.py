"""Runs every command, program and configuration example of README and docs.

Commands that cannot run in a test are listed in `NOT_RUN` of tests/documentation/command_runner.py.
"""

import contextlib
import io
import json
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
from tests.documentation.command_runner import (
    KNOWN_SETTINGS,
    NOT_RUN,
    STATUS,
    CommandRunner,
    prepare_home,
)
from tests.documentation.json_examples import check_json
from tests.documentation.recipes import COOKBOOK, Recipe, recipes
from tests.documentation.stub_responses import respond, settings
from tests.server.http_server import http_server
from webquarry.cli.command_index import SUMMARIES
from webquarry.settings.load import load
from webquarry.wiring.declared_settings import declared_variables

BLOCKS = blocks()
SHELL = [b for b in BLOCKS if b.language in {"sh", "console"}]
LANGUAGES = {"sh", "console", "python", "json", "toml", "text", "mermaid"}
RECIPES = recipes()
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
_COMMAND = re.compile(r"^(\$ |webquarry |make |curl |docker |kubectl )")


def _elsewhere(found: list[Block]) -> list[Block]:
    """Return the blocks that are no recipes: those are run with their output."""
    return [block for block in found if block.document != COOKBOOK]


@pytest.fixture(scope="module")
def web() -> Generator[Stub]:
    with stub_web(respond) as stub:
        yield stub


@pytest.fixture(scope="module")
def server(web: Stub, tmp_path_factory: pytest.TempPathFactory) -> Generator[str]:
    home = tmp_path_factory.mktemp("server")
    with http_server(
        home,
        settings=settings(web)
        | {"ADMIN_API_KEY": "your-admin-key-here", "COMPAT_ROOT": "firecrawl"},
    ) as http:
        yield str(http.base_url).rstrip("/")


@pytest.fixture(autouse=True)
def loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail when an example resolves a host other than loopback."""
    resolve = socket.getaddrinfo

    def resolve_loopback(host: Any, *arguments: Any, **named: Any) -> Any:
        if host not in {"127.0.0.1", "localhost", "::1", "0.0.0.0", None}:  # noqa: S104
            raise socket.gaierror(f"an example of the documentation resolved {host}")
        return resolve(host, *arguments, **named)

    monkeypatch.setattr(socket, "getaddrinfo", resolve_loopback)


@pytest.fixture
def runner(
    web: Stub,
    server: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> CommandRunner:
    prepare_home(web, tmp_path, monkeypatch)
    return CommandRunner(tmp_path, web, Typist(monkeypatch, capsys), monkeypatch, server)


@pytest.mark.parametrize("recipe", RECIPES, ids=str)
def test_a_recipe_prints_what_the_cookbook_says(
    runner: CommandRunner, web: Stub, recipe: Recipe
) -> None:
    if recipe.source.language == "python":
        printed = _run_program(runner, recipe.source)
    else:
        printed = "".join(runner.run(command) for command in recipe.source.commands())

    assert printed.replace(web.home, "https://example.com") == recipe.printed


def test_the_cookbook_has_ten_recipes() -> None:
    assert [recipe.number for recipe in RECIPES] == list(range(1, 11))


@pytest.mark.parametrize("block", _elsewhere(SHELL), ids=str)
def test_the_commands_of_a_block_work(runner: CommandRunner, block: Block) -> None:
    commands = block.commands()

    assert commands
    for command in commands:
        runner.run(command)


@pytest.mark.parametrize(
    "block", _elsewhere([b for b in BLOCKS if b.language == "python"]), ids=str
)
def test_a_program_runs(runner: CommandRunner, block: Block) -> None:
    if "wq.browse_page(" in block.text:
        pytest.skip("needs Chromium; tests/tools/test_browse_page.py runs it")
    assert bool(_run_program(runner, block)) == ("print(" in block.text)


def _run_program(runner: CommandRunner, block: Block) -> str:
    program = compile(runner.adapt(block.text), str(block), "exec")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(program, {"__name__": "__main__"})  # noqa: S102 - the test runs the documented program
    return printed.getvalue()


@pytest.mark.parametrize("block", [b for b in BLOCKS if b.language == "json"], ids=str)
def test_json_examples_match_the_schemas_of_the_code(block: Block) -> None:
    check_json(json.loads(block.text), str(block))


@pytest.mark.parametrize("block", [b for b in BLOCKS if b.language == "toml"], ids=str)
def test_a_settings_file_is_accepted(block: Block, tmp_path: Path) -> None:
    (tmp_path / "webquarry.toml").write_text(block.text, encoding="utf-8")

    settings = load(environ={}, directory=tmp_path, flags={}, declared=declared_variables())

    for group, table in tomllib.loads(block.text).items():
        for key, value in table.items():
            loaded = getattr(getattr(settings, group), key)
            assert json.dumps(loaded) == json.dumps(value)


def test_every_exception_is_still_used() -> None:
    commands = [command for block in SHELL for command in block.commands()]
    used = {
        name for name in NOT_RUN for command in commands if f"{command} ".startswith(f"{name} ")
    }

    assert set(NOT_RUN) - used == set()
    assert set(STATUS) - set(commands) == set()


def test_every_block_names_its_language() -> None:
    assert [str(block) for block in BLOCKS if block.language not in LANGUAGES] == []


def test_commands_appear_only_in_blocks_that_are_run() -> None:
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
def test_commands_settings_and_files_named_in_a_document_exist(path: Path) -> None:
    text = prose(path)
    spans = re.findall(r"`([^`\n]+)`", text)

    commands = [s.split()[1] for s in spans if re.match(r"webquarry [a-z]", s)]
    targets = [s.split()[1] for s in spans if re.match(r"make [a-z]", s)]
    names = [n for s in spans for n in re.findall(r"\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b", s)]
    files = [s for s in spans if re.fullmatch(r"[\w./-]+\.(py|md|toml|yml|yaml|npz|sh)", s)]

    assert set(commands) <= set(SUMMARIES)
    assert set(targets) <= TARGETS
    assert {name for name in names if name not in KNOWN_SETTINGS} <= NOT_SETTINGS
    assert [name for name in files if not _exists(name, path)] == []


# Words in capitals that are not settings: terms of other systems and names of constants.
NOT_SETTINGS = {"EARLY_PHASE1", "DEFAULT_TOOLSETS", "FIRECRAWL_API_URL"}
# Files that the reader creates.
READER_FILES = {
    "webquarry.toml",
    "src/webquarry/tools/shout.py",
    "tests/tools/test_shout.py",
    "report.md",
    "search-log.md",
}


def _exists(name: str, document: Path) -> bool:
    directories = (ROOT, document.parent, ROOT / "src" / "webquarry", ROOT / "tests",
              ROOT / "src" / "webquarry" / "content")  # fmt: skip
    return name in READER_FILES or any((directory / name).exists() for directory in directories)


def test_every_command_is_in_the_command_line_guide() -> None:
    guide = [b for b in SHELL if b.document == "docs/cli.md"]
    shown = {c.split()[1] for b in guide for c in b.commands() if c.startswith("webquarry ")}

    # a worker needs Redis and Postgres; the others have their own documents
    assert set(SUMMARIES) - shown <= {"worker", "quote", "demo", "completion"}


def test_every_make_target_has_a_description() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    described = set(re.findall(r"^([a-z-]+):.*## \S", text, re.M))
    [phony] = re.findall(r"^\.PHONY:((?:.*\\\n)*.*)$", text, re.M)

    assert described == TARGETS
    assert set(phony.replace("\\", "").split()) == TARGETS


def test_the_site_builds_and_loads_nothing_from_other_hosts(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-c", "scripts/site"]
    site = tmp_path / "site"
    build_result = subprocess.run(
        [*build, "-d", str(tmp_path / "doctrees"), "docs", str(site)],
        cwd=ROOT,
        capture_output=True,
        check=False,
        timeout=120,
    )

    assert (build_result.returncode, build_result.stderr.decode()) == (0, "")
    pages = [page.read_text(encoding="utf-8") for page in site.rglob("*.html")]
    loaded = {
        url
        for page in pages
        for tag in re.findall(r"<(?:script|link|img|iframe)\b[^>]*>", page)
        for url in re.findall(r"(?:src|href)=\"?(https?:[^\"\s>]+)", tag)
    }
    assert len(pages) > len(documents())
    assert loaded == set()


def test_the_readme_has_at_most_160_lines_besides_the_table_of_tools() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    before, _, rest = text.partition("<!-- tools:")
    _, _, after = rest.partition("<!-- /tools -->")

    assert len(before.splitlines()) + len(after.splitlines()) <= 160
