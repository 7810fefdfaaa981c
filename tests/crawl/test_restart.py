"""A crawl resumes by itself after the server was killed and restarted."""

import time
from pathlib import Path
from typing import Any

import pytest

from tests.crawl.site import running_site, tree
from tests.server.processes import Process, stdio_server

pytestmark = pytest.mark.anyio

PAGES = 120
SETTINGS = {"ALLOW_PRIVATE_IPS": "true", "CRAWL_DELAY": "0", "CRAWL_CONCURRENCY": "4"}


async def test_a_restarted_server_resumes_its_crawls(tmp_path: Path) -> None:
    with running_site(tree(PAGES), latency=0.02) as site:
        with stdio_server(tmp_path, "--toolsets", "all", settings=SETTINGS) as server:
            server.handshake()
            crawl_arguments = {"url": f"{site.url}/0", "maxDepth": 9, "maxPages": PAGES}
            job = call_tool(server, "cinder_crawl", crawl_arguments)["crawlId"]
            await site.wait_for_requests(50)
            server.popen.kill()
            server.popen.wait()
        requests_before = len(site.log)
        with stdio_server(tmp_path, "--toolsets", "all", settings=SETTINGS) as server:
            server.handshake()
            await site.wait_for_requests(requests_before + 1)  # without any call to the new server
            status = wait_for_end(server, job)

    assert status["status"] == "completed"
    assert status["pagesCrawled"] == PAGES
    assert {f"/{number}" for number in range(PAGES)} <= site.request_counts().keys()


def call_tool(server: Process, tool: str, arguments: dict[str, Any]) -> Any:
    response = server.request("tools/call", {"name": tool, "arguments": arguments})
    return response["result"]["structuredContent"]


def wait_for_end(server: Process, job: str) -> Any:
    """Wait until a crawl has ended and return its status."""
    while True:
        status = call_tool(server, "cinder_get_crawl_status", {"id": job, "limit": 1})
        if status["status"] not in {"queued", "running"}:
            return status
        time.sleep(0.05)
