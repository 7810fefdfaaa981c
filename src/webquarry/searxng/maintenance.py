"""Keeps the pool up to date beside the searches: checks instances, reads the catalogue, remembers.

Nothing runs on a timer: an idle server sends no requests. What is due starts with the next search
and that search does not wait for it, unless no instance is known at all.
"""

import asyncio
import logging
from collections.abc import Coroutine, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from webquarry.errors import ProviderError, RateLimitError, WebquarryError
from webquarry.searxng.catalogue import Catalogue
from webquarry.searxng.instance import GRADES, OWN, Instance, left_of
from webquarry.searxng.instance_client import InstanceClient
from webquarry.searxng.pool_state_store import PoolStateStore
from webquarry.searxng.selection import InstanceSelection

logger = logging.getLogger(__name__)

_CHECK_SECONDS = 5.0
_CHECKED = 20  # instances of one round of checks
_REVIVED = 8
_RECHECK = 2.0  # seconds until an instance that just failed is worth another look
_SAVE_EVERY = 30.0
_RETRY_CATALOGUE = 300.0


@dataclass(frozen=True)
class InstanceSources:
    """Where instances come from."""

    own: tuple[str, ...] = ()  # the operator's, by address
    catalogue: Catalogue | None = None


@dataclass
class _Times:
    """When things were last done, in seconds since 1970."""

    checked: float = 0.0
    saved: float = 0.0
    listed: float = 0.0  # when the catalogue was read
    list_tried: float = float("-inf")


class PoolMaintenance:
    """The work that searches do not wait for."""

    def __init__(
        self,
        door: InstanceClient,
        roster: InstanceSelection,
        memory: PoolStateStore,
        sources: InstanceSources,
    ) -> None:
        self._door = door
        self._roster = roster
        self._memory = memory
        self._options = door.options
        self._clock = door.clock
        self.sources = sources
        self.problem = ""  # with the catalogue
        self.times = _Times()
        self._remembered: dict[str, Instance] = {}
        self._awake = False
        self._waking = asyncio.Lock()
        self._running: dict[str, asyncio.Task[None]] = {}
        self._changed = False

    @property
    def catalogue(self) -> Catalogue | None:
        """Where public instances are listed, if anywhere."""
        return self.sources.catalogue

    async def wake(self) -> None:
        """Know the instances that are configured or remembered; nothing is sent."""
        async with self._waking:
            if not self._awake:
                await self._recall()
                self._awake = True

    async def prepare(self) -> None:
        """Know the instances, and start what is due."""
        if not self._awake:
            await self.wake()
        if not len(self._roster):
            async with self._waking:
                if not len(self._roster) and self._list_due():
                    await self._read_catalogue()
        if self._list_due():
            self._start("catalogue", self._read_catalogue())
        now = self._clock.today()
        if now - self.times.checked >= self._options.instance_health_check_interval:
            self.times.checked = now
            self._start("check", self._check(self._roster.all()[:_CHECKED]))

    async def revive(self, without: Iterable[str]) -> bool:
        """Look again at instances that failed; return whether one may be asked now."""
        now = self._clock.today()
        tried = set(without)
        worth = [
            instance
            for instance in self._roster.all()
            if instance.url not in tried
            and instance.tier < len(GRADES)
            and (instance.unreachable or instance.grade == OWN)
            and left_of(instance.paused_until, now)
            and not left_of(instance.rate_limited_until, now)
            and now - (instance.last_checked or 0.0) >= _RECHECK
        ][:_REVIVED]
        await self._check(worth)
        return any(not left_of(self._roster.get(i.url).paused_until, now) for i in worth)

    def note_change(self) -> None:
        """Remember the state of the instances soon."""
        self._changed = True
        if self._clock.today() - self.times.saved >= _SAVE_EVERY:
            self.times.saved = self._clock.today()
            self._start("save", self._save())

    async def settled(self) -> None:
        """Wait for the work that is under way."""
        while self._running:
            await asyncio.gather(*self._running.values(), return_exceptions=True)

    async def close(self) -> None:
        """Stop what is under way and remember the state."""
        running = list(self._running.values())
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        if self._changed:
            await self._save()

    async def _recall(self) -> None:
        now = self._clock.today()
        self.times.checked = self.times.saved = now
        self._remembered = {i.url: i for i in (await self._memory.state()).instances}
        for url in self.sources.own:
            self._roster.add(replace(self._remembered.get(url, Instance(url=url)), grade=OWN))
        if self.catalogue:
            kept = await self._memory.catalogue(self.catalogue.source)
            self._take(kept.instances)
            # a file is read anew at each start: that is quick, and it may have changed
            self.times.listed = kept.at if "://" in self.catalogue.source else 0.0

    def _list_due(self) -> bool:
        now = self._clock.today()
        every = self._options.catalogue_refresh_interval
        return (
            self.catalogue is not None
            and now - self.times.listed >= every
            and now - self.times.list_tried >= min(every, _RETRY_CATALOGUE)
        )

    async def _read_catalogue(self) -> None:
        if self.catalogue is None:
            return
        self.times.list_tried = self._clock.today()
        try:
            listed = await self.catalogue.load()
        except WebquarryError as error:
            self.problem = str(error)
            logger.warning("the catalogue of SearXNG instances cannot be read: %s", error)
            return
        self.problem = "" if listed else "it lists no instance of grade B or better"
        if not listed:  # rather the old list than none
            return
        self.times.listed = self._clock.today()
        self._take(listed)
        await self._memory.keep_catalogue(listed, self.catalogue.source)

    def _take(self, listed: Sequence[Instance]) -> None:
        for instance in listed:
            if instance.url in self.sources.own:
                self._roster.change(
                    instance.url, lambda i, up=instance.uptime: replace(i, uptime=up)
                )
                continue
            known = self._remembered.get(instance.url, instance)
            self._roster.add(known)
            self._roster.change(instance.url, lambda i, new=instance: i.known_as(new))
        self._roster.keep_only([*self.sources.own, *(instance.url for instance in listed)])

    async def _check(self, instances: Sequence[Instance]) -> None:
        """Look at all of them at the same time."""
        await asyncio.gather(*(self._check_one(instance) for instance in instances))
        if instances:
            self.note_change()

    async def _check_one(self, instance: Instance) -> None:
        if left_of(instance.rate_limited_until, self._clock.today()):
            return
        base = self._options.rate_limit_backoff_base
        try:
            await self._door.check(instance, _CHECK_SECONDS)
        except RateLimitError as error:
            now, wait = self._clock.today(), error.retry_after
            self._roster.change(instance.url, lambda i: i.limited(now, wait, base))
        except ProviderError as error:
            now, why = self._clock.today(), str(error)
            self._roster.change(instance.url, lambda i: i.failed(now, why, base, unreachable=True))
        else:
            now = self._clock.today()
            # one that answers, but not with results, is not healed by answering
            if instance.unreachable or instance.grade == OWN or not instance.paused_until:
                self._roster.change(instance.url, lambda i: i.reached(now))

    async def _save(self) -> None:
        self._changed = False
        await self._memory.keep_state(self._roster.all())

    def _start(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        """Do it in the background, unless it is being done."""
        if name in self._running:
            work.close()
            return
        task = asyncio.create_task(work)
        self._running[name] = task
        task.add_done_callback(lambda done: self._ended(name, done))

    def _ended(self, name: str, task: "asyncio.Task[None]") -> None:
        del self._running[name]
        if not task.cancelled() and (error := task.exception()):
            logger.error("the upkeep of the SearXNG pool failed (%s)", name, exc_info=error)
