"""Monitors over REST, their Atom feeds, and notifications of MCP clients."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from lxml import etree
from starlette.applications import Starlette

from tests.server.rest_client import rest_client
from tests.services.watching.kettle_shop import Shop, running_shop, watching_app
from tests.support import ALICE, CallHarness
from webquarry.app import App
from webquarry.resources.resource import ResourceRegistry
from webquarry.server import monitor_feeds
from webquarry.server.mcp_server import ServerOffer
from webquarry.server.monitor_updates import MonitorUpdates
from webquarry.server.subscriptions import Subscriptions
from webquarry.tools import load_tools

pytestmark = pytest.mark.anyio

MONITORS = "/v1/monitors"
ATOM = "{http://www.w3.org/2005/Atom}"
Opened = tuple[App, Shop, httpx2.AsyncClient]


@asynccontextmanager
async def opened(directory: Path) -> AsyncGenerator[Opened]:
    """Yield an application, a shop to watch, and a client of the REST API."""
    async with watching_app(directory) as app:
        harness = CallHarness(load_tools(), services=app.services)
        with running_shop() as shop:
            async with rest_client(app.services, toolsets=("all",), harness=harness) as client:
                yield app, shop, client


async def created(opened: Opened, **arguments: Any) -> dict[str, Any]:
    app, shop, client = opened
    response = await client.post(MONITORS, json={"target": shop.url, **arguments})
    await app.services.watching.scheduler.stop()
    assert response.status_code == 200, response.text
    return response.json()


async def post(opened: Opened, path: str, body: Any = None) -> httpx2.Response:
    app, _, client = opened
    response = await client.post(f"{MONITORS}/{path}", json=body or {})
    await app.services.watching.scheduler.stop()
    return response


async def test_a_monitor_is_created_checked_muted_and_deleted(tmp_path: Path) -> None:
    async with opened(tmp_path) as everything:
        _, shop, client = everything
        monitor_id = (await created(everything, schedule="6h"))["monitorId"]
        first = (await post(everything, f"{monitor_id}/run")).json()
        shop.price = "9.00"
        changed = (await post(everything, f"{monitor_id}/run")).json()
        change_id = changed["changes"][0]["changes"][0]["id"]
        muted = (await post(everything, f"{monitor_id}/mute", {"what": change_id})).json()
        details = (await client.get(f"{MONITORS}/{monitor_id}")).json()
        unmuted = await post(everything, f"{monitor_id}/unmute", {"what": muted["rule"]})
        paused = (await post(everything, f"{monitor_id}/pause")).json()
        resumed = (await post(everything, f"{monitor_id}/resume")).json()
        listed = (await client.get(MONITORS)).json()
        history = (await client.get(f"{MONITORS}/{monitor_id}/changes?limit=1")).json()
        deleted = (await client.delete(f"{MONITORS}/{monitor_id}")).json()
        gone = await client.get(f"{MONITORS}/{monitor_id}")

    assert (first["lastOutcome"], changed["lastOutcome"]) == ("first", "changed")
    assert [row["rule"] for row in details["muted"]] == [muted["rule"]]
    assert unmuted.status_code == 200
    assert (paused["status"], resumed["status"]) == ("paused", "active")
    assert [row["monitorId"] for row in listed["monitors"]] == [monitor_id]
    assert [change["number"] for change in history["changes"]] == [1]
    assert deleted == {"monitorId": monitor_id, "deleted": True}
    assert gone.status_code == 404


@pytest.mark.parametrize(
    ("path", "body", "message"),
    [
        ("run", {"what": "x"}, "what: no such argument; none is allowed"),
        ("mute", {}, "what: goes with mute"),
        ("mute", {"rule": "x"}, "rule: no such argument; what, scope"),
        ("mute", [], "The body must be one JSON object"),
    ],
)
async def test_a_wrong_body_names_its_field(
    tmp_path: Path, path: str, body: Any, message: str
) -> None:
    async with opened(tmp_path) as everything:
        _, _, client = everything
        monitor_id = (await created(everything))["monitorId"]
        response = await client.post(f"{MONITORS}/{monitor_id}/{path}", json=body)

    assert response.status_code == 400
    assert message in response.json()["detail"]


async def test_the_evidence_of_a_change_is_a_file(tmp_path: Path) -> None:
    async with opened(tmp_path) as everything:
        _, shop, client = everything
        monitor_id = (await created(everything, capture=True))["monitorId"]
        for price in ("12.00", "9.00"):
            shop.price = price
            await post(everything, f"{monitor_id}/run")
        bundle = await client.get(f"{MONITORS}/{monitor_id}/changes/1/bundle")
        missing = await client.get(f"{MONITORS}/{monitor_id}/changes/7/bundle")
        wrong = await client.get(f"{MONITORS}/{monitor_id}/changes/x/bundle")

    assert (bundle.status_code, bundle.content[:2]) == (200, b"PK")
    assert (missing.status_code, wrong.status_code) == (404, 400)


async def test_the_feed_of_a_monitor_is_open_to_whoever_knows_its_url(tmp_path: Path) -> None:
    async with opened(tmp_path) as everything:
        app, shop, _ = everything
        feed = (await created(everything))["feed"]
        monitor_id = feed.split("/")[3]
        for price in ("12.00", "9.00"):
            shop.price = price
            await post(everything, f"{monitor_id}/run")
        harness = CallHarness((), services=app.services)
        offer = ServerOffer(
            path=harness.path, services=app.services, resources=ResourceRegistry(())
        )
        transport: Any = httpx2.ASGITransport(app=Starlette(routes=monitor_feeds.routes(offer, "")))
        async with httpx2.AsyncClient(transport=transport, base_url="http://feeds.test") as client:
            response = await client.get(feed)
            guessed = await client.get(f"{feed[:-2]}00")

    assert response.headers["content-type"].startswith("application/atom+xml")
    root = etree.fromstring(response.content)
    assert root.findtext(f"{ATOM}title") == shop.url
    entries = root.findall(f"{ATOM}entry")
    assert [entry.findtext(f"{ATOM}title") for entry in entries] == [
        "Kettle: “Price: EUR 12.00” → “Price: EUR 9.00”"
    ]
    assert guessed.status_code == 404


class NotedUpdates(Subscriptions):
    """Notes the URIs whose subscribers are notified."""

    def __init__(self) -> None:
        super().__init__()
        self.uris: list[str] = []

    async def updated(self, uri: str) -> None:
        self.uris.append(uri)


async def test_subscribed_clients_are_notified_of_new_changes_only(tmp_path: Path) -> None:
    async with opened(tmp_path) as everything:
        app, shop, _ = everything
        monitor_id = (await created(everything))["monitorId"]
        noted = NotedUpdates()
        updates = MonitorUpdates(noted, lambda: app.services.watching)
        for price in ("12.00", "9.00", "8.00"):
            shop.price = price
            await post(everything, f"{monitor_id}/run")
            await updates.look()
            await updates.look()
        monitors = await app.services.watching.monitors(ALICE)

    assert [monitor.changes for monitor in monitors] == [2]
    assert noted.uris == [f"monitor://{monitor_id}"] * 2
