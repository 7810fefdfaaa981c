"""The MCP Inspector, a third-party client, lists our tools and lints their schemas."""

import json
import sys
from pathlib import Path

import pytest

from tests.conformance.node import installed, run

PACKAGE = "@modelcontextprotocol/inspector"
RELEASE = "2.12.0"
WEBQUARRY = Path(sys.executable).with_name("webquarry")


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_inspector_lists_all_tools_and_finds_no_schema_error(era: str, tmp_path: Path) -> None:
    script = installed(PACKAGE, RELEASE, "clients/launcher/build/index.js")
    server = {
        "type": "stdio",
        "command": str(WEBQUARRY),
        "args": ["serve", "--stdio", "--toolsets", "all"],
        "env": {"WEBQUARRY_DATA_DIR": str(tmp_path / "data")},
    }
    config = tmp_path / "mcp.json"
    config.write_text(json.dumps({"mcpServers": {"webquarry": server}}))
    selection = ("--cli", "--config", str(config), "--server", "webquarry", "--protocol-era", era)
    completed = run(script, (*selection, "--method", "tools/list", "--strict"), home=tmp_path)
    assert completed.returncode == 0, completed.stdout + completed.stderr
    tools = json.loads(completed.stdout)["tools"]
    assert "echo" in [tool["name"] for tool in tools]
