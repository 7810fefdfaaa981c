"""Reads pages only if they have changed: past the caches, as monitors need it."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from webquarry.errors import DeadlineError
from webquarry.models.reading import ConditionalReading, PageValidators, ReadMode
from webquarry.net.url import Url, parse
from webquarry.reading.read_port import ChecksRobots


class ReadsIfChanged(Protocol):
    """Reads the content of a URL unless it is as it was."""

    async def read_if_changed(
        self, url: Url, seconds: float, known: PageValidators
    ) -> ConditionalReading:
        """Return the content as Markdown, or that it has not changed."""
        ...


@dataclass
class ConditionalReader:
    """Reads pages with conditional requests where their server knows them."""

    reader_for: Callable[[ReadMode], ReadsIfChanged]
    robots: ChecksRobots | None = None
    seconds: float = 55.0  # for one page
    _readers: dict[ReadMode, ReadsIfChanged] = field(default_factory=dict[ReadMode, ReadsIfChanged])

    async def read(self, url: str, known: PageValidators, mode: ReadMode) -> ConditionalReading:
        """Return a page as it is now, unless it is as it was when `known` was received."""
        target = parse(url)
        if self.robots:
            await self.robots.check(target)
        if mode not in self._readers:
            self._readers[mode] = self.reader_for(mode)
        try:
            async with asyncio.timeout(self.seconds):
                return await self._readers[mode].read_if_changed(target, self.seconds, known)
        except TimeoutError as error:
            message = f"{target.href} was not read within {self.seconds:g} seconds."
            raise DeadlineError(message) from error
