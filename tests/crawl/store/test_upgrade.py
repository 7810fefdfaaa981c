"""A crawl database of an earlier version is upgraded and keeps its crawls and pages."""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.crawl.store.conftest import CIPHER
from tests.crawl.store.test_contract import new_job, page, start_run
from tests.postgres_server import postgres_url
from webquarry.crawl.store.crawl_store import CrawlStore
from webquarry.crawl.store.crawl_values import ClaimRequest, CrawlBatch
from webquarry.crawl.store.listings import CrawlListings, JobFilter
from webquarry.crawl.store.postgres import open_postgres
from webquarry.crawl.store.sqlite import open_sqlite
from webquarry.crawl.store.tables import VERSION
from webquarry.errors import SettingsError

__all__ = ["postgres_url"]

pytestmark = pytest.mark.anyio

# what each version had less than the next
_TO_VERSION_2 = """
    DROP TABLE crawl_schema; DROP TABLE crawl_deliveries; DROP TABLE crawl_files;
    DROP INDEX crawl_urls_by_rank; ALTER TABLE crawl_urls DROP COLUMN rank;
    ALTER TABLE crawl_urls DROP COLUMN target; ALTER TABLE crawl_urls DROP COLUMN ended;
    ALTER TABLE crawl_jobs DROP COLUMN kind; ALTER TABLE crawl_hosts DROP COLUMN paused_until;
    CREATE INDEX crawl_urls_waiting ON crawl_urls (job, depth, id) WHERE state = 0;
"""
_TO_VERSION = {2: _TO_VERSION_2, 1: _TO_VERSION_2 + "DROP TABLE crawl_places;"}

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


@pytest.mark.parametrize("version", [1, 2])
async def test_a_database_of_an_earlier_version_keeps_its_crawls_and_pages(
    database: tuple[Open, Script], version: int
) -> None:
    open_store, run_sql = database
    before = open_store()
    run, turn = await start_run(before)
    stored = page(turn.claims[0].url)
    await before.commit(run, CrawlBatch(pages=[stored]), ClaimRequest(count=0))
    waiting = await before.create(new_job(), max_unfinished=5)
    jobs = await CrawlListings(before).jobs(("acme", "alice"), JobFilter())
    await before.close()
    run_sql(_TO_VERSION[version] + f"PRAGMA user_version = {version};")

    after = open_store()

    assert await CrawlListings(after).jobs(("acme", "alice"), JobFilter()) == jobs
    (kept,) = await after.pages(run.job_id, after=0, limit=9, bodies=True)
    assert (kept.key, kept.meta, kept.body) == (stored.key, stored.meta, stored.body)
    assert waiting.id in await after.unfinished()
    run, turn = await start_run(after, host_group=b"group")
    assert (turn.runs, turn.slots, len(turn.claims)) == (1, 8, 1)
    await after.close()


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
