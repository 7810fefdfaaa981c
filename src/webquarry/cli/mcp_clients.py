"""The configuration files of MCP clients and their format for a server entry."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Client:
    """An MCP client that `webquarry install` can set up."""

    name: str
    title: str
    section: str  # the key of the object with the servers
    paths: Mapping[str, str]  # by platform, relative to the home directory
    has_type: bool = False  # entries need "type": "stdio"
    next_step: str = ""  # default: restart it

    def path(self, home: Path, platform: str = sys.platform) -> Path:
        """Return its configuration file."""
        return home / self.paths.get(platform, self.paths["linux"])

    def entry(self, command: list[str], env: Mapping[str, str]) -> dict[str, Any]:
        """Return the entry for this server in the client's format."""
        entry: dict[str, Any] = {"type": "stdio"} if self.has_type else {}
        entry |= {"command": command[0], "args": command[1:]}
        return entry | {"env": dict(env)} if env else entry


def _in_app_data(file: str) -> dict[str, str]:
    """Return the path of a file in the folder where each platform keeps data of applications."""
    folders = {
        "linux": ".config",
        "darwin": "Library/Application Support",
        "win32": "AppData/Roaming",
    }
    return {platform: f"{folder}/{file}" for platform, folder in folders.items()}


CLIENTS = {
    client.name: client
    for client in (
        Client(
            "claude-desktop",
            "Claude Desktop",
            "mcpServers",
            _in_app_data("Claude/claude_desktop_config.json"),
        ),
        Client(
            "claude-code",
            "Claude Code",
            "mcpServers",
            {"linux": ".claude.json"},
            has_type=True,
            next_step="Restart Claude Code, or type /mcp in it, to load Webquarry.",
        ),
        Client("cursor", "Cursor", "mcpServers", {"linux": ".cursor/mcp.json"}),
        Client(
            "vscode",
            "VS Code",
            "servers",
            _in_app_data("Code/User/mcp.json"),
            has_type=True,
            next_step="In VS Code, start Webquarry with “MCP: List Servers”.",
        ),
        Client(
            "windsurf", "Windsurf", "mcpServers", {"linux": ".codeium/windsurf/mcp_config.json"}
        ),
    )
}
