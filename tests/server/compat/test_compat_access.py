"""The drop-in APIs with authentication: nobody without a key, and each person's own jobs."""

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import httpx2
import pytest
from websockets.exceptions import ConnectionClosedError
from websockets.sync.client import connect

from tests.server.http_server import http_server
from tests.server.loopback_site import loopback_site, settings_for

_ADMIN = {"X-Admin-Key": "an-administrator-key-of-the-tests-0123456789"}


class Access:
    """A server with two people."""

    def __init__(self, client: httpx2.Client, site: str) -> None:
        self.client = client
        self.site = site
        self.alice = self._key("alice")
        self.bob = self._key("bob")
        body = {"url": site, "limit": 2}
        self.crawl: str = client.post("/v2/crawl", json=body, headers=self.alice).json()["id"]

    def _key(self, user: str, scopes: list[str] | None = None) -> dict[str, str]:
        body: dict[str, Any] = {
            "tenant_id": "owls",
            "user_id": user,
            "scopes": scopes or ["tool:*"],
        }
        answer = self.client.post("/admin/keys", json=body, headers=_ADMIN)
        assert answer.status_code in {200, 201}, answer.text
        return {"Authorization": f"Bearer {answer.json()['key']}"}

    def limited(self) -> dict[str, str]:
        """Return the credential of someone who may use one other tool only."""
        return self._key("carol", ["tool:echo"])


@pytest.fixture(scope="module")
def access(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Access]:
    home = tmp_path_factory.mktemp("compat-access")
    own = {"API_KEYS": "on", "ADMIN_API_KEY": _ADMIN["X-Admin-Key"], "COMPAT_ROOT": "firecrawl"}
    with loopback_site() as site, http_server(home, settings=settings_for(site) | own) as client:
        yield Access(client, site)


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer nonsense"}])
@pytest.mark.parametrize("path", ["/v2/scrape", "/compat/firecrawl/v1/scrape"])
def test_nobody_gets_in_without_a_key(access: Access, path: str, headers: dict[str, str]) -> None:
    answer = access.client.post(path, json={"url": access.site}, headers=headers)

    assert answer.status_code == 401
    assert answer.json()["success"] is False
    assert answer.json()["code"] == "UNAUTHORIZED"
    assert "www-authenticate" in answer.headers


def test_a_key_is_accepted(access: Access) -> None:
    answer = access.client.post(
        "/v2/scrape", json={"url": f"{access.site}/p/1"}, headers=access.alice
    )

    assert answer.json()["success"] is True


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/v2/crawl/{id}"),
        ("GET", "/v2/crawl/{id}/errors"),
        ("DELETE", "/v2/crawl/{id}"),
        ("GET", "/v2/batch/scrape/{id}"),
        ("GET", "/v1/crawl/{id}"),
        ("GET", "/compat/firecrawl/v2/crawl/{id}"),
    ],
)
def test_a_crawl_is_not_found_by_others(access: Access, method: str, path: str) -> None:
    answer = access.client.request(method, path.format(id=access.crawl), headers=access.bob)
    active = access.client.get("/v2/crawl/active", headers=access.bob).json()

    assert answer.status_code == 404
    assert active["crawls"] == []


def test_an_extraction_is_not_found_by_others(access: Access) -> None:
    schema = {"type": "object", "properties": {"title": {"type": "string"}}}
    body = {"urls": [f"{access.site}/p/1"], "schema": schema}
    started = access.client.post("/v2/extract", json=body, headers=access.alice).json()

    own = access.client.get(f"/v2/extract/{started['id']}", headers=access.alice)
    foreign = access.client.get(f"/v2/extract/{started['id']}", headers=access.bob)
    cancelled = access.client.delete(f"/v2/agent/{started['id']}", headers=access.bob)

    assert (own.status_code, foreign.status_code, cancelled.status_code) == (200, 404, 404)


def test_scopes_are_those_of_the_tools(access: Access) -> None:
    limited = access.limited()

    page = access.client.post("/v2/scrape", json={"url": access.site}, headers=limited)
    upload = access.client.post("/v2/parse", files={"file": ("a.csv", b"a,b")}, headers=limited)

    assert (page.status_code, upload.status_code) == (403, 403)
    assert "tool:cinder_scrape" in page.json()["error"]


def test_a_socket_shows_a_crawl_to_its_owner_only(access: Access) -> None:
    url = f"{str(access.client.base_url).rstrip('/')}/v2/crawl/{access.crawl}"
    url = url.replace("http://", "ws://")

    own = _messages(url, access.alice)
    foreign = _messages(url, access.bob)
    unknown = _messages(url, {})

    assert (own[0]["type"], own[-1]["type"]) == ("catchup", "done")
    pages = len(own[0]["data"]["data"]) + sum(m["type"] == "document" for m in own)
    assert pages == 2
    assert [m["type"] for m in foreign + unknown] == ["error", "error"]
    assert "There is no crawl" in foreign[0]["error"]
    assert "Authentication is required" in unknown[0]["error"]


def test_a_socket_of_another_web_page_is_refused(access: Access) -> None:
    url = f"{str(access.client.base_url).rstrip('/')}/v2/crawl/x".replace("http://", "ws://")

    found = _messages(url, access.alice | {"Origin": "https://evil.example"})

    assert [m["type"] for m in found] == ["error"]
    assert "is not allowed" in found[0]["error"]


def _messages(url: str, headers: dict[str, str]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    # what is refused is closed with an error code
    with (
        connect(url, additional_headers=headers, proxy=None) as socket,
        suppress(ConnectionClosedError),
    ):
        for message in socket:
            found += [json.loads(message)]
    return found
