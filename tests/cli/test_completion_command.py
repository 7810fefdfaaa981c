"""The TAB key, in real shells."""

import json
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.cli.terminal_shell import shell
from webquarry.calls.registry import TOOLSETS
from webquarry.cli.command_group import app
from webquarry.cli.command_index import SUMMARIES
from webquarry.cli.complete import SHELLS, TABLE, candidates, print_completions
from webquarry.cli.completion_command import install_for, login_shell, script_for
from webquarry.errors import BadInputError
from webquarry.tools import TOOLS

PROGRAM = Path(sys.executable).with_name("webquarry")
CLEAR = "\x15"  # Ctrl-U: the typed line goes
MAX_SECONDS = 0.25  # of CPU, for an answer
# what is typed before TAB, and the line after it
TYPED = {
    "webquarry ser": "webquarry serve ",
    "webquarry call ech": "webquarry call echo ",
    "webquarry call echo mes": "webquarry call echo message=",
    "webquarry search --tim": "webquarry search --time ",
    "webquarry search --time y": "webquarry search --time year ",
    "webquarry serve --toolsets web,sch": "webquarry serve --toolsets web,scholar ",
    "webquarry serve --toolsets=sch": "webquarry serve --toolsets=scholar ",
    "webquarry session ex": "webquarry session export ",
    "webquarry install claude-d": "webquarry install claude-desktop ",
}


@pytest.fixture
def table() -> dict[str, object]:
    return json.loads(Path(TABLE).read_text(encoding="utf-8"))


def _environment(home: Path) -> dict[str, str]:
    path = f"{PROGRAM.parent}:/usr/local/bin:/usr/bin:/bin"
    return {"HOME": str(home), "PATH": path, "TERM": "dumb", "PS1": "> "}


@pytest.mark.parametrize(
    ("name", "command"),
    [("bash", ["bash", "--norc", "--noprofile", "-i"]), ("zsh", ["zsh", "-f", "-i"])],
)
def test_tab_completes_the_line(name: str, command: list[str], tmp_path: Path) -> None:
    if shutil.which(name) is None:
        pytest.skip(f"needs {name}")
    script = tmp_path / "script"
    script.write_text(script_for(name))
    with shell(command, _environment(tmp_path)) as person:
        person.type(f"source {script}; echo rea''dy\n")
        person.until("ready\n")
        for typed, completed in TYPED.items():
            person.type(f"{typed}\t")
            person.until(completed.rstrip() if name == "zsh" else completed)
            person.type(CLEAR)


def test_fish_completes_the_line(tmp_path: Path) -> None:
    fish = shutil.which("fish")
    if fish is None:
        pytest.skip("needs fish")
    asked = "\n".join(f"complete -C {typed!r}" for typed in TYPED)
    done = subprocess.run(
        [fish, "--no-config", "-c", f"{script_for('fish')}\n{asked}"],
        capture_output=True,
        text=True,
        env=_environment(tmp_path),
        check=True,
    )

    words = [line.partition("\t")[0] for line in done.stdout.splitlines()]
    assert words == [completed.split()[-1] for completed in TYPED.values()]


def test_an_answer_costs_little_and_files_are_left_to_the_shell(tmp_path: Path) -> None:
    environ = {**_environment(tmp_path), "_WEBQUARRY_COMPLETE": "bash"}
    costs: list[float] = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            [PROGRAM, "2", "webquarry", "audit", "refs"],
            capture_output=True,
            env=environ,
            check=False,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        costs.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")

    assert min(costs) < MAX_SECONDS


def test_everything_there_is_can_be_completed(table: dict[str, object]) -> None:
    assert list(candidates(table, [""])) == list(SUMMARIES)
    assert list(candidates(table, ["call", ""])) == [tool.name for tool in TOOLS]
    assert list(candidates(table, ["tools", "--toolsets", ""])) == ["default", "all", *TOOLSETS]
    for name in SUMMARIES:
        assert "--help" in candidates(table, [name, "--h"])


@pytest.mark.parametrize(
    "words",
    [
        ["nonsense", ""],
        ["call", "nonsense", ""],
        ["call", "echo", "message=he"],
        ["call", "echo", "message", "=", "he"],
        ["serve", "--port", ""],
        ["serve", "--nonsense="],
        ["completion", "bash", "x"],
        ["\N{LEFT-TO-RIGHT MARK}", "'"],
    ],
)
def test_where_nothing_is_known_nothing_is_offered(
    table: dict[str, object], words: list[str]
) -> None:
    assert candidates(table, words) == {}


@pytest.mark.parametrize(("shell", "arguments"), [("complete_bash", []), ("tcsh", ["1", "x"])])
def test_scripts_of_others_get_no_answer(
    shell: str, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert print_completions(shell, arguments) == 2
    assert capsys.readouterr() == (
        "", "webquarry: unknown script; see `webquarry completion --help`\n",
    )  # fmt: skip


@pytest.mark.parametrize("name", SHELLS)
def test_the_script_is_printed(name: str) -> None:
    assert CliRunner().invoke(app, ["completion", name]).output == script_for(name)


def test_the_login_shell_is_meant_when_none_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHELL", "/usr/bin/fish")

    assert CliRunner().invoke(app, ["--show-completion"]).output == script_for("fish")


def test_an_unknown_login_shell_must_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHELL", "/bin/tcsh")

    with pytest.raises(BadInputError, match=r"webquarry completion bash\|zsh\|fish"):
        login_shell()


@pytest.mark.parametrize("name", ["bash", "zsh"])
def test_setting_it_up_twice_adds_one_line(name: str, tmp_path: Path) -> None:
    startup = tmp_path / f".{name}rc"
    startup.write_text("alias ll='ls -l'")  # without a line end

    install_for(name, tmp_path)
    said = install_for(name, tmp_path)

    script = tmp_path / ".local" / "share" / "webquarry" / f"completion.{name}"
    assert script.read_text() == script_for(name)
    assert startup.read_text() == f"alias ll='ls -l'\nsource \"{script}\"\n"
    assert said == f"Wrote {script}, which {startup} already loads."


def test_fish_finds_its_script_by_itself(tmp_path: Path) -> None:
    install_for("fish", tmp_path)

    script = tmp_path / ".config" / "fish" / "completions" / "webquarry.fish"
    assert script.read_text() == script_for("fish")
    assert [p.name for p in tmp_path.iterdir()] == [".config"]
