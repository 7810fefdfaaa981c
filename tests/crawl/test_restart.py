"""The server is killed in the middle of a crawl and started again: the crawl goes on by itself."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from tests.crawl.site import running_site, tree
from tests.server.processes import Process, stdio_server

pytestmark = pytest.mark.anyio

PAGES = 120
SETTINGS = {"ALLOW_PRIVATE_IPS": "true", "CRAWL_DELAY": "0", "CRAWL_CONCURRENCY": "4"}


async def test_a_killed_server_goes_on_with_its_crawls_when_it_starts_again(tmp_path: Path) -> None:
    with running_site(tree(PAGES), latency=0.02) as site:
        with stdio_server(tmp_path, "--toolsets", "all", settings=SETTINGS) as server:
            server.handshake()
            wanted = {"url": f"{site.url}/0", "maxDepth": 9, "maxPages": PAGES}
            job = called(server, "cinder_crawl", wanted)["crawlId"]
            await site.hears(50)
            server.popen.kill()
            server.popen.wait()
        half = len(site.log)
        with stdio_server(tmp_path, "--toolsets", "all", settings=SETTINGS) as server:
            server.handshake()
            await site.hears(half + 1)  # nobody has asked for anything yet
            status = ended(server, job)

    assert status["status"] == "completed"
    assert status["pagesCrawled"] == PAGES
    assert {f"/{number}" for number in range(PAGES)} <= site.asked().keys()


def called(server: Process, tool: str, arguments: dict[str, Any]) -> Any:
    answer = server.ask("tools/call", {"name": tool, "arguments": arguments})
    return json.loads(answer["result"]["content"][0]["text"])


def ended(server: Process, job: str) -> Any:
    """Return the status of a crawl when it has ended."""
    while True:
        status = called(server, "cinder_get_crawl_status", {"id": job, "limit": 1})
        if status["status"] not in {"queued", "running"}:
            return status
        time.sleep(0.05)
