"""A crawl database of an earlier version is upgraded and keeps its crawls."""

import sqlite3
from pathlib import Path

import pytest

from tests.crawl.store.conftest import CIPHER
from tests.crawl.store.test_contract import new_job, start_run
from webquarry.crawl.store.sqlite import open_sqlite
from webquarry.crawl.store.tables import VERSION

pytestmark = pytest.mark.anyio


async def test_a_file_of_version_1_keeps_its_crawls(tmp_path: Path) -> None:
    path = tmp_path / "crawls.sqlite3"
    before = open_sqlite(path, CIPHER)
    old = await before.create(new_job(), max_unfinished=5)
    await before.close()
    with sqlite3.connect(path) as file:
        file.executescript("DROP TABLE crawl_places; PRAGMA user_version = 1")
    file.close()

    after = open_sqlite(path, CIPHER)
    run, turn = await start_run(after, host_group=b"group")

    assert await after.unfinished() == {old.id, run.job_id}
    assert (turn.runs, turn.slots) == (1, 8)
    await after.close()
    with sqlite3.connect(path) as file:
        assert file.execute("PRAGMA user_version").fetchone() == (VERSION,)
    file.close()
