"""Background work of the pool: health checks, reading the catalogue, storing the state.

Nothing runs on a timer: an idle server sends no requests. Due work starts with the next search,
which does not wait for it unless no instance is known at all.
"""

import asyncio
import logging
from collections.abc import Coroutine, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from webquarry.errors import ProviderError, RateLimitError, WebquarryError
from webquarry.searxng.catalogue import Catalogue
from webquarry.searxng.instance import GRADES, OWN, Instance, seconds_until
from webquarry.searxng.instance_client import InstanceClient
from webquarry.searxng.pool_state_store import PoolStateStore
from webquarry.searxng.selection import InstanceSelection

logger = logging.getLogger(__name__)

_CHECK_SECONDS = 5.0
_MAX_CHECKED = 20  # instances in one round of health checks
_MAX_RECHECKED = 8
_RECHECK_AFTER = 2.0  # seconds since the last check of an instance that failed
_SAVE_INTERVAL = 30.0
_CATALOGUE_RETRY_INTERVAL = 300.0
_CATALOGUE_PATIENCE = 5.0  # seconds before a search uses the built-in list instead


@dataclass(frozen=True)
class InstanceSources:
    """Where instances come from."""

    own: tuple[str, ...] = ()  # URLs that the operator configured
    catalogue: Catalogue | None = None


@dataclass
class _Times:
    """When each kind of work was last done, in seconds since 1970."""

    checked: float = 0.0
    saved: float = 0.0
    catalogue_read: float = 0.0
    catalogue_tried: float = float("-inf")


