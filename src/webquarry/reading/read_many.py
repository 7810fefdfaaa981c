"""Reads several pages concurrently; yields each as it finishes, failures as values."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Iterable
from dataclasses import dataclass
from typing import Protocol

from webquarry.errors import DeadlineError, InternalError, WebquarryError
from webquarry.models.caller import Caller
from webquarry.models.reading import Mode
from webquarry.models.research import SourceFailure
from webquarry.reading.service import ReadResult

logger = logging.getLogger(__name__)

CONCURRENCY = 5


class ScrapesPages(Protocol):
    """Reads one page for a caller, as `ReadingService` does."""

    async def scrape(self, url: str, mode: Mode, length: int, caller: Caller) -> ReadResult:
        """Return the page; raise `WebquarryError` when it cannot be read."""
        ...


@dataclass(frozen=True)
class ReadOutcome:
    """The result of one URL: its page, or why there is none."""

    index: int  # in the requested list, from 0
    url: str
    result: ReadResult | None = None
    failure: SourceFailure | None = None


@dataclass(frozen=True, kw_only=True)
class ReadOptions:
    """How pages are read."""

    mode: Mode = "full"
    max_bytes: int = 50_000  # of content, for each page
    concurrency: int = CONCURRENCY
    seconds: float | None = None  # for all pages; those that are not read by then are failures


async def read_many(
    reading: ScrapesPages, urls: Iterable[str], caller: Caller, options: ReadOptions | None = None
) -> AsyncGenerator[ReadOutcome]:
    """Yield the result of every URL in the order in which they finish.

    Use it in `contextlib.aclosing`: leaving early, or being cancelled, stops the running reads.
    """
    options = options or ReadOptions()
    slots = asyncio.Semaphore(options.concurrency)
    loop = asyncio.get_running_loop()
    deadline = None if options.seconds is None else loop.time() + options.seconds

    async def read_one(index: int, url: str) -> ReadOutcome:
        try:
            async with asyncio.timeout_at(deadline), slots:
                result = await reading.scrape(url, options.mode, options.max_bytes, caller)
        # a bug triggered by one page must not fail the others
        except Exception as error:  # noqa: BLE001
            failure = source_failure(url, _known_error(url, error, options.seconds))
            return ReadOutcome(index, url, failure=failure)
        return ReadOutcome(index, url, result=result)

    tasks = [asyncio.create_task(read_one(index, url)) for index, url in enumerate(urls)]
    try:
        pending = set(tasks)
        while pending:
            done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
            for outcome in sorted((task.result() for task in done), key=lambda o: o.index):
                yield outcome
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _known_error(url: str, error: Exception, seconds: float | None) -> WebquarryError:
    """Return the error to report; log it if it is a bug."""
    if isinstance(error, WebquarryError):
        return error
    if isinstance(error, TimeoutError):
        return DeadlineError(f"{url} was not read within {seconds:g} seconds.")
    logger.error("reading %s failed unexpectedly", url, exc_info=error)
    return InternalError(f"{url} could not be read because of an internal error.")


def source_failure(url: str, error: WebquarryError) -> SourceFailure:
    """Return an error as a value."""
    return SourceFailure(
        url=url,
        kind=error.advice.kind,
        reason=str(error),
        retryable=error.advice.retryable,
        suggestedAction=error.advice.action,
    )
