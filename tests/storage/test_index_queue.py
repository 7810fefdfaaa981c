"""Pages wait to be indexed until there is time, but never longer than until somebody looks."""

from pathlib import Path

import pytest

from webquarry.storage.index_queue import IndexQueue, Owned
from webquarry.storage.page_index import IndexedPage, IndexQuery, PageIndex

pytestmark = pytest.mark.anyio

OWL = IndexedPage(url="https://a.example/owl", title="Owl", text="Owls hunt.", read_at=1.0)


async def test_a_page_is_found_by_whoever_looks_for_it_at_once(tmp_path: Path) -> None:
    index = PageIndex(tmp_path / "index.sqlite3")

    index.add_soon(OWL, tenant="acme", owner="alice")

    assert await index.search(IndexQuery(words="owls"), tenant="acme", owner="alice") == [OWL]
    assert await index.search(IndexQuery(words="owls"), tenant="acme", owner="bob") == []
    await index.close()


async def test_closing_indexes_what_waits(tmp_path: Path) -> None:
    index = PageIndex(tmp_path / "index.sqlite3", clock=lambda: 7.0)
    index.add_soon(IndexedPage(url=OWL.url, title="Owl", text="Owls hunt."), tenant="t", owner="o")
    await index.close()

    again = PageIndex(tmp_path / "index.sqlite3")
    (found,) = await again.pages(tenant="t", owner="o")
    await again.close()

    assert found == IndexedPage(url=OWL.url, title="Owl", text="Owls hunt.", read_at=7.0)


async def test_erasing_takes_what_waits_with_it(tmp_path: Path) -> None:
    index = PageIndex(tmp_path / "index.sqlite3")
    index.add_soon(OWL, tenant="acme", owner="alice")

    assert await index.erase(tenant="acme", owner="alice") == 1
    assert await index.count() == 0
    await index.close()


async def test_pages_are_indexed_together_and_an_address_once() -> None:
    batches: list[list[Owned]] = []

    async def put(pages: list[Owned]) -> None:
        batches.append(pages)

    later = IndexQueue(put)
    newer = IndexedPage(url=OWL.url, title="Owl", text="Owls sleep.", read_at=2.0)
    other = IndexedPage(url="https://a.example/bat", title="Bat", text="Bats.", read_at=3.0)
    for page in (OWL, other, newer):
        later.add(page, "acme", "alice")
    await later.finish()

    assert batches == [[(newer, "acme", "alice"), (other, "acme", "alice")]]
