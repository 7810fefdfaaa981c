"""Where clients of vendors reach the complete server: paths, hosts, keys and errors."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from tests.server.http_server import http_server
from tests.server.loopback_site import loopback_site, settings_for
from webquarry.errors import SettingsError
from webquarry.server.compat import VENDORS
from webquarry.server.compat.firecrawl.firecrawl_api import FIRECRAWL
from webquarry.server.compat.vendor_routes import VendorMiddleware, check_vendors
from webquarry.settings.groups.compat import CompatSettings


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with loopback_site() as address:
        yield address


@pytest.fixture(scope="module")
def client(site: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx2.Client]:
    home = tmp_path_factory.mktemp("compat")
    own = {"COMPAT_ROOT": "firecrawl", "COMPAT_HOSTS": "fc.test=firecrawl"}
    with http_server(home, settings=settings_for(site) | own) as client:
        yield client


@pytest.mark.parametrize(
    ("path", "host"),
    [("/compat/firecrawl/v2/scrape", None), ("/v2/scrape", None), ("/v2/scrape", "fc.test")],
)
def test_an_api_is_at_its_path_and_at_its_host(
    client: httpx2.Client, site: str, path: str, host: str | None
) -> None:
    headers = {"host": host} if host else {}

    answer = client.post(path, json={"url": f"{site}/p/1"}, headers=headers)

    assert answer.json()["data"]["markdown"].startswith("# Owl /p/1")


def test_an_error_has_the_form_of_the_vendor(client: httpx2.Client) -> None:
    answer = client.post("/v2/nothing", json={})

    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/json"
    assert answer.json()["success"] is False


def test_a_key_in_two_headers_is_one_key(client: httpx2.Client, site: str) -> None:
    headers = {"authorization": "Bearer k1", "x-api-key": "k1"}

    answer = client.post("/v2/scrape", json={"url": f"{site}/p/1"}, headers=headers)

    assert answer.status_code == 200


def test_the_own_api_stays_at_its_path(client: httpx2.Client, site: str) -> None:
    own = client.post("/v1/scrape", json={"url": f"{site}/p/1"})
    theirs = client.post("/v1/scrape", json={"url": f"{site}/p/1"}, headers={"host": "fc.test"})

    assert own.json()["content"].startswith("# Owl /p/1")
    assert theirs.json()["data"]["markdown"].startswith("# Owl /p/1")


def test_an_unknown_host_is_refused_in_the_form_of_the_vendor(client: httpx2.Client) -> None:
    answer = client.get("/v2/team/credit-usage", headers={"host": "other.test"})

    assert (answer.status_code, answer.json()["success"]) == (421, False)


def test_a_body_that_is_too_large_is_refused(tmp_path: Path) -> None:
    with http_server(tmp_path, settings={"MAX_REQUEST_BODY_BYTES": "1k"}) as client:
        answer = client.post("/compat/firecrawl/v2/scrape", json={"url": "x" * 5000})

    assert (answer.status_code, answer.json()["success"]) == (413, False)


def test_unknown_vendors_are_errors_of_the_settings() -> None:
    settings = CompatSettings(root=("owl",))

    with pytest.raises(SettingsError, match="COMPAT_ROOT names unknown vendors: owl"):
        check_vendors(VENDORS, settings)


def test_two_vendors_cannot_share_a_path_at_the_root() -> None:
    other = replace(FIRECRAWL, name="other")

    with pytest.raises(SettingsError, match="share the path /v2/"):
        check_vendors((FIRECRAWL, other), CompatSettings(root=("firecrawl", "other")))


def test_a_host_cannot_have_two_vendors() -> None:
    settings = CompatSettings(hosts=("a.test=firecrawl", "A.test=tavily"))

    assert list(settings.conflicts()) == ["COMPAT_HOSTS names a host twice: a.test"]


@pytest.mark.anyio
async def test_a_key_in_the_body_becomes_a_header_and_the_body_stays() -> None:
    seen: list[tuple[str | None, bytes]] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        seen.append((request.headers.get("authorization"), await request.body()))
        await PlainTextResponse("ok")(scope, receive, send)

    vendor = replace(FIRECRAWL, name="old", key_field="api_key")
    wrapped: Any = VendorMiddleware(app, vendors=(vendor,), settings=CompatSettings(), max_body=99)
    transport = httpx2.ASGITransport(app=wrapped)
    async with httpx2.AsyncClient(transport=transport, base_url="http://t.test") as client:
        await client.post("/compat/old/search", json={"api_key": "k1", "query": "owls"})
        await client.post("/compat/old/search", json={"api_key": "k1"}, headers={"x-api-key": "k2"})

    assert seen == [
        ("Bearer k1", b'{"api_key":"k1","query":"owls"}'),
        (None, b'{"api_key":"k1"}'),
    ]


@pytest.mark.anyio
async def test_a_bug_is_reported_in_the_form_of_the_vendor() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        raise RuntimeError("a bug")

    wrapped: Any = VendorMiddleware(
        app, vendors=(FIRECRAWL,), settings=CompatSettings(), max_body=99
    )
    transport = httpx2.ASGITransport(app=wrapped, raise_app_exceptions=False)
    async with httpx2.AsyncClient(transport=transport, base_url="http://t.test") as client:
        answer = await client.post("/compat/firecrawl/v2/scrape", json={})

    assert (answer.status_code, answer.json()["code"]) == (500, "UNKNOWN_ERROR")
    assert "Internal error" in answer.json()["error"]
