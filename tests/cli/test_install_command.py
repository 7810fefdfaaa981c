"""`webquarry install`: somebody else's file is changed in one place, or not at all."""

import json
import sys
import tomllib
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml

from tests.cli.typing_in import Typist
from webquarry.cli.config_file import ConfigFile
from webquarry.cli.config_formats import JsonFormat
from webquarry.cli.install_command import ClientName
from webquarry.cli.mcp_clients import CLIENTS
from webquarry.errors import BadInputError
from webquarry.version import __version__

COMMAND = str(Path(sys.executable).with_name("webquarry"))
SERVER = {"command": COMMAND, "args": ["serve", "--stdio"]}


@pytest.fixture
def typing(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Typist:
    assert home.is_dir()
    return Typist(monkeypatch, capsys)


@pytest.mark.parametrize(
    ("client", "path", "content"),
    [
        ("claude-desktop", ".config/Claude/claude_desktop_config.json",
         {"mcpServers": {"webquarry": SERVER}}),
        ("claude-code", ".claude.json", {"mcpServers": {"webquarry": {"type": "stdio", **SERVER}}}),
        ("cursor", ".cursor/mcp.json", {"mcpServers": {"webquarry": SERVER}}),
        ("vscode", ".config/Code/User/mcp.json",
         {"servers": {"webquarry": {"type": "stdio", **SERVER}}}),
        ("windsurf", ".codeium/windsurf/mcp_config.json", {"mcpServers": {"webquarry": SERVER}}),
        ("gemini", ".gemini/settings.json", {"mcpServers": {"webquarry": SERVER}}),
        ("cline", ".config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/"
         "cline_mcp_settings.json", {"mcpServers": {"webquarry": SERVER}}),
        ("continue", ".continue/mcpServers/webquarry.json", {"mcpServers": {"webquarry": SERVER}}),
        ("zed", ".config/zed/settings.json",
         {"context_servers": {"webquarry": {"source": "custom", **SERVER}}}),
        ("opencode", ".config/opencode/opencode.json", {"mcp": {"webquarry": {
            "type": "local", "command": [COMMAND, "serve", "--stdio"], "enabled": True}}}),
        ("codex", ".codex/config.toml", {"mcp_servers": {"webquarry": SERVER}}),
        ("goose", ".config/goose/config.yaml", {"extensions": {"webquarry": {
            "enabled": True, "type": "stdio", "name": "webquarry", "cmd": COMMAND,
            "args": ["serve", "--stdio"], "envs": {}, "timeout": 300}}}),
    ],
)  # fmt: skip
def test_every_client_gets_its_own_format(
    typing: Typist, home: Path, monkeypatch: pytest.MonkeyPatch, client: str, path: str,
    content: dict[str, Any],
) -> None:  # fmt: skip
    monkeypatch.setattr(sys, "platform", "linux")

    done = typing.type("install", client, "--yes")

    assert (done.status, done.err) == (0, "")
    assert _parsed(home / path) == content
    assert (home / path).stat().st_mode & 0o777 == 0o600


def _parsed(path: Path) -> Any:
    text = path.read_text()
    if path.suffix == ".toml":
        return tomllib.loads(text)
    return yaml.safe_load(text) if path.suffix == ".yaml" else json.loads(text)


def test_every_client_of_the_command_is_known() -> None:
    assert set(get_args(ClientName)) == set(CLIENTS)


def test_the_paths_of_other_systems_are_known() -> None:
    found = CLIENTS["claude-desktop"]

    assert found.path(Path("/h"), "darwin") == Path(
        "/h/Library/Application Support/Claude/claude_desktop_config.json"
    )
    assert found.path(Path("/h"), "win32").name == "claude_desktop_config.json"


def test_the_rest_of_a_file_stays_and_a_backup_is_kept(typing: Typist, home: Path) -> None:
    path = home / ".cursor" / "mcp.json"
    path.parent.mkdir()
    before = '{\n    "theme": "dürr",\n    "mcpServers": {\n        "a": {"command": "x"}\n    }\n}'
    path.write_text(before)
    path.chmod(0o640)

    done = typing.type("install", "cursor", "--yes")

    after = json.loads(path.read_text())
    backup = next(path.parent.glob("mcp.json.*.bak"))
    assert after == {
        "theme": "dürr",
        "mcpServers": {"a": {"command": "x"}, "webquarry": SERVER},
    }
    assert '\n    "theme": "dürr",\n' in path.read_text()
    assert not path.read_text().endswith("\n")
    assert (backup.read_text(), path.stat().st_mode & 0o777) == (before, 0o640)
    assert '+        "webquarry": {' in done.out
    assert f"(backup: {backup.name})." in done.out
    assert sorted(p.name for p in path.parent.iterdir()) == sorted(["mcp.json", backup.name])


def test_installing_twice_changes_nothing(typing: Typist, home: Path) -> None:
    typing.type("install", "cursor", "--yes")

    done = typing.type("install", "cursor", "--yes")

    assert (done.status, done.out) == (0, f"Cursor is already set up ({home}/.cursor/mcp.json).\n")
    assert [p.name for p in (home / ".cursor").iterdir()] == ["mcp.json"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{\n  mcpServers: {}\n}", "is not JSON (expected a key in line 2)"),
        ('{"mcpServers": {}, "mcpServers": {"a": 1}}', "is not JSON (duplicate key in line 1)"),
        ("[]", "is not as expected (the file is not an object)"),
        ('{"mcpServers": []}', "is not as expected (mcpServers is not an object)"),
    ],
)
def test_a_file_that_could_not_be_written_back_faithfully_is_left_alone(
    typing: Typist, home: Path, text: str, why: str
) -> None:
    path = home / "mine.json"
    path.write_text(text)

    done = typing.type("install", "cursor", "--yes", "--path", str(path))

    assert done.status == 2
    assert done.err.startswith(f"webquarry: {path} {why}")
    assert '"webquarry"' in done.err
    assert path.read_text() == text
    assert [p.name for p in home.glob("mine*")] == ["mine.json"]


