"""`searxng_search` as a user has it: from settings to results, with real pages on loopback."""

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from tests.reading.loopback_tier import PROSE
from tests.searxng.servers import Reply, serving
from webquarry.app import open_app
from webquarry.models.caller import Caller
from webquarry.searxng.pool_report import describe
from webquarry.settings.load import Settings, load
from webquarry.wiring.container import Services
from webquarry.wiring.declared_settings import declared_variables

pytestmark = pytest.mark.anyio
ROBOTS = b"User-agent: *\nDisallow: /private"


def settings_for(home: Path, instances: str, **more: str) -> Settings:
    environ = {
        "ALLOW_PRIVATE_IPS": "true",
        "WEBQUARRY_DATA_DIR": str(home),
        "SEARXNG_URL": instances,
        **more,
    }
    return load(environ=environ, directory=home, flags={}, declared=declared_variables())


async def results(home: Path, instance: str, **settings: str) -> list[dict[str, Any]]:
    loaded = settings_for(home, instance, TOOLSETS="searxng", **settings)
    async with open_app(loaded, "library") as app:
        arguments = {"query": "owls", "results_count": 2}
        called = await app.path.call("web_search", arguments, app.owner, request_id="r1")
    assert called.structured, called
    return called.structured["results"]


def site(path: str, headers: dict[str, str]) -> Reply:
    """An instance and the pages that it finds, on one host."""
    host = next(value for name, value in headers.items() if name.lower() == "host")
    if path.startswith("/search"):
        rows = [
            {"title": name, "url": f"http://{host}/{name}/owls"} for name in ("private", "open")
        ]
        return 200, {"Content-Type": "application/json"}, json.dumps({"results": rows}).encode()
    if path == "/robots.txt":
        return 200, {"Content-Type": "text/plain"}, ROBOTS
    return 200, {"Content-Type": "text/html"}, PROSE


async def test_result_pages_respect_robots_txt_unless_the_operator_decides_otherwise(
    tmp_path: Path,
) -> None:
    with serving(site) as instance:
        usual = await results(tmp_path / "usual", instance)
        reckless = await results(tmp_path / "all", instance, WEB_SEARCH_RESPECT_ROBOTS="false")

    refusal = "robots.txt disallows the page (WEB_SEARCH_RESPECT_ROBOTS)"
    assert [(r["title"], "content" in r, r.get("content_error")) for r in usual] == [
        ("private", False, refusal),
        ("open", True, None),
    ]
    assert [(r["title"], "content" in r) for r in reckless] == [("private", True), ("open", True)]


MARK = "zebra4711"
ALICE = Caller(tenant="acme", user="alice", transport="http", proved=True)
BOB = Caller(tenant="globex", user="bob", transport="http", proved=True)


def _echoing_error(path: str, _: dict[str, str]) -> Reply:
    return 500, {"Content-Type": "application/json"}, json.dumps({"error": path}).encode()


def _echoing_limit(path: str, _: dict[str, str]) -> Reply:
    return 429, {}, f"too many requests for {path}".encode()


def _echoing_page(path: str, _: dict[str, str]) -> Reply:
    page = f"""<title>{path}</title><div id="urls"></div><div id="engines_msg"><table><tr>
    <td>bing</td><td class="response-error">no result for {path}</td></tr></table></div>"""
    return 200, {"Content-Type": "text/html"}, page.encode()


def _files(home: Path) -> dict[str, str]:
    files = [file for file in home.rglob("*") if file.is_file()]
    return {file.name: file.read_bytes().decode(errors="replace") for file in files}


async def _everything_kept(services: Services) -> str:
    """Return what is stored, and what operators and other tenants can see."""
    store = services.store
    stored = [(name, await store.get(name)) async for name in store.scan("")]
    return repr(
        (
            stored,
            await describe(services.searxng),
            services.searxng.instances.ranked(),
            services.metrics.prometheus(),
            vars(services.metrics.tenants),
            services.network.upstreams.health(),
            services.metrics.recent_errors(BOB.tenant, BOB.user),
        )
    )


async def test_a_failed_query_is_in_nothing_that_is_kept_or_shown_to_others(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with (
        serving(_echoing_error) as error,
        serving(_echoing_limit) as limit,
        serving(_echoing_page) as page,
    ):
        instances = f"{error};{limit};{page};http://127.0.0.1:1"
        loaded = settings_for(tmp_path, instances, TOOLSETS="all")
        async with open_app(loaded, "library") as app:
            call, services = app.path.call, app.services
            own = await call("searxng_search", {"query": f"{MARK} clinic"}, ALICE)
            other_tool = {"query": f"{MARK} clinic", "provider": "searxng"}
            await call("web_search", other_tool, ALICE)
            foreign = await call("searxng_search", {"query": "owls"}, BOB)
            kept = await _everything_kept(services)
        async with open_app(loaded, "library") as app:  # after a restart
            again = await app.path.call("searxng_search", {"query": "owls"}, BOB)
            kept += await _everything_kept(app.services)

    shown = {
        "kept": kept,
        "answer of another tenant": repr((foreign, again)),
        "log": caplog.text,
        **_files(tmp_path),
    }
    assert MARK in repr(own)  # who searched may see it
    assert "searxng:pool" in kept
    assert [name for name, text in shown.items() if MARK in text] == []
