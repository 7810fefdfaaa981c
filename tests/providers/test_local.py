"""The provider over one's own pages."""

from pathlib import Path

import pytest

from tests.replay import FakeClock, Replay
from tests.support import ALICE, BOB
from webquarry.models.search import WebQuery, WebResult
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.local import Local
from webquarry.storage.indexed_page import IndexedPage
from webquarry.storage.page_index import PageIndex

pytestmark = pytest.mark.anyio
PAGE = IndexedPage(
    url="https://example.org/barn",
    title="",
    text="Barn owls hunt voles at night.",
    published="2024-03-05T00:00:00Z",
)


def _nobody() -> Upstreams:
    return Upstreams(Replay([]), clock=FakeClock().clock())


async def test_one_finds_ones_own_pages_without_a_network(tmp_path: Path) -> None:
    index = PageIndex(tmp_path / "index.sqlite3")
    await index.add([PAGE], tenant=ALICE.tenant, owner=ALICE.user)
    local = Local(_nobody(), {}, index=index)

    found = await local.search_web(WebQuery(text="owls", exact_terms="hunt voles", asker=ALICE))

    assert found == [
        WebResult(
            title="https://example.org/barn",
            url="https://example.org/barn",
            snippet="Barn owls hunt voles at night.",
            published="2024-03-05T00:00:00Z",
        )
    ]
    excluded = WebQuery(text="owls", exclude_terms="voles", asker=ALICE)
    assert await local.search_web(excluded) == []
    assert await local.search_web(WebQuery(text="owls", asker=BOB)) == []
    assert await local.search_web(WebQuery(text="owls")) == []
    await index.close()


async def test_without_an_index_there_is_nothing() -> None:
    assert await Local(_nobody(), {}).search_web(WebQuery(text="owls", asker=ALICE)) == []


def test_it_has_no_address_to_configure() -> None:
    assert Local.about.all_variables() == ()
    assert Local.about.missing_variables({}) == ("LOCAL_INDEX",)
