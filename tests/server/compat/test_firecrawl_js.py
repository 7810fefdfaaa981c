"""Firecrawl's npm packages, unmodified: the JavaScript client and the MCP server."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.conformance.node import installed, node, run
from tests.server.compat.firecrawl_table import compat_server

CLIENT, CLIENT_RELEASE = "@mendable/firecrawl-js", "4.25.2"
SERVER, SERVER_RELEASE = "firecrawl-mcp", "3.22.2"
DRIVER = Path(__file__).with_name("firecrawl_client.cjs")


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    with compat_server(tmp_path_factory.mktemp("firecrawl-js")) as (client, site):
        yield str(client.base_url).rstrip("/"), site


def test_the_javascript_client_works(running: tuple[str, str], tmp_path: Path) -> None:
    entry = installed(CLIENT, CLIENT_RELEASE, "dist/index.cjs")

    completed = run(DRIVER, (str(entry), *running), home=tmp_path)

    assert completed.returncode == 0, completed.stderr
    made = json.loads(completed.stdout)
    refused = made.pop("refused")
    assert made == {
        "markdown": "# Owl /p/1",
        "json": {"title": "Owl /p/1"},
        "status": 200,
        "found": ["Owl 0", "Owl 1"],
        "links": 13,
        "crawl": ["completed", 3],
        "batch": ["completed", 2],
        "watched": "completed",
        "extracted": {"title": "Owl /p/1"},
        "credits": True,
    }
    assert refused["status"] == 400
    assert "cannot promise to send no request" in refused["message"]


def test_the_mcp_server_of_firecrawl_works(running: tuple[str, str], tmp_path: Path) -> None:
    script = installed(SERVER, SERVER_RELEASE, "dist/index.js")
    base, site = running
    parameters = StdioServerParameters(
        command=str(node()),
        args=[str(script)],
        env={"FIRECRAWL_API_URL": base, "FIRECRAWL_API_KEY": "fc-any", "HOME": str(tmp_path)},
        cwd=str(tmp_path),
    )
    calls: dict[str, dict[str, Any]] = {
        "firecrawl_scrape": {"url": f"{site}/p/1", "formats": ["markdown"]},
        "firecrawl_map": {"url": site},
        "firecrawl_search": {"query": "owls", "limit": 2},
    }

    async def texts() -> dict[str, str]:
        with (tmp_path / "stderr").open("w") as errors:
            async with (
                stdio_client(parameters, errlog=errors) as streams,
                ClientSession(*streams) as session,
            ):
                await session.initialize()
                found: dict[str, str] = {}
                for name, arguments in calls.items():
                    result = await session.call_tool(name, arguments)
                    assert not result.is_error, result
                    found[name] = getattr(result.content[0], "text", "")
                return found

    made = anyio.run(texts)

    assert "Owls are birds of the night" in made["firecrawl_scrape"]
    assert f"{site}/p/11" in made["firecrawl_map"]
    assert "Owl 0" in made["firecrawl_search"]
