from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest

from tests.postgres_server import postgres_url
from webquarry.crawl.store.encryption import CrawlCipher
from webquarry.crawl.store.sql import SqlCrawlStore
from webquarry.storage.cipher import Keyring

__all__ = ["postgres_url"]

SEALS = CrawlCipher(Keyring(b"k" * 32))


@pytest.fixture(params=["sqlite", "postgres"])
async def crawls(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[SqlCrawlStore]:
    """The same crawls in either database."""
    if request.param == "sqlite":
        from webquarry.crawl.store.sqlite import open_sqlite

        opened = open_sqlite(tmp_path / "crawls.sqlite3", SEALS)
    else:
        from webquarry.crawl.store.postgres import open_postgres

        url: Any = request.getfixturevalue("postgres_url")
        opened = open_postgres(url, SEALS)
    yield opened
    await opened.erase(tenant="acme")
    await opened.erase(tenant="other")
    await opened.close()
