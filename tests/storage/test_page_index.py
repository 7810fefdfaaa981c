"""The local full-text index: search, ownership, limits and erasure."""

import sqlite3
import stat
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from webquarry.errors import SettingsError
from webquarry.storage import page_index
from webquarry.storage.indexed_page import FoundPage, IndexedPage, IndexQuery
from webquarry.storage.page_index import PageIndex

pytestmark = pytest.mark.anyio
BARN = IndexedPage(
    url="https://example.org/barn",
    title="Barn owls",
    text="Barn owls hunt voles at night. They nest in old barns.",
    published="2024-03-05T00:00:00Z",
    read_at=10.0,
)
BOX = IndexedPage(
    url="https://example.org/box", title="Nest boxes", text="A box for owls, of oak.", read_at=20.0
)
TOKYO = IndexedPage(
    url="https://example.jp/", title="東京", text="東京都の梟は夜に狩りをする。", read_at=30.0
)
PAGES = [BARN, BOX, TOKYO]


@pytest.fixture
async def index(tmp_path: Path) -> AsyncIterator[PageIndex]:
    index = PageIndex(tmp_path / "index.sqlite3", clock=lambda: 99.0)
    await index.add(PAGES, tenant="acme", owner="alice")
    yield index
    await index.close()


async def _find(index: PageIndex, wanted: IndexQuery, owner: str = "alice") -> list[str]:
    found = await index.search(wanted, tenant="acme", owner=owner)
    return [match.page.url for match in found]


def _bytes_below(directory: Path) -> bytes:
    return b"".join(file.read_bytes() for file in directory.iterdir())


async def test_a_page_is_returned_as_it_was_added(index: PageIndex) -> None:
    (found,) = await index.search(IndexQuery(words="voles"), tenant="acme", owner="alice")
    assert found == FoundPage(page=BARN, snippet=BARN.text)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (IndexQuery(words="owls nest"), [BOX, BARN]),
        (
            IndexQuery(words="owls unicorns"),
            [BOX, BARN],
        ),  # no page has both words, so pages with any of them match
        (IndexQuery(words="OWLS", exact="at night"), [BARN]),
        (IndexQuery(words="owls", excluded=("oak",)), [BARN]),
        (IndexQuery(words="owls", excluded=("old barns", "oak")), []),
        (IndexQuery(words="梟"), [TOKYO]),
        (IndexQuery(words="東京都"), [TOKYO]),
        (IndexQuery(words="京東"), []),  # the order of characters matters
        (IndexQuery(words='")('), []),
        (IndexQuery(words="owls AND NOT"), [BOX, BARN]),  # AND and NOT are words, not operators
        (IndexQuery(words="owls", max_results=1), [BARN]),  # a word in the title ranks highest
    ],
)
async def test_queries_match_words_phrases_and_exclusions(
    index: PageIndex, wanted: IndexQuery, found: list[IndexedPage]
) -> None:
    assert sorted(await _find(index, wanted)) == sorted(page.url for page in found)


async def test_a_search_returns_only_pages_of_the_owner(index: PageIndex) -> None:
    assert await _find(index, IndexQuery(words="owls"), owner="bob") == []
    assert await index.search(IndexQuery(words="owls"), tenant="other", owner="alice") == []


async def test_a_page_read_again_replaces_the_old_text(index: PageIndex) -> None:
    again = IndexedPage(url=BARN.url, title="Barn owls", text="They moved to the church.")
    await index.add([again], tenant="acme", owner="alice")

    assert await _find(index, IndexQuery(words="voles")) == []
    (found,) = await index.search(IndexQuery(words="church"), tenant="acme", owner="alice")
    assert found.page.read_at == 99.0
    assert await index.count() == 3


async def test_the_oldest_pages_are_removed_at_the_limit(tmp_path: Path) -> None:
    index = PageIndex(tmp_path / "index.sqlite3", max_pages=2)
    await index.add(PAGES, tenant="acme", owner="alice")

    assert await _find(index, IndexQuery(words="owls")) == [BOX.url]
    assert await index.count() == 2
    await index.close()


