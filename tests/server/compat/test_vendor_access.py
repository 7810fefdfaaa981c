"""The APIs of other vendors have the keys, scopes, limits and owners of this server."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import httpx2
import pytest

from tests.server.compat.sample_web import sample_web
from tests.server.http_server import http_server
from tests.server.loopback_site import settings_for

ADMIN = {"x-admin-key": "the-admin-key-of-this-test"}
LIMIT = 60


class Server(NamedTuple):
    """A server that requires keys, and a web for it."""

    client: httpx2.Client
    web: str

    def key(self, user: str, tenant: str = "acme", *scopes: str) -> str:
        """Return a new key of a person."""
        body = {"tenant_id": tenant, "user_id": user, "scopes": list(scopes)}
        answer = self.client.post("/admin/keys", json=body, headers=ADMIN)
        return str(answer.json()["key"])

    def search(self, vendor: str, headers: dict[str, str]) -> httpx2.Response:
        """Search with the API of a vendor."""
        if vendor == "jina":
            json = headers | {"accept": "application/json", "x-respond-with": "no-content"}
            return self.client.get("/compat/jina/s/owls", headers=json)
        body = {"query": "owls"}
        return self.client.post(f"/compat/{vendor}/search", json=body, headers=headers)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    settings = {
        "API_KEYS": "on",
        "ADMIN_API_KEY": ADMIN["x-admin-key"],
        "RATE_LIMIT_PER_TENANT": str(LIMIT),
        "COMPAT_HOSTS": "r.test=jina",
    }
    with sample_web() as web:
        home = tmp_path_factory.mktemp("keys")
        with http_server(home, settings=settings_for(web) | settings) as client:
            yield Server(client, web)


VENDORS = ["tavily", "exa", "jina"]


def message_of(vendor: str, body: Any) -> str:
    """Return the sentence of an error, where the clients of the vendor look for it."""
    if vendor == "tavily":
        return str(body["detail"]["error"])
    return str(body["error"] if vendor == "exa" else body["message"])


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_missing_or_wrong_key_is_refused_in_the_form_of_the_vendor(
    server: Server, vendor: str
) -> None:
    missing = server.search(vendor, {})
    wrong = server.search(vendor, {"authorization": "Bearer wrong"})

    assert (missing.status_code, wrong.status_code) == (401, 401)
    assert message_of(vendor, missing.json()).startswith("Authentication is required")
    assert message_of(vendor, wrong.json())


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_key_is_accepted_in_either_header(server: Server, vendor: str) -> None:
    key = server.key("ann")

    assert server.search(vendor, {"authorization": f"Bearer {key}"}).status_code == 200
    assert server.search(vendor, {"x-api-key": key}).status_code == 200


def test_tavilys_old_clients_send_the_key_in_the_body(server: Server) -> None:
    body = {"query": "owls", "api_key": server.key("ann")}

    answer = server.client.post("/compat/tavily/search", json=body)

    assert answer.status_code == 200
    assert len(answer.json()["results"]) == 3


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_key_without_the_scope_of_the_tool_is_refused(server: Server, vendor: str) -> None:
    narrow = {"x-api-key": server.key("bob", "acme", "tool:echo")}

    answer = server.search(vendor, narrow)

    assert answer.status_code == 403
    assert "ask for tool:cinder_search" in message_of(vendor, answer.json())


@pytest.mark.parametrize("vendor", VENDORS)
def test_too_many_requests_are_refused_in_the_form_of_the_vendor(
    server: Server, vendor: str
) -> None:
    busy = {"x-api-key": server.key("zoe", f"busy-{vendor}")}

    answers = [server.search(vendor, busy) for _ in range(LIMIT + 1)]

    assert {answer.status_code for answer in answers[:LIMIT]} == {200}
    assert answers[LIMIT].status_code == 429
    assert int(answers[LIMIT].headers["retry-after"]) > 0
    assert message_of(vendor, answers[LIMIT].json())


def test_a_crawl_belongs_to_who_started_it(server: Server) -> None:
    ann, ben = ({"x-api-key": server.key(name, "owners")} for name in ("ann", "ben"))
    body = {"url": f"{server.web}/", "limit": 1}

    crawled = server.client.post("/compat/tavily/crawl", json=body, headers=ann).json()

    assert len(crawled["results"]) == 1
    assert len(server.client.get("/v1/crawl", headers=ann).json()["crawls"]) == 1
    assert server.client.get("/v1/crawl", headers=ben).json()["crawls"] == []


def test_a_whole_host_name_is_for_one_vendor(server: Server) -> None:
    headers = {"x-api-key": server.key("ann", "hosts"), "host": "r.test"}

    answer = server.client.get(f"/{server.web}/barn", headers=headers)

    assert answer.text.startswith("Title: Barn owls of the north\n\nURL Source: ")
