"""Goes on with crawls that an earlier process left; costs next to nothing when there are none."""

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

FILE = "crawls.sqlite3"
_SOON = 0.5  # seconds: whoever started the server is answered first
_UNFINISHED = "SELECT 1 FROM crawl_jobs WHERE state IN ('queued', 'running') LIMIT 1"


def resume_crawls(
    settings: Settings, crawling: Callable[[], "CrawlService"], stack: AsyncExitStack
) -> None:
    """See to unfinished crawls in a moment; workers see to those they share."""
    path = settings.server.data_dir / FILE
    if settings.crawling.database_url or not path.exists():
        return

    def go_on() -> None:
        if unfinished(path):
            crawling().resume()

    timer = asyncio.get_running_loop().call_later(_SOON, go_on)
    stack.callback(timer.cancel)


def unfinished(path: Path) -> bool:
    """Whether there is work left in a file of crawls."""
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=1)) as db:
            return db.execute(_UNFINISHED).fetchone() is not None
    except sqlite3.Error as error:
        logger.warning("%s cannot be read: %s", path, error)
        return False
