"""Where vendors' clients reach the server: paths, hosts, keys and errors."""

from collections.abc import Iterator

import httpx2
import pytest

from tests.server.http_server import http_server
from tests.server.loopback_site import loopback_site, settings_for


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
