"""Timeouts that the operator sets reach the parts that use them."""

from pathlib import Path

import anyio
import pytest

from tests.net.servers import ReceivedRequest, serve
from tests.support import text_of
from webquarry.app import open_app
from webquarry.settings.load import load
from webquarry.wiring.declared_settings import declared_variables

pytestmark = pytest.mark.anyio


async def hang(_: ReceivedRequest) -> None:
    await anyio.sleep_forever()


async def call(home: Path, name: str, arguments: dict[str, str], **settings: str) -> str:
    environ = {"ALLOW_PRIVATE_IPS": "true", "WEBQUARRY_DATA_DIR": str(home), **settings}
    loaded = load(environ=environ, directory=home, flags={}, declared=declared_variables())
    async with open_app(loaded, "library") as app:
        result = await app.path.call(name, arguments, app.owner, request_id="r1")
    assert result.is_error
    return text_of(result)


async def test_the_timeout_of_a_page_is_a_setting(tmp_path: Path) -> None:
    async with serve(hang) as site:
        text = await call(tmp_path, "scrape_page", {"url": site.url("/a")}, PAGE_TIMEOUT="1s")

    assert "no time left" in text  # a method is tried only if it has more than a second


async def test_the_timeout_of_a_search_is_a_setting(tmp_path: Path) -> None:
    async with serve(hang) as site:
        text = await call(
            tmp_path,
            "web_search",
            {"query": "owls"},
            SEARCH_PROVIDER="brave",
            BRAVE_API_KEY="k",
            BRAVE_BASE_URL=site.url(""),
            SEARCH_TIMEOUT="1s",
        )

    assert "brave" in text.lower()
