"""A crawl database of an earlier version is upgraded and keeps its crawls and pages."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from tests.crawl.store.test_contract import page, start_run
from tests.postgres_server import postgres_url
from webquarry.crawl.store import sqlite
from webquarry.crawl.store.crawl_store import CrawlStore
from webquarry.crawl.store.crawl_values import ClaimRequest, CrawlBatch, JobRow
from webquarry.crawl.store.encryption import CrawlCipher
from webquarry.crawl.store.listings import CrawlListings, JobFilter
from webquarry.crawl.store.postgres import open_postgres
from webquarry.crawl.store.sqlite import open_sqlite
from webquarry.crawl.store.tables import VERSION
from webquarry.crawl.stored_content import StoredContent
from webquarry.errors import SettingsError
from webquarry.models.crawl import CrawlRequest
from webquarry.parsing.parsers import Parsers
from webquarry.storage.cipher import Keyring

__all__ = ["postgres_url"]

pytestmark = pytest.mark.anyio

DATABASES = Path(__file__).parent / "databases"  # of earlier releases, as SQL
CIPHER = CrawlCipher(Keyring(bytes.fromhex("ab" * 32)))
SITE = "http://127.0.0.1:18080"
OWNER = ("acme", "alice")
# 0.1.0 and 0.2.0 have version 2 of the tables; this was the first one
_TO_VERSION_1 = "DROP TABLE crawl_places; PRAGMA user_version = 1;"

Open = Callable[[], CrawlStore]
Script = Callable[[str], None]


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Open, Script]]:
    """How to open a crawl database, and how to run SQL in it."""
    if request.param == "sqlite":
        path = tmp_path / "crawls.sqlite3"
        yield lambda: open_sqlite(path, CIPHER), lambda sql: _run_in_file(path, sql)
        return
    url: Any = request.getfixturevalue("postgres_url")
    yield lambda: open_postgres(url, CIPHER), lambda sql: _run_in_postgres(url, sql)
    _run_in_postgres(url, "DROP SCHEMA public CASCADE; CREATE SCHEMA public")


def _run_in_file(path: Path, sql: str) -> None:
    file = sqlite3.connect(path)
    file.executescript(sql)
    file.close()


def _run_in_postgres(url: str, sql: str) -> None:
    import psycopg

    with psycopg.connect(url, autocommit=True) as server:
        for statement in sql.split(";"):
            if statement.strip() and "user_version" not in statement:
                server.execute(statement.encode())


@pytest.mark.parametrize(
    ("release", "changes"),
    [("0.1.0", _TO_VERSION_1), ("0.1.0", ""), ("0.2.0", "")],
    ids=["first version", "0.1.0", "0.2.0"],
)
async def test_a_database_of_an_earlier_version_keeps_its_crawls_and_pages(
    database: tuple[Open, Script], request: pytest.FixtureRequest, release: str, changes: str
) -> None:
    open_store, run_sql = database
    kind = request.node.callspec.params["database"]
    run_sql((DATABASES / f"{release}.{kind}.sql").read_text("utf-8"))
    run_sql(changes)

    store = open_store()

    listings = CrawlListings(store)
    half, done = await listings.jobs([OWNER], JobFilter())
    assert (half.state, half.kind, half.counts.crawled) == ("running", "crawl", 3)
    assert (done.state, done.kind, done.counts.crawled) == ("completed", "crawl", 3)
    old_request = CrawlRequest.model_validate_json(done.request)
    assert (old_request.url, old_request.formats) == (f"{SITE}/done", ("markdown",))
    assert await _titles(store, done) == {"Done", "A", "B"}
    failed = await listings.failed_urls(done.id, ["http_404", "robots"], unread="", limit=9)
    assert {(each.url, each.outcome) for each in failed} == {
        (f"{SITE}/missing", "http_404"), (f"{SITE}/private/x", "robots"),
    }  # fmt: skip
    assert await store.unfinished() == {half.id}
    run = await store.begin(half.id)
    assert run is not None
    turn = await store.commit(run, CrawlBatch(), ClaimRequest(count=9, limit=8))
    assert {claim.url for claim in turn.claims} == {f"{SITE}/half/{n}" for n in range(3, 7)}
    again, _ = await start_run(store)
    await store.commit(again, CrawlBatch(pages=[page("https://a.example/")]), ClaimRequest(count=0))
    assert len(await store.pages(again.job_id, after=0, limit=9, bodies=True)) == 1
    await store.close()


async def _titles(store: CrawlStore, job: JobRow) -> set[str]:
    """Return the titles of the pages of a crawl, from their stored Markdown."""
    parsers = Parsers()
    rows = await store.pages(job.id, after=0, limit=9, bodies=True)
    try:
        pages = await StoredContent(store, parsers).pages(job.id, rows, ("markdown",))
    finally:
        await parsers.aclose()
    texts = [str((each.content or {})["markdown"]) for each in pages]
    return {text.partition("\n")[0].removeprefix("# ") for text in texts}


async def test_two_processes_may_upgrade_a_database_at_the_same_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "crawls.sqlite3"
    _run_in_file(path, (DATABASES / "0.2.0.sqlite.sql").read_text("utf-8"))
    begin = sqlite.transaction

    def begin_second(connection: sqlite3.Connection) -> AbstractContextManager[None]:
        monkeypatch.setattr(sqlite, "transaction", begin)
        asyncio.run(_open_and_close(path))  # another process is first
        return begin(connection)

    monkeypatch.setattr(sqlite, "transaction", begin_second)
    store = open_sqlite(path, CIPHER)

    assert len(await CrawlListings(store).jobs([OWNER], JobFilter())) == 2
    await store.close()


async def _open_and_close(path: Path) -> None:
    store = open_sqlite(path, CIPHER)
    await store.unfinished()
    await store.close()


async def test_a_database_of_a_newer_version_is_refused(database: tuple[Open, Script]) -> None:
    open_store, run_sql = database
    before = open_store()
    await before.unfinished()
    await before.close()
    run_sql("UPDATE crawl_schema SET version = version + 1")
    run_sql(f"PRAGMA user_version = {VERSION + 1}")

    after = open_store()

    with pytest.raises(SettingsError, match="newer version"):
        await after.unfinished()
    await after.close()
