"""Resumes crawls that an earlier process left unfinished; cheap if there are none."""

import asyncio
import logging
import sqlite3
from collections.abc import Callable
from contextlib import AsyncExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING

from webquarry.settings.load import Settings

if TYPE_CHECKING:
    from webquarry.crawl.service import CrawlService

logger = logging.getLogger(__name__)

CRAWLS_FILE = "crawls.sqlite3"
_DELAY_SECONDS = 0.5  # the first requests come first
_UNFINISHED = "SELECT 1 FROM crawl_jobs WHERE state IN ('queued', 'running') LIMIT 1"
_UNSENT = "SELECT 1 FROM crawl_deliveries LIMIT 1"
_HAS_OUTBOX = "SELECT 1 FROM sqlite_master WHERE name = 'crawl_deliveries'"


def resume_crawls(
    settings: Settings, crawling: Callable[[], "CrawlService"], stack: AsyncExitStack
) -> None:
    """Resume unfinished crawls and notifications in a moment; workers resume shared ones."""
    path = settings.server.data_dir / CRAWLS_FILE
    if settings.crawling.database_url or not path.exists():
        return

    def resume() -> None:
        if has_unfinished_work(path):
            crawling().resume()

    timer = asyncio.get_running_loop().call_later(_DELAY_SECONDS, resume)
    stack.callback(timer.cancel)


def has_unfinished_work(path: Path) -> bool:
    """Whether a crawl database has unfinished crawls, or notifications to send."""
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=1)) as db:
            queries = [_UNFINISHED]
            if db.execute(_HAS_OUTBOX).fetchone():  # not in databases of earlier versions
                queries.append(_UNSENT)
            return any(db.execute(query).fetchone() for query in queries)
    except sqlite3.Error as error:
        logger.warning("cannot read %s: %s", path, error)
        return False
