"""The reading service: caches pages, coalesces and limits reads, and indexes what was read."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Coroutine, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from webquarry.concurrency.coalesce import Coalescer
from webquarry.content.text.length import truncate
from webquarry.errors import DeadlineError, NotFoundError, ProviderError, WebquarryError
from webquarry.models.caller import Caller
from webquarry.models.page_length import MAX_LENGTH, PREVIEW_LENGTH
from webquarry.models.reading import (
    Mode,
    RawResponse,
    Reading,
    ReadMode,
    ScrapePageOut,
)
from webquarry.models.retraction import RetractionStatus
from webquarry.net.clock import Clock
from webquarry.net.url import Url, parse
from webquarry.observe.active_recorder import captured_for
from webquarry.reading.page_cache import FailureCache, PageCache, cache_key
from webquarry.reading.page_doi import find_doi
from webquarry.reading.page_output import classification_of, raw_page, scraped_page
from webquarry.reading.read_port import ChecksRobots, PlainReading
from webquarry.storage.indexed_page import IndexedPage
from webquarry.storage.page_index import PageIndex

logger = logging.getLogger(__name__)

_RAW_SECONDS = 20.0
DEFAULT_MODE = ReadMode()
_DEFAULT_VARIANT = (DEFAULT_MODE.strategy, DEFAULT_MODE.keep_html, DEFAULT_MODE.keep_source)


class ReadsUrls(Protocol):
    """Reads the content of a URL."""

    async def read(self, url: Url, seconds: float) -> Reading:
        """Return the content as Markdown."""
        ...

    async def read_raw(self, url: Url, seconds: float, max_bytes: int) -> RawResponse:
        """Return the body of the response."""
        ...


class ChecksRetractions(Protocol):
    """Knows the notices published about scholarly works."""

    async def status(self, doi: str) -> RetractionStatus | None:
        """Return the gravest notice, None when there is none; raise when it cannot be checked."""
        ...


@dataclass(frozen=True, kw_only=True)
class ReadingDependencies:
    """What the service may use besides the reader. Every part is optional."""

    retractions: ChecksRetractions | None = None
    robots: ChecksRobots | None = None
    index: PageIndex | None = None
    readers: Mapping[ReadMode, ReadsUrls] = field(default_factory=dict[ReadMode, ReadsUrls])


@dataclass(frozen=True, kw_only=True)
class ReadingLimits:
    """How many pages are read at a time, and who shares the cache."""

    concurrency: int = 5
    isolate: bool = False  # each tenant has its own cache
    # for one page; below the timeout of a tool, so that the outcome of each tier is still reported
    seconds: float = 55.0


@dataclass(frozen=True, kw_only=True)
class ReadResult:
    """A page cut to the requested length, and the reading it was made from."""

    page: ScrapePageOut
    age: float | None = None  # seconds since it was read; None: not from the cache
    reading: Reading | None = None  # None in raw mode


@dataclass(frozen=True)
class _ReadRequest:
    """A URL to read, how, and for whom."""

    url: Url
    method: ReadMode  # never fresh: how the page is read, whether or not the caches are used
    owner: Caller | None
    key: str  # of the caches
    fresh: bool = False


class ReadingService:
    """Reads pages for callers."""

    def __init__(
        self,
        reader: ReadsUrls,
        pages: PageCache,
        *,
        dependencies: ReadingDependencies | None = None,
        limits: ReadingLimits | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._reader = reader
        self._pages = pages
        self._dependencies = dependencies or ReadingDependencies()
        self._default_reader = self._dependencies.readers.get(DEFAULT_MODE, reader)
        self._limits = limits or ReadingLimits()
        self._clock = clock or Clock()
        self._failures = FailureCache(self._clock.monotonic)
        self._slots = asyncio.Semaphore(self._limits.concurrency)
        self._coalescer: Coalescer[Reading] = Coalescer()

    async def scrape(
        self,
        url: str,
        mode: Mode,
        length: int,
        caller: Caller,
        *,
        read_mode: ReadMode = DEFAULT_MODE,
    ) -> ReadResult:
        """Return a page cut to `length` bytes, from the cache if it was read within the hour."""
        target = parse(url)
        length = PREVIEW_LENGTH if mode == "preview" else min(length, MAX_LENGTH)
        if mode == "raw":
            return await self._scrape_raw(target, length, caller, fresh=read_mode.fresh)
        request = self._request(target, read_mode, caller)
        reading, age = await self._read(request, self._limits.seconds)
        if self._dependencies.index and not reading.cut_off:
            page = IndexedPage(
                url=reading.final_url,
                title=reading.metadata.title,
                text=reading.markdown,
                published=reading.metadata.published or None,
                read_at=self._clock.time(),
            )
            self._dependencies.index.add_in_background(
                page, tenant=caller.tenant, owner=caller.user
            )
        read_at = self._clock.time() - (age or 0.0)
        return ReadResult(page=scraped_page(reading, length, read_at), age=age, reading=reading)

    async def read(
        self, url: str, *, seconds: float, max_bytes: int, owner: Caller | None
    ) -> PlainReading:
        """Return a page as text. Walls in front of the page are raised, except a paywall."""
        request = self._request(parse(url), DEFAULT_MODE, owner)
        reading, _ = await self._read(request, seconds)
        cut = truncate(reading.markdown, max_bytes)
        return PlainReading(
            url=reading.final_url,
            title=reading.metadata.title,
            markdown=cut.text,
            wall=reading.wall.kind if reading.wall else "",
            truncated=cut.truncated or reading.truncated,
        )

    async def reread(self, url: str, caller: Caller) -> Reading:
        """Return a page as it is now, without the cache."""
        request = self._request(parse(url), DEFAULT_MODE, caller)
        return await self._read_coalesced(request, self._limits.seconds)

    async def close(self) -> None:
        """Finish the writes to the cache."""
        await self._pages.close()

    async def _read(self, request: _ReadRequest, seconds: float) -> tuple[Reading, float | None]:
        """Return a reading and its age; None is the age of a fresh one."""
        if not request.fresh:
            if cached := await self._pages.get(request.key, Reading):
                return cached
            self._failures.check(request.key)
        return await self._read_coalesced(request, seconds), None

    async def _read_coalesced(self, request: _ReadRequest, seconds: float) -> Reading:
        fetches: list[Coroutine[Any, Any, Reading]] = []

        def fetch(_: object) -> Coroutine[Any, Any, Reading]:
            fetches.append(self._fetch(request))
            return fetches[0]

        try:
            async with asyncio.timeout(seconds):
                reading = await self._coalescer.run(request.key, fetch)
        except TimeoutError as error:
            message = f"{request.url.href} was not read within {seconds:g} seconds."
            raise DeadlineError(message) from error
        if not fetches:  # another caller's read: the page belongs to both
            self._store(request, reading)
        return reading

    async def _fetch(self, request: _ReadRequest) -> Reading:
        """Read the page and store it in the cache."""
        async with self._slot(request.url, request.key):
            reading = await self._reader_for(request).read(request.url, self._limits.seconds)
        source = reading.classification
        if source is None:
            source = classification_of(reading)
            reading = reading.model_copy(update={"classification": source})
        if source.sourceType == "peer_reviewed" or source.domainCategory == "academic":
            reading = await self._with_doi(reading)
        self._store(request, reading)
        return reading

    def _reader_for(self, request: _ReadRequest) -> ReadsUrls:
        if request.method is DEFAULT_MODE:  # hashing a mode takes longer
            return self._default_reader
        return self._dependencies.readers.get(request.method, self._reader)

    def _store(self, request: _ReadRequest, reading: Reading) -> None:
        if not reading.cut_off:
            self._pages.put(request.key, reading, owner=request.owner)

    async def _scrape_raw(
        self, target: Url, length: int, caller: Caller, *, fresh: bool
    ) -> ReadResult:
        key = cache_key(self._scope(caller), "raw", length, *captured_for(caller), target.href)
        if not fresh:
            if cached := await self._pages.get(key, RawResponse):
                response, age = cached
                return ReadResult(page=raw_page(response, self._clock.time() - age), age=age)
            self._failures.check(key)
        async with self._slot(target, key):
            response = await self._reader.read_raw(target, _RAW_SECONDS, length)
        if not response.cut_off:
            self._pages.put(key, response, owner=caller)
        return ReadResult(page=raw_page(response, self._clock.time()))

    @asynccontextmanager
    async def _slot(self, target: Url, key: str) -> AsyncGenerator[None]:
        """Wait for one of the concurrent reads; check robots.txt; cache a failure inside."""
        async with self._slots:
            try:
                if self._dependencies.robots:
                    await self._dependencies.robots.check(target)
                yield
            except WebquarryError as error:
                self._failures.add(key, error)
                raise

    async def _with_doi(self, reading: Reading) -> Reading:
        """Return a scholarly page with its DOI and the notices about it."""
        doi = find_doi(reading)
        if not doi or self._dependencies.retractions is None:
            return reading.model_copy(update={"doi": doi})
        try:
            status = await self._dependencies.retractions.status(doi)
        except (ProviderError, NotFoundError) as error:
            # without a response the work is unchecked, not clean; the result says so
            logger.info("the retraction status of %s could not be looked up: %s", doi, error)
            return reading.model_copy(update={"doi": doi, "retraction_unchecked": True})
        return reading.model_copy(update={"doi": doi, "retraction": status})

    def _request(self, url: Url, mode: ReadMode, owner: Caller | None) -> _ReadRequest:
        method = mode.model_copy(update={"fresh": False}) if mode.fresh else mode
        variant = (method.strategy, method.keep_html, method.keep_source)
        if variant == _DEFAULT_VARIANT:
            method, variant = DEFAULT_MODE, ()
        scope = self._scope(owner) if owner else ""
        key = cache_key(scope, *variant, *captured_for(owner), url.href)
        return _ReadRequest(url, method, owner, key, mode.fresh)

    def _scope(self, caller: Caller) -> str:
        return caller.tenant if self._limits.isolate else ""
