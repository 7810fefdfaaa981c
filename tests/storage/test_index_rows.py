"""Indexes of older releases are rebuilt without losing a page."""

import sqlite3
from pathlib import Path

import pytest

from webquarry.storage import index_rows, index_terms
from webquarry.storage.indexed_page import IndexedPage, IndexQuery
from webquarry.storage.page_index import PageIndex

pytestmark = pytest.mark.anyio
# as version 0.9 wrote it: words as they stand in the text
_OLD = """
CREATE TABLE pages (
    id INTEGER PRIMARY KEY, tenant TEXT NOT NULL, owner TEXT NOT NULL, url TEXT NOT NULL,
    title TEXT NOT NULL, published TEXT, read_at REAL NOT NULL, body TEXT NOT NULL,
    UNIQUE (tenant, owner, url)
);
CREATE INDEX pages_by_age ON pages (read_at);
CREATE VIRTUAL TABLE words USING fts5(
    title, body, content='', tokenize="unicode61 remove_diacritics 2"
);
"""


def _write_old_index(path: Path, count: int) -> None:
    with sqlite3.connect(path) as db:
        db.executescript(_OLD)
        for number in range(1, count + 1):
            row = (
                number,
                "acme",
                "alice" if number % 2 else "bob",
                f"https://example.org/{number}",
            )
            body = f"Owls hunted {number} voles."
            db.execute("INSERT INTO pages VALUES (?, ?, ?, ?, 'Owls', NULL, 5.0, ?)", (*row, body))
            db.execute(
                "INSERT INTO words (rowid, title, body) VALUES (?, 'Owls', ?)", (number, body)
            )
    db.close()


def _bytes_below(directory: Path) -> bytes:
    return b"".join(file.read_bytes() for file in directory.iterdir())


async def _urls(index: PageIndex, words: str, owner: str) -> list[str]:
    query = IndexQuery(words=words, max_results=1000)
    found = await index.search(query, tenant="acme", owner=owner)
    return sorted(match.page.url for match in found)


async def test_an_index_of_an_older_release_is_rebuilt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_rows, "_BATCH", 2)
    _write_old_index(tmp_path / "index.sqlite3", 5)
    index = PageIndex(tmp_path / "index.sqlite3")

    urls = [f"https://example.org/{number}" for number in (1, 3, 5)]
    assert await _urls(index, "hunting", "alice") == urls
    assert await _urls(index, "hunting 4", "bob") == [
        "https://example.org/2", "https://example.org/4",
    ]  # fmt: skip
    (page, *_) = await index.pages(tenant="acme", owner="bob")
    assert page == IndexedPage(
        url="https://example.org/2", title="Owls", text="Owls hunted 2 voles.", read_at=5.0
    )
    assert await index.erase(tenant="acme", owner="alice") == 3
    assert await _urls(index, "hunting", "alice") == []
    await index.close()
    assert b"hunted 3" not in _bytes_below(tmp_path)


async def test_a_rebuild_continues_where_a_killed_process_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "index.sqlite3"
    _write_old_index(path, 4)
    monkeypatch.setattr(index_rows, "_BATCH", 2)
    rows = index_rows.IndexRows(index_terms.TermExtractor())
    db = sqlite3.connect(path, isolation_level=None)
    batches = 0

    def killed_after_a_batch(text: str) -> list[str]:
        nonlocal batches
        batches += 1
        if batches > 4:  # title and text of two pages
            raise KeyboardInterrupt
        return index_terms.words_of(text)

    with monkeypatch.context() as patch:
        patch.setattr(index_rows, "words_of", killed_after_a_batch)
        with pytest.raises(KeyboardInterrupt):
            rows.prepare(db)
    db.close()

    index = PageIndex(path)
    assert await _urls(index, "voles", "alice") == [
        "https://example.org/1",
        "https://example.org/3",
    ]
    assert await _urls(index, "voles", "bob") == ["https://example.org/2", "https://example.org/4"]
    await index.close()


async def test_terms_of_other_stemmers_are_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = IndexedPage(url="https://example.org/1", title="Owls", text="Owls hunted voles.")
    first = PageIndex(tmp_path / "index.sqlite3")
    await first.add([page], tenant="acme", owner="alice")
    await first.close()

    monkeypatch.setattr(index_rows, "terms_version", lambda: "of another release")
    second = PageIndex(tmp_path / "index.sqlite3")
    assert await _urls(second, "hunting", "alice") == [page.url]
    await second.add([page], tenant="acme", owner="alice")
    assert await second.count() == 1
    await second.close()
