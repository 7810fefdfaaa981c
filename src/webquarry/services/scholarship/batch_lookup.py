"""Looks up many references at the same time: their DOIs share requests."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from types import TracebackType
from typing import Any, Self

from webquarry.content.citations.identifiers import doi_key
from webquarry.models.retraction import RetractionStatus
from webquarry.models.works import Lookup, Work
from webquarry.providers.capabilities_works import KnowsNotices, LooksUpManyWorks
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.services.scholarship.lookup import DirectLookup, doi_lookup, query

_GATHER_SECONDS = 0.02  # for the queries of one request
_NOTICE_BATCH = 100
_CONCURRENT = 6  # requests to one registry; the others wait without a time limit
_SLOW = {"semanticscholar": 2}  # allows one request a second
# titles a second that a registry allows, relative to the others
_TITLE_SHARE = {"openalex": 2}
Fetch = Callable[[Sequence[str]], Awaitable[Mapping[str, Any] | Lookup]]


class BatchLookup(DirectLookup):
    """Collects the DOIs that are queried at the same time, and asks for them together."""

    def __init__(self, choices: ProviderDirectory) -> None:
        super().__init__(choices)
        self._many = choices.of(LooksUpManyWorks).ready
        self._collectors: dict[str, _Collector] = {}
        self._slots: defaultdict[str, asyncio.Semaphore] = defaultdict(
            lambda: asyncio.Semaphore(_CONCURRENT),
            {name: asyncio.Semaphore(count) for name, count in _SLOW.items()},
        )
        self._titles: Counter[str] = Counter()  # for which a registry was the first

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        for collector in self._collectors.values():
            await collector.close()

    def title_registries(self) -> Sequence[Sequence[str]]:
        """Return the registries one after the other; each is the first for its share of titles."""
        first, *rest = super().title_registries() or [[]]
        queue = sorted(first, key=lambda name: self._titles[name] / _TITLE_SHARE.get(name, 1))
        self._titles.update(queue[:1])
        return [[name] for name in (*queue, *(name for group in rest for name in group))]

    async def doi(self, name: str, doi: str) -> Lookup:
        if name not in self._many:
            async with self._slots[name]:
                return await super().doi(name, doi)
        found = await self._collector(name).get(doi)
        return found if isinstance(found, Lookup) else doi_lookup(name, doi, found)

    async def title(self, name: str, title: str) -> tuple[Work, ...] | Lookup:
        async with self._slots[name]:
            return await super().title(name, title)

    async def registration(self, doi: str) -> Lookup:
        async with self._slots["registration"]:
            return await super().registration(doi)

    async def notice(self, doi: str) -> tuple[RetractionStatus | None, tuple[str, ...]]:
        notes: list[str] = []
        for name in self._choices.of(KnowsNotices).ready:
            found = await self._notices(name).get(doi)
            if not isinstance(found, Lookup) and found is not None:
                return found[0], tuple(notes)
            reason = f" ({found.reason})" if found else ""
            notes.append(f"{name}: retractions could not be checked{reason}")
        return None, tuple(notes)

    def _collector(self, name: str) -> "_Collector":
        if name not in self._collectors:
            provider = self._many[name]

            async def fetch(dois: Sequence[str]) -> Mapping[str, Any] | Lookup:
                async with self._slots[name]:
                    return await query(name, lambda: provider.works_by_dois(dois))

            self._collectors[name] = _Collector(fetch, provider.batch_size)
        return self._collectors[name]

    def _notices(self, name: str) -> "_Collector":
        key = f"{name} notices"
        if key not in self._collectors:
            provider = self._choices.of(KnowsNotices).ready[name]

            async def fetch(dois: Sequence[str]) -> Mapping[str, Any] | Lookup:
                found = await query(name, lambda: provider.notices(dois))
                if isinstance(found, Lookup):
                    return found
                # in a tuple: no notice is not the same as not checked
                return {doi: (notice,) for doi, notice in found.items()}

            self._collectors[key] = _Collector(fetch, _NOTICE_BATCH)
        return self._collectors[key]


class _Collector:
    """Collects keys for a moment, then fetches them together."""

    def __init__(self, fetch: Fetch, size: int) -> None:
        self._fetch = fetch
        self._size = size
        self._queue: dict[str, str] = {}
        self._results: dict[str, asyncio.Future[Any]] = {}
        self._tasks: set[asyncio.Future[Any]] = set()

    async def get(self, doi: str) -> Any:
        """Return the value of a DOI, None if there is none, a `Lookup` if the request failed."""
        key = doi_key(doi)
        if key not in self._results:
            if not self._queue:
                self._start(self._collect())
            self._queue[key] = doi
            self._results[key] = asyncio.get_running_loop().create_future()
        # the result is for all who wait, so one of them cannot cancel it
        return await asyncio.shield(self._results[key])

    async def close(self) -> None:
        """Cancel what is under way."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for future in self._results.values():
            future.cancel()

    async def _collect(self) -> None:
        await asyncio.sleep(_GATHER_SECONDS)
        dois, self._queue = list(self._queue.values()), {}
        for at in range(0, len(dois), self._size):
            batch = dois[at : at + self._size]
            task = self._start(self._fetch(batch))
            task.add_done_callback(partial(self._settle, batch))

    def _settle(self, dois: Sequence[str], task: "asyncio.Future[Any]") -> None:
        """Pass the result of a request, or its error, to all who wait for it."""
        for key in map(doi_key, dois):
            future = self._results[key]
            if task.cancelled():
                future.cancel()
            elif error := task.exception():
                future.set_exception(error)
            else:
                found = task.result()
                future.set_result(found if isinstance(found, Lookup) else found.get(key))

    def _start(self, work: Awaitable[Any]) -> "asyncio.Future[Any]":
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
