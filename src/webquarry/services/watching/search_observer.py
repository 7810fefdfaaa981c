"""Watches a search: results that it did not have before."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from webquarry.models.changes import EntriesVersion, WatchedEntry
from webquarry.models.monitor import Monitor
from webquarry.models.search import WebQuery
from webquarry.net.url import Url, parse
from webquarry.services.searching.service import SearchService
from webquarry.services.watching.known_entries import with_earlier
from webquarry.services.watching.observing import EarlierVersion, Observation, owner_of

_COUNT = 20


@dataclass(frozen=True, kw_only=True)
class SearchObserver:
    """Searches as `web_search` does."""

    searching: Callable[[], SearchService]
    clock: Callable[[], float] = time.time

    async def observe(self, monitor: Monitor, earlier: EarlierVersion) -> Observation:
        """Return the results, with those of earlier checks."""
        text = monitor.definition.target.target
        query = WebQuery(text=text, count=_COUNT, asker=owner_of(monitor))
        found = await self.searching().web.search(query)
        entries = [
            WatchedEntry(key=_key(item.url), title=item.title, url=item.url) for item in found.items
        ]
        known = await earlier.entries()
        version = EntriesVersion(
            entries=with_earlier(entries, known), rolling=True, at=self.clock()
        )
        return Observation(version=version)


def _key(url: str) -> str:
    """Return the URL without what does not select the page."""
    parsed: Url = parse(url)
    return parsed.href.partition("#")[0].removesuffix("/")
