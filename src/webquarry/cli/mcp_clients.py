"""The configuration files of MCP clients and their format for a server entry."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webquarry.cli.config_formats import (
    ConfigFormat,
    JsonFormat,
    Section,
    TomlFormat,
    YamlFormat,
)

NAME = "webquarry"
_GOOSE_SECONDS = 300
Entry = dict[str, Any]
EntryWriter = Callable[[list[str], Mapping[str, str]], Entry]


@dataclass(frozen=True)
class Launch:
    """How a client starts the server."""

    command: list[str]
    env: Mapping[str, str]


def _plain(command: list[str], env: Mapping[str, str]) -> Entry:
    entry: Entry = {"command": command[0], "args": command[1:]}
    return entry | {"env": dict(env)} if env else entry


def _typed(command: list[str], env: Mapping[str, str]) -> Entry:
    return {"type": "stdio"} | _plain(command, env)


def _zed(command: list[str], env: Mapping[str, str]) -> Entry:
    return {"source": "custom"} | _plain(command, env)


def _opencode(command: list[str], env: Mapping[str, str]) -> Entry:
    entry: Entry = {"type": "local", "command": command, "enabled": True}
    return entry | {"environment": dict(env)} if env else entry


def _goose(command: list[str], env: Mapping[str, str]) -> Entry:
    return {
        "enabled": True, "type": "stdio", "name": NAME, "cmd": command[0], "args": command[1:],
        "envs": dict(env), "timeout": _GOOSE_SECONDS,
    }  # fmt: skip


def read_launch(entry: Mapping[str, Any]) -> Launch:
    """Return how an entry of any client starts the server."""
    command: Any = entry.get("command") or entry.get("cmd") or ()
    words = [command] if isinstance(command, str) else list(command)
    env: Any = entry.get("env") or entry.get("envs") or entry.get("environment") or {}
    return Launch([*words, *entry.get("args", ())], env)


@dataclass(frozen=True)
class Client:
    """An MCP client that `webquarry install` can set up."""

    name: str
    title: str
    section: Section  # the keys of the object with the servers
    paths: Mapping[str, str]  # by platform, relative to the home directory
    write_entry: EntryWriter = _plain
    syntax: ConfigFormat = JsonFormat()  # noqa: RUF009 - it has no state
    next_step: str = ""  # default: restart it

    def path(self, home: Path, platform: str = sys.platform) -> Path:
        """Return its configuration file."""
        return home / self.paths.get(platform, self.paths["linux"])


def _in_app_data(file: str) -> dict[str, str]:
    """Return the path of a file in the folder where each platform keeps data of applications."""
    folders = {
        "linux": ".config",
        "darwin": "Library/Application Support",
        "win32": "AppData/Roaming",
    }
    return {platform: f"{folder}/{file}" for platform, folder in folders.items()}


_SERVERS = ("mcpServers",)
_CLINE = "Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"
CLIENTS = {
    client.name: client
    for client in (
        Client(
            "claude-desktop",
            "Claude Desktop",
            _SERVERS,
            _in_app_data("Claude/claude_desktop_config.json"),
        ),
        Client(
            "claude-code",
            "Claude Code",
            _SERVERS,
            {"linux": ".claude.json"},
            _typed,
            next_step="Restart Claude Code, or type /mcp in it, to load Webquarry.",
        ),
        Client(
            "cline",
            "Cline",
            _SERVERS,
            _in_app_data(_CLINE),
            next_step="Open “MCP Servers” in Cline to see Webquarry.",
        ),
        Client(
            "codex", "Codex", ("mcp_servers",), {"linux": ".codex/config.toml"}, syntax=TomlFormat()
        ),
        Client(
            "continue",
            "Continue",
            _SERVERS,
            {"linux": f".continue/mcpServers/{NAME}.json"},
            next_step="Reload Continue's configuration to load Webquarry. It works in agent mode.",
        ),
        Client("cursor", "Cursor", _SERVERS, {"linux": ".cursor/mcp.json"}),
        Client(
            "gemini",
            "Gemini CLI",
            _SERVERS,
            {"linux": ".gemini/settings.json"},
            next_step="Restart Gemini CLI, then type /mcp to see Webquarry.",
        ),
        Client(
            "goose",
            "Goose",
            ("extensions",),
            {
                "linux": ".config/goose/config.yaml",
                "win32": "AppData/Roaming/Block/goose/config/config.yaml",
            },
            _goose,
            YamlFormat(),
            next_step="Start a new Goose session to load Webquarry.",
        ),
        Client(
            "opencode",
            "opencode",
            ("mcp",),
            {"linux": ".config/opencode/opencode.json"},
            _opencode,
        ),
        Client(
            "vscode",
            "VS Code",
            ("servers",),
            _in_app_data("Code/User/mcp.json"),
            _typed,
            next_step="In VS Code, start Webquarry with “MCP: List Servers”.",
        ),
        Client("windsurf", "Windsurf", _SERVERS, {"linux": ".codeium/windsurf/mcp_config.json"}),
        Client(
            "zed",
            "Zed",
            ("context_servers",),
            {"linux": ".config/zed/settings.json", "win32": "AppData/Roaming/Zed/settings.json"},
            _zed,
            next_step="Zed loads Webquarry at once; see the Agent Panel's settings.",
        ),
    )
}
