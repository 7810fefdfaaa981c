"""Bundles over REST, and as an artifact of `research_export`: only for their owner."""

import asyncio
import io
import json
import zipfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.cli.stub import stub_web
from tests.server.rest_client import rest_client
from tests.services.bundles.conftest import CapturedDemo, play
from tests.support import BOB, CallHarness
from webquarry.app import App, open_app
from webquarry.models.caller import Caller
from webquarry.services.bundles.bundle_check import IntegrityCheck
from webquarry.settings.load import Settings
from webquarry.tools import load_tools
from webquarry_demo.demo_settings import clean_settings

pytestmark = pytest.mark.anyio
DATA_FOLDER = "data"
LOOPBACK = {"ALLOWED_DOMAINS": "127.0.0.1"}


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> CapturedDemo:
    return asyncio.run(play(tmp_path_factory.mktemp("rest-bundles")))


@asynccontextmanager
async def client_of(
    demo: CapturedDemo, caller: Caller | None = None
) -> AsyncGenerator[tuple[App, httpx2.AsyncClient]]:
    """Yield a client of the demo's data for its owner, or for someone else."""
    settings = clean_settings(demo.folder / DATA_FOLDER, demo.port, {})
    async with open_app(settings, "http") as app:
        harness = CallHarness(load_tools(), services=app.services)
        async with rest_client(
            app.services, toolsets=("all",), caller=caller or demo.owner, harness=harness
        ) as client:
            yield app, client


def is_intact(content: bytes, folder: Path) -> bool:
    file = folder / "received.wacz"
    file.write_bytes(content)
    check = IntegrityCheck(file)
    check.run()
    return not check.problems


def paths(demo: CapturedDemo) -> tuple[str, str]:
    return f"/v1/session/{demo.session}/bundle", f"/v1/crawl/{demo.crawl}/bundle"


async def test_sessions_and_crawls_are_downloaded(demo: CapturedDemo, tmp_path: Path) -> None:
    async with client_of(demo) as (_, client):
        responses = [await client.get(path) for path in paths(demo)]

    for response, name in zip(responses, (demo.session, demo.crawl), strict=True):
        assert response.status_code == 200, response.text
        assert response.headers["content-type"] == "application/wacz"
        assert response.headers["content-length"] == str(len(response.content))
        assert f"{name}.wacz" in response.headers["content-disposition"]
        assert is_intact(response.content, tmp_path)


async def test_somebody_else_gets_none(demo: CapturedDemo) -> None:
    async with client_of(demo, BOB) as (_, client):
        responses = [await client.get(path) for path in paths(demo)]

    assert [response.status_code for response in responses] == [404, 404]
    assert all(response.headers["content-type"].startswith("application/problem+json")
               for response in responses)  # fmt: skip


@pytest.mark.parametrize("path", ["session", "crawl", "batch/scrape", "check"])
async def test_what_does_not_exist_is_not_found(demo: CapturedDemo, path: str) -> None:
    async with client_of(demo) as (_, client):
        response = await client.get(f"/v1/{path}/nope/bundle")

    assert response.status_code == 404


async def test_unknown_parameters_are_refused(demo: CapturedDemo) -> None:
    async with client_of(demo) as (_, client):
        response = await client.get(paths(demo)[0], params={"format": "warc"})

    assert response.status_code == 400


async def test_a_check_without_captures_says_how_to_capture(demo: CapturedDemo) -> None:
    async with client_of(demo) as (_, client):
        started = await client.post("/v1/check", json={"text": "# Owls\n\nOwls hunt at night."})
        found = started.json()["checkId"]
        response = await client.get(f"/v1/check/{found}/bundle")

    assert response.status_code == 404
    assert "Nothing was captured for this check. Set CAPTURE=on" in response.json()["detail"]


@asynccontextmanager
async def client_on(settings: Settings) -> AsyncGenerator[httpx2.AsyncClient]:
    async with open_app(settings, "http") as app:
        harness = CallHarness(load_tools(), services=app.services)
        async with rest_client(
            app.services, toolsets=("all",), caller=app.owner, harness=harness
        ) as client:
            yield client


def json_in(content: bytes, name: str) -> Any:
    with zipfile.ZipFile(io.BytesIO(content)) as bundle:
        return json.loads(bundle.read(name))


def pages_in(content: bytes) -> list[str]:
    with zipfile.ZipFile(io.BytesIO(content)) as bundle:
        lines = bundle.read("pages/pages.jsonl").splitlines()
    return sorted(json.loads(line)["url"] for line in lines[1:])


async def test_a_check_is_downloaded_with_its_sources(tmp_path: Path) -> None:
    quote = "Heat pumps move heat instead of making it."
    with stub_web() as web:
        page = f"{web.home}/a"
        text = f"# Heat\n\n{quote} [1]\n\n## References\n\n[1] {page}\n"
        settings = clean_settings(tmp_path / DATA_FOLDER, 1, {"CAPTURE": "on", **LOOPBACK})
        async with client_on(settings) as client:
            started = await client.post("/v1/check", json={"text": text})
            found = started.json()["checkId"]
            await client.get(f"/v1/check/{found}/events")  # until it is done
            response = await client.get(f"/v1/check/{found}/bundle")

    assert response.status_code == 200, response.text
    assert f"check-{found}.wacz" in response.headers["content-disposition"]
    assert is_intact(response.content, tmp_path)
    (found_quote,) = json_in(response.content, "evidence/quotes.json")
    assert found_quote["url"].startswith(f"{page}#:~:text=")
    assert json_in(response.content, "evidence/check.json")["checkId"] == found
    assert set(pages_in(response.content)) == {page}


async def test_a_batch_is_downloaded_with_its_pages(tmp_path: Path) -> None:
    with stub_web() as web:
        urls = [f"{web.home}/a", f"{web.home}/b"]
        async with client_on(clean_settings(tmp_path / DATA_FOLDER, 1, LOOPBACK)) as client:
            started = await client.post("/v1/batch/scrape", json={"urls": urls, "capture": True})
            found = started.json()["crawlId"]
            await client.get(f"/v1/batch/scrape/{found}/events")  # until it is done
            response = await client.get(f"/v1/batch/scrape/{found}/bundle")

    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == "application/wacz"
    assert is_intact(response.content, tmp_path)
    assert json_in(response.content, "evidence/crawl.json")["progress"]["pagesCrawled"] == 2
    assert set(urls) <= set(pages_in(response.content))


async def test_research_export_returns_a_link_to_a_bundle(
    demo: CapturedDemo, tmp_path: Path
) -> None:
    arguments = {"sessionId": demo.session, "format": "wacz"}
    async with client_of(demo) as (app, _):
        result = await app.path.call("research_export", arguments, demo.owner)
        assert result.structured, result.content
        document = result.structured["document"]
        artifact = await app.services.artifacts.read(
            document["uri"].rpartition("/")[2], tenant=demo.owner.tenant, owner=demo.owner.user
        )
        refused = await app.path.call("research_export", arguments, BOB)

    assert (artifact.mime, artifact.total) == ("application/wacz", document["bytes"])
    assert is_intact(artifact.chunk, tmp_path)
    with zipfile.ZipFile(io.BytesIO(artifact.chunk)) as bundle:
        session = json.loads(bundle.read("evidence/session.json"))
    assert demo.session in json.dumps(session)
    assert document["exchanges"] > 0
    assert any("searches" in sentence for sentence in document["personalData"])
    assert refused.is_error
