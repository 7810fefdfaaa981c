"""Resumes checks of documents that an earlier process left unfinished; cheap if there are none."""

import asyncio
import logging
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from webquarry.errors import WebquarryError
from webquarry.settings.load import Settings

if TYPE_CHECKING:
    from webquarry.wiring.container import Services

logger = logging.getLogger(__name__)

_STORE_FILE = "store.sqlite3"
_DELAY_SECONDS = 1.0  # the first requests come first


def resume_checks(settings: Settings, services: "Services", stack: AsyncExitStack) -> None:
    """Resume unfinished checks in a moment."""
    path = settings.server.data_dir / _STORE_FILE
    if not settings.cache.redis_url and not path.exists():
        return
    task = asyncio.create_task(_resume(services))
    stack.push_async_callback(_stop, task)


async def _resume(services: "Services") -> None:
    await asyncio.sleep(_DELAY_SECONDS)
    try:
        has_check = [key async for key in services.store.scan("check:")]
        if has_check and (count := await services.document_checks.resume()):
            logger.info("going on with %d checks of documents", count)
    except WebquarryError as error:
        logger.warning("cannot resume checks of documents: %s", error)


async def _stop(task: "asyncio.Task[None]") -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
