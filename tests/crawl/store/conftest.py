from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest

from tests.postgres_server import postgres_url
from webquarry.crawl.store.crawl_store import CrawlStore
from webquarry.crawl.store.encryption import CrawlCipher
from webquarry.storage.cipher import Keyring

__all__ = ["postgres_url"]

CIPHER = CrawlCipher(Keyring(b"k" * 32))


@pytest.fixture(params=["sqlite", "postgres"])
async def crawls(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[CrawlStore]:
    """A crawl store in SQLite or Postgres."""
    if request.param == "sqlite":
        from webquarry.crawl.store.sqlite import open_sqlite

        store = open_sqlite(tmp_path / "crawls.sqlite3", CIPHER)
    else:
        from webquarry.crawl.store.postgres import open_postgres

        url: Any = request.getfixturevalue("postgres_url")
        store = open_postgres(url, CIPHER)
    yield store
    await store.erase(tenant="acme")
    await store.erase(tenant="other")
    await store.close()
