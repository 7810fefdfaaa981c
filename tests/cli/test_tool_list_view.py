"""`webquarry tools` shows what clients see, with and without a snapshot."""

from pathlib import Path

import pytest

from tests.server.processes import stdio_server
from webquarry.cli import tool_list_view
from webquarry.cli.tool_list_view import listed_tools
from webquarry.front.snapshot import find


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WEBQUARRY_DATA_DIR", str(tmp_path / "data"))


def no_snapshot(*_: object) -> tuple[None, str]:
    return None, ""


@pytest.mark.parametrize("toolsets", ["default", "all", "searxng,trust"])
def test_the_snapshot_has_the_tools_of_the_registry(
    monkeypatch: pytest.MonkeyPatch, toolsets: str
) -> None:
    flags = {"TOOLSETS": toolsets}
    from_snapshot = listed_tools(flags)
    monkeypatch.setattr(tool_list_view, "find", no_snapshot)

    assert from_snapshot == listed_tools(flags)


def test_tools_are_listed_by_their_aliases_in_the_toolset_they_belong_to(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TOOL_ALIASES", "short")
    from_registry = listed_tools({})
    with stdio_server(tmp_path, settings={"TOOL_ALIASES": "short"}) as server:
        server.handshake()

    assert find(None, str(tmp_path))[0] is not None
    assert listed_tools({}) == from_registry
    assert ("web", "read") in {(tool.toolset, tool.name) for tool in from_registry}
