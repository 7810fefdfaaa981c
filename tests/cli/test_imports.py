"""Commands import only what they need: most of the time of a command is spent on imports."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.stub import Stub
from tests.server.processes import environment
from webquarry.cli.help_texts import TABLE

# heavy packages that only servers need
SERVER = {"mcp", "mcp_types", "starlette", "uvicorn", "httpx", "jwt", "redis", "playwright"}
# what reads pages: the numeric library, the content model, the CSS parser
READERS = {"numpy", "webquarry.content.main_content.choose", "cssselect2"}
# what no help text needs
SLOW = SERVER | {"typer", "rich", "pydantic", "asyncio", "webquarry.tools"}
PATHS = [path.split() for path in json.loads(Path(TABLE).read_text("utf-8"))]
# prints what was imported after the command; the command's own output is not kept
PROGRAM = """
import io, json, sys
from webquarry.__main__ import main
names = {}
for arguments in json.loads(sys.argv[1]):
    sys.argv = ["webquarry", *arguments]
    sys.stdout = io.StringIO()
    try:
        main()
    except SystemExit as exc:
        assert not exc.code, exc.code
    sys.stdout = sys.__stdout__
    names.update(dict.fromkeys(sys.modules))
print(json.dumps(sorted(names)))
"""


def imported(home: Path, *commands: list[str], **settings: str) -> set[str]:
    """Return the modules that a process has imported after these commands."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps(commands)],
        capture_output=True,
        text=True,
        cwd=home,
        env=environment(home, **settings),
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout))


def test_the_help_of_every_command_imports_nothing_slow(tmp_path: Path) -> None:
    names = imported(tmp_path, ["--version"], *([*path, "--help"] for path in PATHS))

    assert names & SLOW == set()
    assert not [name for name in names if name.startswith("webquarry.cli.") and "_command" in name]


@pytest.mark.parametrize(
    "command",
    [
        ["call", "echo", "message=x"],
        ["session", "list"],
        ["crawl", "list"],
        ["keys", "list"],
        ["search", "heat pumps", "--provider", "local"],
    ],
)
def test_a_simple_command_imports_neither_the_protocol_nor_rich(
    tmp_path: Path, command: list[str]
) -> None:
    names = imported(tmp_path, command)

    assert names & (SERVER | {"rich", "webquarry.providers.brave"} - _needs(command)) == set()


@pytest.mark.parametrize("command", [["tools"], ["providers"], ["config"]])
def test_a_list_imports_no_protocol(tmp_path: Path, command: list[str]) -> None:
    assert imported(tmp_path, command) & (SERVER | READERS | {"rich"}) == set()


@pytest.mark.parametrize("command", [["doctor", "--offline"], ["crawl", "list"]])
def test_a_command_that_reads_no_page_imports_no_page_readers(
    tmp_path: Path, command: list[str]
) -> None:
    names = imported(tmp_path, command, CHROME_PATH="disabled")

    assert names & (SERVER | READERS | {"rich", "webquarry.providers.all_providers"}) == set()


def test_the_tools_are_listed_without_importing_them(tmp_path: Path) -> None:
    names = imported(tmp_path, ["tools"], ["tools", "--toolsets", "all", "--json"])

    assert not [name for name in names if name.startswith("webquarry.tools.")]


def test_the_tools_of_a_configuration_without_a_snapshot_need_no_page_readers(
    tmp_path: Path,
) -> None:
    names = imported(tmp_path, ["tools"], BRAVE_API_KEY="secret")

    assert "webquarry.tools.scrape_page" in names
    assert names & (SERVER | READERS | {"rich"}) == set()


def test_reading_a_page_imports_neither_the_protocol_nor_the_providers(
    tmp_path: Path, web: Stub
) -> None:
    names = imported(
        tmp_path,
        ["read", f"{web.home}/a"],
        ALLOW_PRIVATE_IPS="true",
        CHROME_PATH="disabled",
    )

    assert names & (SERVER | {"rich", "webquarry.providers.all_providers"}) == set()


def _needs(command: list[str]) -> set[str]:
    return {"webquarry.providers.brave"} if command[0] == "search" else set()