class PoolMaintenance:
    """Keeps the instances of the pool up to date."""

    def __init__(
        self,
        client: InstanceClient,
        instances: InstanceSelection,
        state_store: PoolStateStore,
        sources: InstanceSources,
    ) -> None:
        self._client = client
        self._instances = instances
        self._state_store = state_store
        self._options = client.options
        self._clock = client.clock
        self.sources = sources
        self.catalogue_error = ""
        self.uses_fallback = False  # public instances come from the built-in list
        self.times = _Times()
        self._stored: dict[str, Instance] = {}  # as of the last run
        self._loaded = False
        self._loading = asyncio.Lock()
        self._running: dict[str, asyncio.Task[None]] = {}
        self._changed = False

    async def load_state(self) -> None:
        """Load the configured and the stored instances; sends no request."""
        async with self._loading:
            if not self._loaded:
                await self._load()
                self._loaded = True

    async def prepare(self) -> None:
        """Load the instances, and start the work that is due."""
        if not self._loaded:
            await self.load_state()
        if (catalogue := self.sources.catalogue) is not None:
            await self._prepare_catalogue(catalogue)
        now = self._clock.time()
        if now - self.times.checked >= self._options.instance_health_check_interval:
            self.times.checked = now
            self._start("check", self._check(self._instances.ranked()[:_MAX_CHECKED]))

    @property
    def fallback_notice(self) -> str:
        """What a result says if it comes from the built-in list."""
        source = self.sources.catalogue.source if self.sources.catalogue else ""
        return f"The list of public instances ({source}) cannot be read; a built-in list was used."

    async def recheck_failed(self, tried: Iterable[str]) -> bool:
        """Check instances that failed once more; return whether one is available now."""
        now = self._clock.time()
        excluded = set(tried)
        failed = [
            instance
            for instance in self._instances.ranked()
            if instance.url not in excluded
            and instance.preference < len(GRADES)
            and (instance.unreachable or instance.grade == OWN)
            and seconds_until(instance.paused_until, now)
            and not seconds_until(instance.rate_limited_until, now)
            and now - (instance.last_checked or 0.0) >= _RECHECK_AFTER
        ][:_MAX_RECHECKED]
        await self._check(failed)
        checked = [self._instances.by_url[instance.url] for instance in failed]
        return any(not seconds_until(instance.paused_until, now) for instance in checked)

    def note_change(self) -> None:
        """Store the state of the instances, unless that was done moments ago."""
        self._changed = True
        if self._clock.time() - self.times.saved >= _SAVE_INTERVAL:
            self.times.saved = self._clock.time()
            self._start("save", self._save())

    async def wait_idle(self) -> None:
        """Wait for the work in progress."""
        while self._running:
            await asyncio.gather(*self._running.values(), return_exceptions=True)

    async def close(self) -> None:
        """Cancel the work in progress and store the state."""
        running = list(self._running.values())
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        if self._changed:
            await self._save()

    async def _load(self) -> None:
        now = self._clock.time()
        self.times.checked = self.times.saved = now
        self._stored = {i.url: i for i in (await self._state_store.load_instances()).instances}
        for url in self.sources.own:
            self._instances.add(replace(self._stored.get(url, Instance(url=url)), grade=OWN))
        if catalogue := self.sources.catalogue:
            stored = await self._state_store.load_catalogue(catalogue.source)
            self._apply_catalogue(stored.instances)
            # a file is read again at each start: that is fast, and it may have changed
            self.times.catalogue_read = stored.stored_at if "://" in catalogue.source else 0.0

    async def _prepare_catalogue(self, catalogue: Catalogue) -> None:
        """Read the list if that is due; wait for it only while no instance is known."""
        if self._is_catalogue_due():
            self._start("catalogue", self._read_catalogue(catalogue))
        reading = self._running.get("catalogue")
        if reading is None or self._instances.by_url:
            return
        await asyncio.wait({reading}, timeout=_CATALOGUE_PATIENCE if catalogue.fallback else None)
        if not reading.done():
            self._use_fallback(catalogue)

    def _use_fallback(self, catalogue: Catalogue) -> None:
        """Add the built-in instances, unless the list was read at some time."""
        if self.uses_fallback or any(i.grade != OWN for i in self._instances.by_url.values()):
            return
        for instance in catalogue.fallback:
            self._instances.add(self._stored.get(instance.url, instance))
            self.uses_fallback = True

    def _is_catalogue_due(self) -> bool:
        now = self._clock.time()
        interval = self._options.catalogue_refresh_interval
        return now - self.times.catalogue_read >= interval and (
            now - self.times.catalogue_tried >= min(interval, _CATALOGUE_RETRY_INTERVAL)
        )

    async def _read_catalogue(self, catalogue: Catalogue) -> None:
        self.times.catalogue_tried = self._clock.time()
        try:
            listed = await catalogue.load()
        except WebquarryError as error:
            self.catalogue_error = str(error)
            logger.warning("cannot read the catalogue of SearXNG instances: %s", error)
            self._use_fallback(catalogue)
            return
        self.catalogue_error = "" if listed else "it lists no instance of grade B or better"
        if not listed:  # the old list is better than none
            self._use_fallback(catalogue)
            return
        self.uses_fallback = False
        self.times.catalogue_read = self._clock.time()
        self._apply_catalogue(listed)
        await self._state_store.save_catalogue(listed, catalogue.source)

    def _apply_catalogue(self, listed: Sequence[Instance]) -> None:
        for instance in listed:
            if instance.url in self.sources.own:
                self._instances.update(
                    instance.url, lambda i, up=instance.uptime: replace(i, uptime=up)
                )
                continue
            self._instances.add(self._stored.get(instance.url, instance))
            self._instances.update(instance.url, lambda i, new=instance: i.with_catalogue_data(new))
        self._instances.retain([*self.sources.own, *(instance.url for instance in listed)])

    async def _check(self, instances: Sequence[Instance]) -> None:
        """Run the health checks concurrently."""
        await asyncio.gather(*(self._check_one(instance) for instance in instances))
        if instances:
            self.note_change()

    async def _check_one(self, instance: Instance) -> None:
        if seconds_until(instance.rate_limited_until, self._clock.time()):
            return
        base = self._options.rate_limit_backoff_base
        try:
            await self._client.check(instance, _CHECK_SECONDS)
        except RateLimitError as error:
            now, wait = self._clock.time(), error.retry_after
            self._instances.update(instance.url, lambda i: i.after_rate_limit(now, wait, base))
        except ProviderError as error:
            now, message = self._clock.time(), str(error)
            self._instances.update(
                instance.url, lambda i: i.after_failure(now, message, base, unreachable=True)
            )
        else:
            now = self._clock.time()
            # a health check does not clear a pause after wrong results
            if instance.unreachable or instance.grade == OWN or not instance.paused_until:
                self._instances.update(instance.url, lambda i: i.after_health_check(now))

    async def _save(self) -> None:
        self._changed = False
        await self._state_store.save_instances(self._instances.ranked())

    def _start(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        """Run it in the background, unless work of that name is running."""
        if name in self._running:
            work.close()
            return
        task = asyncio.create_task(work)
        self._running[name] = task
        task.add_done_callback(lambda done: self._ended(name, done))

    def _ended(self, name: str, task: "asyncio.Task[None]") -> None:
        del self._running[name]
        if not task.cancelled() and (error := task.exception()):
            logger.error("maintenance of the SearXNG pool failed (%s)", name, exc_info=error)
