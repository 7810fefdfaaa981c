"""The complete server on a small site, with real REST and MCP clients."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.server.http_server import http_server, messages
from tests.server.loopback_site import HITS, PAGES, loopback_site, settings_for
from tests.server.processes import CLIENT


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with loopback_site() as address:
        yield address


@pytest.fixture(scope="module")
def client(site: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx2.Client]:
    home = tmp_path_factory.mktemp("rest")
    with http_server(home, settings=settings_for(site)) as client:
        yield client


def test_a_page_is_read_in_every_format(client: httpx2.Client, site: str) -> None:
    found = {
        wanted: client.post(
            "/v1/scrape", json={"url": f"{site}/p/1", "mode": "static", "returnFormat": wanted}
        ).json()
        for wanted in ("markdown", "html", "json")
    }

    assert found["markdown"]["content"].startswith("# Owl /p/1\n\nOwls are birds")
    assert "<h1>Owl /p/1</h1>" in found["html"]["content"]
    data = json.loads(found["json"]["content"])
    assert data["sections"][0]["heading"] == "Owl /p/1"
    assert {body["statusCode"] for body in found.values()} == {200}


def test_a_page_that_needs_a_browser_is_an_error_without_one(
    client: httpx2.Client, site: str
) -> None:
    answer = client.post("/v1/scrape", json={"url": f"{site}/p/1", "mode": "dynamic"})

    assert (answer.status_code, answer.json()["kind"]) == (424, "browser_unavailable")


def test_a_missing_page_is_not_found(client: httpx2.Client, site: str) -> None:
    answer = client.post("/v1/scrape", json={"url": f"{site}/nothing"})

    assert (answer.status_code, answer.json()["kind"]) == (404, "not_found")


def test_results_can_be_paged_to_the_last(client: httpx2.Client, site: str) -> None:
    urls: list[str] = []
    offset: int | None = 0
    while offset is not None:
        asked = {"query": "owls", "mode": "fast", "numResults": 15, "offset": offset}
        body = client.post("/v1/search", json=asked).json()
        urls += [row["url"] for row in body["results"]]
        offset = body.get("nextOffset")

    assert urls == [f"{site}/p/{n}" for n in range(HITS)]


def test_a_crawl_is_started_followed_read_and_exported(client: httpx2.Client, site: str) -> None:
    wish = {"url": f"{site}/", "formats": ["text"], "sitemap": True}
    key = {"Idempotency-Key": "one"}
    begun = client.post("/v1/crawl", json=wish, headers=key)
    again = client.post("/v1/crawl", json=wish, headers=key)
    where = begun.headers["location"]
    events = client.get(f"{where}/events").text
    status = client.get(where, params={"limit": 5}).json()
    lines = client.get(f"{where}/export").text.splitlines()

    assert begun.status_code == 202
    assert again.json()["crawlId"] == begun.json()["crawlId"]
    assert "event: completed" in events.strip().split("\n\n")[-1]
    assert (status["status"], status["pagesCrawled"]) == ("completed", PAGES + 1)
    assert (len(status["pages"]), status["nextOffset"]) == (5, 5)
    assert "Owls are birds" in status["pages"][0]["content"]["text"]
    assert {json.loads(line)["url"] for line in lines} == {
        f"{site}/", *(f"{site}/p/{n}" for n in range(PAGES))
    }  # fmt: skip


def test_a_crawl_can_be_cancelled(client: httpx2.Client, site: str) -> None:
    begun = client.post("/v1/crawl", json={"url": f"{site}/", "maxDepth": 1})

    gone = client.delete(begun.headers["location"])

    assert gone.json()["status"] in {"cancelled", "completed"}
    assert client.delete("/v1/crawl/AAAAAAAAAAAAAAAAAAAAAA").status_code == 404


def test_a_site_is_mapped(client: httpx2.Client, site: str) -> None:
    body = client.post("/v1/map", json={"url": f"{site}/", "limit": 5}).json()

    assert (len(body["urls"]), body["hasMore"]) == (5, True)


def test_an_mcp_client_that_waits_for_a_crawl_receives_progress(
    client: httpx2.Client, site: str
) -> None:
    accept = {"accept": "application/json, text/event-stream"}
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": CLIENT}
    opened = _send(client, accept, id=1, method="initialize", params=hello)
    accept["mcp-session-id"] = opened.headers["mcp-session-id"]
    _send(client, accept, method="notifications/initialized")
    wish = {"url": f"{site}/", "maxPages": 6, "wait": True}
    params = {"name": "cinder_crawl", "arguments": wish, "_meta": {"progressToken": "p"}}

    told = messages(_send(client, accept, id=2, method="tools/call", params=params))

    result = told[-1]["result"]["structuredContent"]
    assert (result["status"], result["pagesCrawled"]) == ("completed", 6)
    progress = [m["params"] for m in told if m.get("method") == "notifications/progress"]
    assert progress
    assert (progress[-1]["progress"], progress[-1]["total"]) == (6, 6)


def _send(client: httpx2.Client, headers: dict[str, str], **message: Any) -> httpx2.Response:
    return client.post("/mcp", json={"jsonrpc": "2.0", **message}, headers=headers)


def test_default_toolsets_enable_the_complete_rest_interface(site: str, tmp_path: Path) -> None:
    with http_server(tmp_path, "--toolsets", "default", settings=settings_for(site)) as client:
        document = client.get("/v1/openapi.json").json()
        answer = client.post("/v1/search", json={"query": "owls", "mode": "fast"})

    assert {"/v1/scrape", "/v1/search", "/v1/crawl"} <= document["paths"].keys()
    assert answer.status_code == 200