def test_the_values_of_settings_are_written_and_not_shown(typing: Typist, home: Path) -> None:
    done = typing.type("install", "cursor", "--yes", "-e", "BRAVE_API_KEY=s3cret")

    written = json.loads((home / ".cursor" / "mcp.json").read_text())
    assert written["mcpServers"]["webquarry"]["env"] == {"BRAVE_API_KEY": "s3cret"}
    assert "s3cret" not in done.out
    assert '"BRAVE_API_KEY": "••••"' in done.out


@pytest.mark.parametrize("given", ["BRAVE_API_KEY", "=x", "a b=c"])
def test_a_setting_without_a_name_or_value_is_refused(typing: Typist, given: str) -> None:
    assert typing.type("install", "cursor", "-e", given).status == 2


def test_a_dry_run_writes_nothing(typing: Typist, home: Path) -> None:
    done = typing.type("install", "cursor", "--dry-run", "--toolsets", "web")

    assert done.status == 0
    assert '"--toolsets",' in done.out
    assert not (home / ".cursor").exists()


def test_without_a_terminal_nothing_is_written(typing: Typist, home: Path) -> None:
    done = typing.type("install", "cursor")

    assert done.status == 2
    assert "Not a terminal, so nothing was written. Use --yes to write" in done.err
    assert not (home / ".cursor").exists()


def test_a_link_stays_a_link(typing: Typist, home: Path) -> None:
    (home / "dotfiles.json").write_text("{}")
    (home / "link.json").symlink_to(home / "dotfiles.json")

    typing.type("install", "cursor", "--yes", "--path", "link.json")

    assert (home / "link.json").is_symlink()
    assert json.loads((home / "dotfiles.json").read_text()) == {"mcpServers": {"webquarry": SERVER}}


def test_a_file_that_changed_meanwhile_is_not_overwritten(home: Path) -> None:
    path = home / "mine.json"
    path.write_text("{}")
    file = ConfigFile.read(path, JsonFormat(), ("mcpServers",))
    path.write_text('{"new": 1}')

    with pytest.raises(BadInputError, match="was changed meanwhile"):
        file.write('{"mcpServers": {}}')
    assert path.read_text() == '{"new": 1}'


def test_windows_line_ends_and_a_byte_order_mark_stay(home: Path) -> None:
    path = home / "mine.json"
    path.write_bytes(b'\xef\xbb\xbf{\r\n\t"a": 1\r\n}\r\n')

    text = ConfigFile.read(path, JsonFormat(), ("mcpServers",)).with_entry(
        "webquarry", {"command": "x"}
    )

    assert text == (
        '\ufeff{\r\n\t"a": 1,\r\n\t"mcpServers": {\r\n\t\t"webquarry": {\r\n'
        '\t\t\t"command": "x"\r\n\t\t}\r\n\t}\r\n}\r\n'
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--toolsets", "webb"), "webb"),
        (("-e", "BRAVE_API_KEYS=x"), "no such setting. Did you mean BRAVE_API_KEY?"),
        (("-e", "LOG_LEVEL=loud"), "LOG_LEVEL (environment) is 'loud'; accepted:"),
    ],
)
def test_what_the_server_would_refuse_is_not_written(
    typing: Typist, home: Path, options: tuple[str, ...], message: str
) -> None:
    done = typing.type("install", "cursor", "--yes", *options)

    assert done.status == 2
    assert message in done.err
    assert not (home / ".cursor").exists()


def test_a_variable_of_another_program_is_passed_on_with_a_note(typing: Typist, home: Path) -> None:
    done = typing.type("install", "cursor", "--yes", "-e", "NODE_OPTIONS=--no-warnings")

    written = json.loads((home / ".cursor" / "mcp.json").read_text())
    assert (done.status, done.err) == (0, "Note: NODE_OPTIONS is not a setting of Webquarry.\n")
    assert written["mcpServers"]["webquarry"]["env"] == {"NODE_OPTIONS": "--no-warnings"}


@pytest.mark.parametrize("client", ["cursor", "codex", "goose", "opencode"])
def test_a_check_starts_the_installed_server(typing: Typist, home: Path, client: str) -> None:
    data = f"WEBQUARRY_DATA_DIR={home / 'data'}"
    typing.type("install", client, "--yes", "--toolsets", "starter", "-e", data)

    done = typing.type("install", client, "--check")

    assert (done.status, done.err) == (0, "")
    title = CLIENTS[client].title
    assert done.out == f"{title}: webquarry {__version__} answers and offers 1 tool.\n"


def test_a_check_says_why_a_server_does_not_start(typing: Typist, home: Path) -> None:
    missing = typing.type("install", "cursor", "--check")
    typing.type("install", "cursor", "--yes")
    path = home / ".cursor" / "mcp.json"
    path.write_text(path.read_text().replace("--stdio", "--stdoi"))
    refused = typing.type("install", "cursor", "--check")
    path.write_text(path.read_text().replace(COMMAND, "/no/such/program"))
    gone = typing.type("install", "cursor", "--check")

    assert missing.err.endswith(f"is not set up ({path}). Run `webquarry install cursor`.\n")
    assert "The server did not answer (exit code 2)." in refused.err
    assert "--stdoi" in refused.err
    assert "Cannot start /no/such/program: No such file or directory." in gone.err
    assert [missing.status, refused.status, gone.status] == [2, 2, 2]
