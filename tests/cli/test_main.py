"""The command line as a person types it."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.server.processes import environment
from webquarry.cli import main
from webquarry.cli.command_group import app
from webquarry.cli.command_index import SUMMARIES, help_text
from webquarry.cli.help_texts import requested_help
from webquarry.version import __version__


def run(
    home: Path, *arguments: str, stdin: bytes = b"", **settings: str
) -> "subprocess.CompletedProcess[str]":
    done = subprocess.run(
        [sys.executable, "-m", "webquarry", *arguments],
        input=stdin,
        capture_output=True,
        cwd=home,
        env=environment(home, **settings),
        timeout=60,
        check=False,
    )
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )


def test_the_version_is_printed(tmp_path: Path) -> None:
    assert run(tmp_path, "--version").stdout == f"{__version__}\n"


@pytest.mark.parametrize("typed", [["--help"], ["-h"], ["help"], ["-v", "--help"]])
def test_help_is_the_same_however_it_is_asked_for(tmp_path: Path, typed: list[str]) -> None:
    assert run(tmp_path, *typed).stdout == help_text()


def _two_words(_: list[str]) -> str:
    return "one · two"


def test_a_terminal_of_few_characters_shows_the_others_as_question_marks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(shown, encoding="ascii"))
    monkeypatch.setattr("sys.argv", ["webquarry", "--help"])
    monkeypatch.setattr(main, "requested_help", _two_words)

    assert main.run() == 0
    sys.stdout.flush()
    assert shown.getvalue() == b"one ? two"


def test_every_command_explains_itself() -> None:
    for name in SUMMARIES:
        shown = CliRunner(env={"COLUMNS": "80"}).invoke(app, [name, "--help"])

        assert (name, shown.exit_code, shown.exception) == (name, 0, None)
        assert f"Usage: webquarry {name}" in shown.output
        assert requested_help([name, "--help"]) == shown.output


@pytest.mark.parametrize("typed", [["crawl", "export", "-h"], ["help", "crawl", "export"]])
def test_help_of_a_subcommand_is_the_same_however_it_is_asked_for(
    tmp_path: Path, typed: list[str]
) -> None:
    wide, narrow = run(tmp_path, *typed), run(tmp_path, *typed, COLUMNS="60")

    assert wide.stdout.startswith("Usage: webquarry crawl export ")
    assert max(map(len, narrow.stdout.splitlines())) <= 60
    # lines may also end at a hyphen
    assert "".join(narrow.stdout.split()) == "".join(wide.stdout.split())


def test_help_of_an_unknown_command_suggests_one(tmp_path: Path) -> None:
    done = run(tmp_path, "help", "serch")

    assert done.returncode == 2
    assert "Did you mean `webquarry search`?" in done.stderr


def test_an_unknown_tool_and_an_unknown_command_are_named(tmp_path: Path) -> None:
    tool, command = run(tmp_path, "call", "nope"), run(tmp_path, "serch", "x")

    assert (tool.returncode, command.returncode) == (1, 2)
    assert tool.stderr == "webquarry: Unknown tool: nope\n"
    assert "There is no command 'serch'. Did you mean `webquarry search`?" in command.stderr


def test_shells_get_the_commands_to_complete(tmp_path: Path) -> None:
    done = run(tmp_path, "1", "webquarry", "se", _WEBQUARRY_COMPLETE="bash")

    assert done.stdout.split() == ["search", "session", "serve"]


@pytest.mark.parametrize("arguments", [["message=hé llo"], ['{"message": "hé llo"}']])
def test_a_tool_is_called_with_pairs_or_json(tmp_path: Path, arguments: list[str]) -> None:
    done = run(tmp_path, "call", "echo", *arguments)

    assert (done.returncode, json.loads(done.stdout)) == (0, {"echoed": "hé llo"})
    assert done.stderr == ""


def test_a_text_argument_is_taken_as_it_is(tmp_path: Path) -> None:
    done = run(tmp_path, "call", "echo", "message=7")

    assert json.loads(done.stdout) == {"echoed": "7"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["echo", "mesage=x"], "mesage: no such argument, did you mean message?"),
        (["echo", "x"], "'x' is not an argument: write name=value."),
        (["echo", "{x"], "The arguments are not valid JSON"),
    ],
)
def test_a_mistake_is_one_sentence_and_a_status(
    tmp_path: Path, arguments: list[str], message: str
) -> None:
    done = run(tmp_path, "call", *arguments)

    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_the_whole_result_is_printed_as_json(tmp_path: Path) -> None:
    done = run(tmp_path, "call", "echo", "message=x", "--json")

    assert json.loads(done.stdout) == {
        "content": [{"type": "text", "text": "echoed: x"}],
        "structuredContent": {"echoed": "x"},
    }


def test_tools_are_listed_for_people_and_programs(tmp_path: Path) -> None:
    table = run(tmp_path, "tools", "--toolsets", "starter").stdout
    data = json.loads(run(tmp_path, "tools", "--toolsets", "starter", "--json").stdout)

    assert table.splitlines()[1].split()[:2] == ["echo", "starter"]
    assert [t["name"] for t in data["tools"]] == ["echo"]


def test_the_cost_in_context_is_shown_per_tool_and_per_toolset(tmp_path: Path) -> None:
    costs = json.loads(run(tmp_path, "tools", "--tokens", "--json").stdout)

    assert costs["tools"]["echo"] > 0
    assert costs["toolsets"]["starter"] == costs["tools"]["echo"]
    assert {"default", "all", "web"} <= costs["toolsets"].keys()
    assert "toolset" in run(tmp_path, "tools", "--tokens").stdout


def test_settings_are_shown_with_their_source_and_without_their_secrets(tmp_path: Path) -> None:
    (tmp_path / "webquarry.env").write_text("LOG_LEVEL=debug\n")
    key = "ab" * 32
    text = run(tmp_path, "config", CACHE_ENCRYPTION_KEY=key).stdout

    assert "debug" in text
    assert "webquarry.env line 1" in text
    assert key not in text
    assert json.loads(run(tmp_path, "config", "--json").stdout)


@pytest.mark.parametrize(
    "arguments", [["--env-file", "my.env", "config"], ["config", "--env-file=my.env"]]
)
def test_every_command_takes_an_env_file(tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "my.env").write_text("LOG_LEVEL=debug\n")

    assert "my.env line 1" in run(tmp_path, *arguments).stdout


def test_the_dotenv_of_another_project_is_left_alone_and_named(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("LOG_LEVEL=VERBOSE\nREDIS_URL=redis://cache\n")

    shown = run(tmp_path, "config").stdout

    assert ".env: LOG_LEVEL, REDIS_URL ignored" in shown


@pytest.mark.parametrize("command", [["config"], ["tools"], ["call", "echo", "message=x"],
                                     ["serve", "--http"]])  # fmt: skip
def test_a_wrong_setting_is_explained_by_every_command(tmp_path: Path, command: list[str]) -> None:
    done = run(tmp_path, *command, LOG_LEVEL="loud")

    assert done.returncode == 2
    assert "LOG_LEVEL (environment) is 'loud'" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_unknown_toolset_is_explained(tmp_path: Path) -> None:
    done = run(tmp_path, "tools", "--toolsets", "webb")

    assert done.returncode == 2
    assert "unknown toolsets: webb; choose from default, all, web" in done.stderr


def test_serving_needs_a_transport(tmp_path: Path) -> None:
    done = run(tmp_path, "serve")

    assert done.returncode == 2
    assert "use either --stdio or --http" in done.stderr


def test_without_a_terminal_and_arguments_it_serves_stdio(tmp_path: Path) -> None:
    opening = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "x", "version": "1"},
    }
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": opening}
    request = json.dumps(message).encode() + b"\n"

    done = run(tmp_path, stdin=request)

    assert json.loads(done.stdout)["result"]["serverInfo"]["name"] == "webquarry"


def test_an_unusable_data_directory_is_explained(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    done = run(tmp_path, "call", "echo", "message=x", WEBQUARRY_DATA_DIR=str(tmp_path / "file"))

    assert done.returncode == 2
    assert "data directory" in done.stderr
    assert "Traceback" not in done.stderr
