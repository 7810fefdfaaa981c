import json
import os
import sys
from pathlib import Path

import pytest

from webquarry.server.run_http import listen, welcome
from webquarry.settings.load import load


@pytest.mark.parametrize(
    ("host", "base"),
    [
        ("127.0.0.1", "http://127.0.0.1:8642"),
        # an address to listen on, not to open
        ("0.0.0.0", "http://127.0.0.1:8642"),  # noqa: S104
        ("::1", "http://[::1]:8642"),
        ("research.example", "http://research.example:8642"),
    ],
)
def test_the_startup_message_contains_reachable_urls(host: str, base: str) -> None:
    text = welcome(host, 8642, "/opt/webquarry")

    assert f"  MCP      {base}/mcp\n  REST     {base}/v1/tools\n  Console  {base}/\n" in text


def test_the_startup_message_contains_client_configuration() -> None:
    text = welcome("127.0.0.1", 8642, "/opt/webquarry")

    over_http, over_stdio = text.split("over HTTP:\n")[1].split("Other clients, over stdio:\n")
    assert json.loads(over_http) == {
        "mcpServers": {"webquarry": {"type": "http", "url": "http://127.0.0.1:8642/mcp"}}
    }
    assert json.loads(over_stdio) == {
        "mcpServers": {"webquarry": {"command": "/opt/webquarry", "args": ["serve", "--stdio"]}}
    }


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no user ids")
@pytest.mark.parametrize(("user", "warnings"), [(0, 1), (10001, 0)])
def test_serving_as_root_is_warned_about(
    user: int,
    warnings: int,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: user)
    settings = load(environ={"PORT": "0"}, directory=Path(), flags={}, declared=())

    listen(settings).close()

    assert caplog.text.count("serving as root") == warnings
    assert capsys.readouterr().err.count("*** SERVING AS ROOT") == warnings
