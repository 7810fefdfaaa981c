"""Where MCP clients keep their configuration, and how they spell a server."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Client:
    """One program that can use the server."""

    name: str
    title: str
    section: str  # the key that holds its servers
    paths: Mapping[str, str]  # by platform; below the home directory
    typed: bool = False  # it wants to be told that the server speaks stdio
    then: str = "Restart it."

    def path(self, home: Path, platform: str = sys.platform) -> Path:
        """Return its configuration file."""
        return home / self.paths.get(platform, self.paths["linux"])

    def entry(self, command: list[str], env: Mapping[str, str]) -> dict[str, Any]:
        """Return how this client spells our server."""
        entry: dict[str, Any] = {"type": "stdio"} if self.typed else {}
        entry |= {"command": command[0], "args": command[1:]}
        return entry | {"env": dict(env)} if env else entry


_VSCODE = "Code/User/mcp.json"
_DESKTOP = "Claude/claude_desktop_config.json"
CLIENTS = {
    client.name: client
    for client in (
        Client(
            "claude-desktop",
            "Claude Desktop",
            "mcpServers",
            {
                "linux": f".config/{_DESKTOP}",
                "darwin": f"Library/Application Support/{_DESKTOP}",
                "win32": f"AppData/Roaming/{_DESKTOP}",
            },
        ),
        Client(
            "claude-code",
            "Claude Code",
            "mcpServers",
            {"linux": ".claude.json"},
            typed=True,
            then="Start it again, or say /mcp in it.",
        ),
        Client("cursor", "Cursor", "mcpServers", {"linux": ".cursor/mcp.json"}),
        Client(
            "vscode",
            "VS Code",
            "servers",
            {
                "linux": f".config/{_VSCODE}",
                "darwin": f"Library/Application Support/{_VSCODE}",
                "win32": f"AppData/Roaming/{_VSCODE}",
            },
            typed=True,
            then="Start it with “MCP: List Servers”.",
        ),
        Client(
            "windsurf", "Windsurf", "mcpServers", {"linux": ".codeium/windsurf/mcp_config.json"}
        ),
    )
}
