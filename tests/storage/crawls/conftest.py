from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest

from tests.postgres_server import postgres_url
from webquarry.storage.cipher import Keyring
from webquarry.storage.crawls.sealing import Seals
from webquarry.storage.crawls.sql import SqlCrawls

__all__ = ["postgres_url"]

SEALS = Seals(Keyring(b"k" * 32))


@pytest.fixture(params=["sqlite", "postgres"])
async def crawls(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[SqlCrawls]:
    """The same crawls in either database."""
    if request.param == "sqlite":
        from webquarry.storage.crawls.sqlite import open_sqlite

        opened = open_sqlite(tmp_path / "crawls.sqlite3", SEALS)
    else:
        from webquarry.storage.crawls.postgres import open_postgres

        url: Any = request.getfixturevalue("postgres_url")
        opened = open_postgres(url, SEALS)
    yield opened
    await opened.erase(tenant="acme")
    await opened.erase(tenant="other")
    await opened.close()
