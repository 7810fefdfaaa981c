"""Reading pages: remembered, joined, bounded, and noted in the reader's own index."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Protocol, TypeVar

from webquarry.content.text.length import truncate
from webquarry.errors import DeadlineError, NotFoundError, ProviderError, WebquarryError
from webquarry.models.caller import Caller
from webquarry.models.reading import (
    Mode,
    RawResponse,
    Reading,
    ReadMode,
    RetractionStatus,
    ScrapedPage,
)
from webquarry.net.clock import Clock
from webquarry.net.url import Url, parse
from webquarry.reading.coalesce_reads import Flights
from webquarry.reading.page_cache import FailureCache, PageCache, key_of
from webquarry.reading.page_doi import doi_of
from webquarry.reading.page_output import bounded, classified, page_of, raw_page_of
from webquarry.reading.read_port import PlainReading
from webquarry.storage.page_index import IndexedPage, PageIndex

T = TypeVar("T")

logger = logging.getLogger(__name__)

DEADLINE = 55.0  # below the deadline of a tool, so that the tiers' outcomes can still be told
_RAW_SECONDS = 20.0
USUAL = ReadMode()


class ReadsAddresses(Protocol):
    """Reads what an address holds."""

    async def read(self, url: Url, seconds: float) -> Reading:
        """Return its content as Markdown."""
        ...

    async def read_raw(self, url: Url, seconds: float, most: int) -> RawResponse:
        """Return its bytes."""
        ...


class ChecksRetractions(Protocol):
    """Knows the notices published about scholarly works."""

    async def status(self, doi: str) -> RetractionStatus | None:
        """Return the gravest notice, None when there is none; raise when nobody could tell."""
        ...


class AsksRobots(Protocol):
    """Knows what sites ask of robots."""

    async def check(self, url: Url) -> None:
        """Raise `BlockedError` when the site asks robots to stay away."""
        ...


@dataclass(frozen=True, kw_only=True)
class ReadingDependencies:
    """What reading may use besides the reader; all of it may be missing."""

    retractions: ChecksRetractions | None = None
    robots: AsksRobots | None = None
    index: PageIndex | None = None
    manners: Mapping[ReadMode, ReadsAddresses] = field(
        default_factory=dict[ReadMode, ReadsAddresses]
    )


@dataclass(frozen=True, kw_only=True)
class ReadingLimits:
    """How much is read at once and for whom it is remembered."""

    at_once: int = 5
    isolate: bool = False  # each tenant has pages of its own


@dataclass(frozen=True, kw_only=True)
class ReadResult:
    """A page as asked for, and where it came from."""

    page: ScrapedPage
    age: float | None = None  # seconds since it was read; None: just now
    reading: Reading | None = None  # None in raw mode


class ReadingService:
    """Reads pages for callers."""

    def __init__(
        self,
        reader: ReadsAddresses,
        pages: PageCache,
        *,
        helpers: ReadingDependencies | None = None,
        bounds: ReadingLimits | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._reader = reader
        self._pages = pages
        self._helpers = helpers or ReadingDependencies()
        self._bounds = bounds or ReadingLimits()
        self._clock = clock or Clock()
        self._failures = FailureCache(self._clock.now)
        self._slots = asyncio.Semaphore(self._bounds.at_once)
        self._flights: Flights[Reading] = Flights()

    async def scrape(self, url: str, mode: Mode, length: int, caller: Caller) -> ReadResult:
        """Return a page cut to `length` bytes, from memory if it was read within the hour."""
        where, most = parse(url), bounded(length, mode)
        if mode == "raw":
            return await self._scrape_raw(where, most, caller)
        reading, age = await self._remembered(where, self._scope(caller), DEADLINE)
        return self._scraped(reading, age, most, caller)

    async def scrape_as(
        self, url: str, manner: ReadMode, length: int, caller: Caller
    ) -> ReadResult:
        """Return a page read in this manner and no other, cut to `length` bytes."""
        where, most = parse(url), bounded(length, "full")
        reading, age = await self._remembered(where, self._scope(caller), DEADLINE, manner)
        return self._scraped(reading, age, most, caller)

    def _scraped(
        self, reading: Reading, age: float | None, most: int, caller: Caller
    ) -> ReadResult:
        self._note(reading, caller)
        page = page_of(reading, most, self._read_on(age))
        return ReadResult(page=page, age=age, reading=reading)

    async def read(self, url: str, *, seconds: float, max_bytes: int) -> PlainReading:
        """Return a page as text; what stands in front of a page is raised, except a paywall."""
        reading, _ = await self._remembered(parse(url), "", seconds)
        cut = truncate(reading.markdown, max_bytes)
        return PlainReading(
            url=reading.address,
            title=reading.metadata.title,
            markdown=cut.text,
            wall=reading.wall,
            truncated=cut.truncated or reading.cut,
        )

    async def reread(self, url: str, caller: Caller) -> Reading:
        """Return a page as it is now, whatever is remembered of it."""
        where = parse(url)
        key = key_of(self._scope(caller), where.href)
        try:
            async with asyncio.timeout(DEADLINE):
                return await self._flights.run(key, lambda: self._fresh(where, key, self._reader))
        except TimeoutError as error:
            raise DeadlineError(f"{url} was not read within {DEADLINE:g} seconds.") from error

    async def close(self) -> None:
        """Finish what was begun in the background."""
        await self._pages.close()

    async def _remembered(
        self, where: Url, scope: str, seconds: float, manner: ReadMode = USUAL
    ) -> tuple[Reading, float | None]:
        particular = () if manner == USUAL else (manner.way, manner.html, manner.source)
        key = key_of(scope, *particular, where.href)
        reader = self._helpers.manners.get(manner, self._reader)
        if kept := await self._pages.get(key, Reading):
            return kept
        self._failures.check(key)
        try:
            async with asyncio.timeout(seconds):
                return await self._flights.run(key, lambda: self._fresh(where, key, reader)), None
        except TimeoutError as error:
            raise DeadlineError(f"{where.href} was not read within {seconds:g} seconds.") from error

    async def _fresh(self, where: Url, key: str, reader: ReadsAddresses) -> Reading:
        reading = await self._asked(where, key, lambda: reader.read(where, DEADLINE))
        reading = await self._with_doi(reading)
        self._pages.keep(key, reading)
        return reading

    async def _scrape_raw(self, where: Url, most: int, caller: Caller) -> ReadResult:
        key = key_of(self._scope(caller), "raw", most, where.href)
        if kept := await self._pages.get(key, RawResponse):
            return ReadResult(page=raw_page_of(kept[0], self._read_on(kept[1])), age=kept[1])
        self._failures.check(key)
        answer = await self._asked(
            where, key, lambda: self._reader.read_raw(where, _RAW_SECONDS, most)
        )
        self._pages.keep(key, answer)
        return ReadResult(page=raw_page_of(answer, self._read_on(None)))

    async def _asked(self, where: Url, key: str, read: Callable[[], Awaitable[T]]) -> T:
        """Return what is read when it is its turn; remember a failure."""
        async with self._slots:
            try:
                if self._helpers.robots:
                    await self._helpers.robots.check(where)
                return await read()
            except WebquarryError as error:
                self._failures.note(key, error)
                raise

    async def _with_doi(self, reading: Reading) -> Reading:
        """Return the reading with the DOI it declares and the notices about it."""
        doi = doi_of(reading, classified(reading))
        if not doi and not reading.doi:
            return reading
        if not doi or self._helpers.retractions is None:
            return reading.model_copy(update={"doi": doi})
        try:
            found = await self._helpers.retractions.status(doi)
        except (ProviderError, NotFoundError) as error:
            # an unanswered question is not an all-clear: the caller is told that nobody checked
            logger.info("the status of %s could not be looked up: %s", doi, error)
            return reading.model_copy(update={"doi": doi, "unchecked": True})
        return reading.model_copy(update={"doi": doi, "retraction": found})

    def _note(self, reading: Reading, caller: Caller) -> None:
        """Put a page into its reader's index without keeping the reader waiting."""
        if self._helpers.index is None:
            return
        page = IndexedPage(
            url=reading.address,
            title=reading.metadata.title,
            text=reading.markdown,
            published=reading.metadata.published or None,
        )
        self._helpers.index.add_soon(page, tenant=caller.tenant, owner=caller.user)

    def _scope(self, caller: Caller) -> str:
        return caller.tenant if self._bounds.isolate else ""

    def _read_on(self, age: float | None) -> date:
        return datetime.fromtimestamp(self._clock.today() - (age or 0.0), UTC).date()
