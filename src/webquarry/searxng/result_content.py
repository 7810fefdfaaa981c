"""Reads the pages of results concurrently; each may fail without the others."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import anyio

from webquarry.errors import BlockedError, WebquarryError
from webquarry.models.caller import Caller
from webquarry.net.clock import Clock
from webquarry.net.url import parse
from webquarry.reading.read_port import ChecksRobots, PlainReading, ReadsPages
from webquarry.searxng.content_quality import find_content_flaw
from webquarry.searxng.summaries import summarize, without_code, word_count
from webquarry.settings.groups.web_search import WebSearchSettings

ProgressCallback = Callable[[int, int], Awaitable[None]]
_FLAWS = {
    "empty": "the page has no readable text",
    "paywall": "the page is behind a paywall",
    "login": "the page requires a login",
    "captcha": "the page shows a CAPTCHA",
    "spam": "the page has only repetitions or links",
}
_DISALLOWED = "robots.txt disallows the page (WEB_SEARCH_RESPECT_ROBOTS)"


@dataclass(frozen=True, kw_only=True)
class ResultContent:
    """The text of one page, or why there is none."""

    markdown: str = ""
    word_count: int = 0
    summary: str | None = None
    truncated: bool = False  # the page is longer than `max_content_size`
    milliseconds: int = 0
    error: str = ""


class ResultContentReader:
    """Reads result pages within the limits of the settings."""

    def __init__(
        self,
        reading: ReadsPages,
        options: WebSearchSettings,
        clock: Clock | None = None,
        *,
        robots: ChecksRobots | None = None,
    ) -> None:
        """Read with `reading`; `robots` is asked before each page, None: all pages are read."""
        self._reading = reading
        self._robots = robots
        self._options = options
        self._clock = clock or Clock()

    async def read(
        self,
        urls: Sequence[str],
        query: str,
        *,
        budget: float,
        on_progress: ProgressCallback,
        owner: Caller | None,
    ) -> tuple[list[ResultContent], int]:
        """Return the content of each page in order, and the milliseconds it took.

        Pages that are not read after `budget` seconds fail.
        """
        started = self._clock.monotonic()
        slots = anyio.CapacityLimiter(self._options.max_concurrent_fetches)
        done = 0

        async def read_one(url: str) -> ResultContent:
            nonlocal done
            async with slots:
                content = await self._read_one(url, query, started + budget, owner)
            done += 1
            await on_progress(done, len(urls))
            return content

        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(read_one(url)) for url in urls]
        return [task.result() for task in tasks], self._milliseconds_since(started)

    async def _read_one(
        self, url: str, query: str, deadline: float, owner: Caller | None
    ) -> ResultContent:
        started = self._clock.monotonic()
        seconds = min(self._options.content_fetch_timeout, deadline - started)
        if seconds <= 0:
            return ResultContent(error="no time was left to read the page")
        try:
            async with asyncio.timeout(seconds):
                if not await self._is_allowed(url):
                    return self._failed(started, _DISALLOWED)
                page = await self._reading.read(
                    url,
                    seconds=seconds,
                    max_bytes=self._options.max_content_size,
                    owner=owner,
                )
        except TimeoutError:
            return self._failed(started, f"the page was not read within {seconds:.0f} seconds")
        except WebquarryError as error:
            return self._failed(started, str(error))
        return self._content_of(page, query, started)

    async def _is_allowed(self, url: str) -> bool:
        """Tell whether robots.txt allows the page: nobody asked for this very page."""
        if self._robots is None:
            return True
        try:
            await self._robots.check(parse(url))
        except BlockedError:
            return False
        return True

    def _content_of(self, page: PlainReading, query: str, started: float) -> ResultContent:
        if flaw := page.wall or find_content_flaw(page.markdown):
            return self._failed(started, _FLAWS.get(flaw, f"the page shows a {flaw} wall"))
        options = self._options
        text = page.markdown if options.extract_code_blocks else without_code(page.markdown)
        short = summarize(text, query, options.max_summary_length)
        return ResultContent(
            markdown=text,
            word_count=word_count(text),
            summary=short if options.summarize_long_content else None,
            truncated=page.truncated,
            milliseconds=self._milliseconds_since(started),
        )

    def _failed(self, started: float, error: str) -> ResultContent:
        return ResultContent(error=error, milliseconds=self._milliseconds_since(started))

    def _milliseconds_since(self, started: float) -> int:
        return round(1000 * (self._clock.monotonic() - started))
