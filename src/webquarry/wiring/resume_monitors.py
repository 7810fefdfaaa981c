"""Checks monitors from the start of a server; costs little if there are none."""

import asyncio
import logging
import sqlite3
from collections.abc import Callable
from contextlib import AsyncExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING

from webquarry.settings.load import Settings
from webquarry.wiring.resume_crawls import CRAWLS_FILE

if TYPE_CHECKING:
    from webquarry.services.watching.service import MonitorService

logger = logging.getLogger(__name__)

_DELAY_SECONDS = 0.7  # the first requests come first
_HAS_MONITORS = "SELECT 1 FROM sqlite_master WHERE name = 'monitors'"
_WORK = (
    "SELECT 1 FROM monitors WHERE state = 'active' OR digest_due IS NOT NULL LIMIT 1",
    "SELECT 1 FROM monitor_deliveries LIMIT 1",
)


def resume_monitors(
    settings: Settings, watching: Callable[[], "MonitorService"], stack: AsyncExitStack
) -> None:
    """Check monitors in a moment, if there are any; workers check shared ones."""
    path = settings.server.data_dir / CRAWLS_FILE
    if settings.crawling.database_url or not path.exists():
        return

    def resume() -> None:
        if has_monitors(path):
            watching().resume()

    timer = asyncio.get_running_loop().call_later(_DELAY_SECONDS, resume)
    stack.callback(timer.cancel)


def has_monitors(path: Path) -> bool:
    """Whether a database has monitors to check, or notifications to send."""
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=1)) as db:
            if not db.execute(_HAS_MONITORS).fetchone():  # written by an earlier version
                return False
            return any(db.execute(query).fetchone() for query in _WORK)
    except sqlite3.Error as error:
        logger.warning("cannot read %s: %s", path, error)
        return False
