"""Reads the pages of results side by side; each may fail without the others."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import anyio

from webquarry.errors import WebquarryError
from webquarry.net.clock import Clock
from webquarry.reading.read_port import PlainReading, ReadsPages
from webquarry.searxng.content_quality import flaw_of
from webquarry.searxng.summaries import summary, without_code, word_count
from webquarry.settings.groups.web_search import WebSearchSettings

Told = Callable[[int, int], Awaitable[None]]
_FLAWS = {
    "empty": "nothing readable was on the page",
    "paywall": "the page is behind a paywall",
    "login": "the page wants a login",
    "captcha": "the page wants to see a human",
    "spam": "the page holds only repetitions or links",
}


@dataclass(frozen=True, kw_only=True)
class ResultContent:
    """What was read from one page, or why nothing was."""

    markdown: str = ""
    words: int = 0
    summary: str | None = None
    truncated: bool = False  # there was more than is read of one page
    milliseconds: int = 0
    problem: str = ""


class ResultContentReader:
    """Reads result pages within the bounds of the settings."""

    def __init__(
        self, reading: ReadsPages, options: WebSearchSettings, clock: Clock | None = None
    ) -> None:
        self._reading = reading
        self._options = options
        self._clock = clock or Clock()

    async def read(
        self, urls: Sequence[str], query: str, *, budget: float, told: Told
    ) -> tuple[list[ResultContent], int]:
        """Return the content of each page in order, and the milliseconds it took.

        Pages that are not read after `budget` seconds fail.
        """
        began = self._clock.now()
        slots = anyio.CapacityLimiter(self._options.max_concurrent_fetches)
        done = 0

        async def one(url: str) -> ResultContent:
            nonlocal done
            async with slots:
                content = await self._one(url, query, began + budget)
            done += 1
            await told(done, len(urls))
            return content

        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(url)) for url in urls]
        return [task.result() for task in tasks], self._since(began)

    async def _one(self, url: str, query: str, ends: float) -> ResultContent:
        began = self._clock.now()
        seconds = min(self._options.content_fetch_timeout, ends - began)
        if seconds <= 0:
            return ResultContent(problem="there was no time left to read the page")
        try:
            async with asyncio.timeout(seconds):
                page = await self._reading.read(
                    url, seconds=seconds, max_bytes=self._options.max_content_size
                )
        except TimeoutError:
            return self._failed(began, f"the page was not read within {seconds:.0f} seconds")
        except WebquarryError as error:
            return self._failed(began, str(error))
        return self._judged(page, query, began)

    def _judged(self, page: PlainReading, query: str, began: float) -> ResultContent:
        if flaw := page.wall or flaw_of(page.markdown):
            return self._failed(began, _FLAWS.get(flaw, f"in front of the page stands: {flaw}"))
        options = self._options
        text = page.markdown if options.extract_code_blocks else without_code(page.markdown)
        short = summary(text, query, options.max_summary_length)
        return ResultContent(
            markdown=text,
            words=word_count(text),
            summary=short if options.summarize_long_content else None,
            truncated=page.truncated,
            milliseconds=self._since(began),
        )

    def _failed(self, began: float, problem: str) -> ResultContent:
        return ResultContent(problem=problem, milliseconds=self._since(began))

    def _since(self, began: float) -> int:
        return round(1000 * (self._clock.now() - began))
