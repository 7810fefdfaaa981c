"""Reading several pages side by side: a few at once, told as they finish, failures as values."""

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

AT_ONCE = 5


class ScrapesPages(Protocol):
    """Reads one page for a caller, as `PageReading` does."""

    async def scrape(self, url: str, mode: Mode, length: int, caller: Caller) -> ReadResult:
        """Return the page; raise an error of ours when it cannot be read."""
        ...


@dataclass(frozen=True)
class ReadOutcome:
    """What came of one address: its page, or why there is none."""

    place: int  # in the list that was asked for, from 0
    url: str
    scraped: ReadResult | None = None
    failure: SourceFailure | None = None


@dataclass(frozen=True, kw_only=True)
class ReadOptions:
    """How pages are read."""

    mode: Mode = "full"
    length: int = 50_000  # bytes of content of each
    at_once: int = AT_ONCE
    seconds: float | None = None  # for all of them; those unread by then are failures


async def read_many(
    reading: ScrapesPages, urls: Iterable[str], caller: Caller, wish: ReadOptions | None = None
) -> AsyncGenerator[ReadOutcome]:
    """Yield what came of every address, the first finished first.

    Use it in `contextlib.aclosing`: leaving early, or being cancelled, stops the reads under way.
    """
    wish = wish or ReadOptions()
    gate = asyncio.Semaphore(wish.at_once)
    loop = asyncio.get_running_loop()
    ends = None if wish.seconds is None else loop.time() + wish.seconds

    async def one(place: int, url: str) -> ReadOutcome:
        try:
            async with asyncio.timeout_at(ends), gate:
                scraped = await reading.scrape(url, wish.mode, wish.length, caller)
        except TimeoutError:
            late = DeadlineError(f"{url} was not read within {wish.seconds:g} seconds.")
            return ReadOutcome(place, url, failure=failure_of(url, late))
        except WebquarryError as error:
            return ReadOutcome(place, url, failure=failure_of(url, error))
        # one page that trips over a bug of ours must not take the others with it
        except Exception:
            logger.exception("reading %s failed unexpectedly", url)
            bug = InternalError(f"{url} could not be read because of a fault of the server.")
            return ReadOutcome(place, url, failure=failure_of(url, bug))
        return ReadOutcome(place, url, scraped=scraped)

    tasks = [asyncio.create_task(one(place, url)) for place, url in enumerate(urls)]
    try:
        waiting = set(tasks)
        while waiting:
            done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            for outcome in sorted((task.result() for task in done), key=lambda o: o.place):
                yield outcome
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def failure_of(url: str, error: WebquarryError) -> SourceFailure:
    """Return an error as a value that names the page."""
    return SourceFailure(
        url=url,
        kind=error.advice.kind,
        reason=str(error),
        retryable=error.advice.retryable,
        suggestedAction=error.advice.action,
    )