async def test_erased_text_is_not_left_in_the_files(index: PageIndex, tmp_path: Path) -> None:
    await index.add([BARN], tenant="acme", owner="bob")

    assert await index.erase(tenant="acme", owner="alice", url=BOX.url) == 1
    assert await index.erase(tenant="acme", owner="alice") == 2
    assert await index.erase(tenant="acme", owner="alice") == 0
    assert await _find(index, IndexQuery(words="owls")) == []
    assert await _find(index, IndexQuery(words="owls"), owner="bob") == [BARN.url]
    assert await index.erase(tenant="acme") == 1
    await index.close()

    left = _bytes_below(tmp_path)
    assert b"voles" not in left
    assert "梟".encode() not in left


async def test_the_file_is_private_and_outlives_the_process(tmp_path: Path) -> None:
    path = tmp_path / "data" / "index.sqlite3"
    first = PageIndex(path)
    await first.add([BARN], tenant="acme", owner="alice")
    await first.close()

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    second = PageIndex(path)
    assert await _find(second, IndexQuery(words="voles")) == [BARN.url]
    await second.close()


async def test_a_damaged_file_is_moved_aside(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite3"
    path.write_bytes(b"this is no database" * 1000)
    index = PageIndex(path)

    await index.add([BARN], tenant="acme", owner="alice")

    assert await _find(index, IndexQuery(words="voles")) == [BARN.url]
    assert (tmp_path / "index.sqlite3.corrupt").exists()
    await index.close()


async def test_an_unusable_path_is_a_settings_error(tmp_path: Path) -> None:
    (tmp_path / "index.sqlite3").mkdir()
    index = PageIndex(tmp_path / "index.sqlite3")

    with pytest.raises(SettingsError, match=r"index\.sqlite3 cannot be used"):
        await index.count()
    await index.close()


def test_the_sqlite_of_this_python_has_full_text_search() -> None:
    with sqlite3.connect(":memory:") as db:
        db.execute("CREATE VIRTUAL TABLE words USING fts5(text)")


async def test_pages_added_by_other_processes_are_counted_after_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_index, "_RECOUNT_EVERY", 3)
    mine, theirs = (PageIndex(tmp_path / "index.sqlite3", max_pages=2) for _ in range(2))
    await mine.add([BARN], tenant="acme", owner="alice")
    await theirs.add([BOX], tenant="acme", owner="alice")
    await theirs.close()

    await mine.add([TOKYO], tenant="acme", owner="alice")
    assert await mine.count() == 3
    for _ in range(2):
        await mine.add([], tenant="acme", owner="alice")

    assert set(await _find(mine, IndexQuery(words="owls 東京"))) == {BOX.url, TOKYO.url}
    await mine.close()


async def test_a_page_added_in_the_background_is_found_at_once(tmp_path: Path) -> None:
    index = PageIndex(tmp_path / "index.sqlite3")

    index.add_in_background(BARN, tenant="acme", owner="alice")

    assert await _find(index, IndexQuery(words="voles")) == [BARN.url]
    assert await index.search(IndexQuery(words="voles"), tenant="acme", owner="bob") == []
    await index.close()


async def test_closing_writes_pending_pages(tmp_path: Path) -> None:
    index = PageIndex(tmp_path / "index.sqlite3", clock=lambda: 7.0)
    index.add_in_background(
        IndexedPage(url=BARN.url, title="Owl", text="Owls hunt."), tenant="t", owner="o"
    )
    await index.close()

    again = PageIndex(tmp_path / "index.sqlite3")
    (found,) = await again.pages(tenant="t", owner="o")
    await again.close()

    assert found == IndexedPage(url=BARN.url, title="Owl", text="Owls hunt.", read_at=7.0)


async def test_erasing_removes_pending_pages(tmp_path: Path) -> None:
    index = PageIndex(tmp_path / "index.sqlite3")
    index.add_in_background(BARN, tenant="acme", owner="alice")

    assert await index.erase(tenant="acme", owner="alice") == 1
    assert await index.count() == 0
    await index.close()
