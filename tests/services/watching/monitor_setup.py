"""Monitors for tests: a hand-driven clock, a store with named processes, observers that obey."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from webquarry.crawl.store.crawl_store import CrawlStore
from webquarry.crawl.store.encryption import CrawlCipher
from webquarry.crawl.webhook_delivery import WebhookDeliveries
from webquarry.errors import WebquarryError
from webquarry.models.changes import PageVersion, Version
from webquarry.models.monitor import (
    Monitor,
    MonitorDefinition,
    MonitorNotify,
    MonitorSchedule,
    MonitorTarget,
)
from webquarry.models.reading import PageValidators
from webquarry.models.webhook import WebhookTarget
from webquarry.net.clock import Clock
from webquarry.parsing.parsers import Parsers
from webquarry.services.watching.check_runs import CheckRunner
from webquarry.services.watching.comparing import VersionComparer
from webquarry.services.watching.observing import EarlierVersion, Observation, Observes
from webquarry.services.watching.scheduler import MonitorEngine, MonitorScheduler
from webquarry.services.watching.store.monitor_claims import MonitorClaims
from webquarry.services.watching.store.monitor_commits import MonitorCommits
from webquarry.services.watching.store.monitor_deliveries import (
    MonitorDelivery,
    MonitorDeliveryStore,
)
from webquarry.services.watching.store.monitor_store import MonitorStore
from webquarry.services.watching.store.monitor_values import NewMonitor
from webquarry.storage.cipher import Keyring

CIPHER = CrawlCipher(Keyring(b"k" * 32))
START = 1_700_000_000.0
HOUR, DAY = 3600.0, 86_400.0
HOOK = WebhookTarget(url="https://hooks.test/changes")


@dataclass
class HandClock:
    """A clock that moves only when the test moves it."""

    now: float = START

    def __call__(self) -> float:
        return self.now

    @property
    def clock(self) -> Clock:
        return Clock(monotonic=self, time=self, random=lambda: 0.5)


class NamedProcess:
    """A connection factory that claims to be another process, on the clock of the test."""

    def __init__(self, factory: Any, name: str, clock: HandClock, dead: set[str]) -> None:
        self._factory = factory
        self.process_name = name
        self._clock = clock
        self._dead = dead

    def __getattr__(self, name: str) -> Any:
        return getattr(self._factory, name)

    def connect(self) -> Any:
        connection = self._factory.connect()
        connection.time = self._clock
        return connection

    def is_dead(self, process: str) -> bool:
        return process in self._dead


def named_store(
    open_store: Callable[[], CrawlStore], name: str, clock: HandClock, dead: set[str]
) -> CrawlStore:
    """Return a store as another process would open it."""
    factory: Any = NamedProcess(open_store().factory, name, clock, dead)
    return CrawlStore(factory, CIPHER)


@dataclass
class ScriptedObserver:
    """Returns the text that the test sets; notes each check."""

    text: Callable[[Monitor], str | WebquarryError | None] = lambda monitor: "The same text."
    seen: list[tuple[str, float]] = field(default_factory=list[tuple[str, float]])
    clock: HandClock = field(default_factory=HandClock)

    async def observe(self, monitor: Monitor, earlier: EarlierVersion) -> Observation:
        self.seen.append((monitor.id, monitor.slot))
        text = self.text(monitor)
        await asyncio.sleep(0)
        if isinstance(text, WebquarryError):
            raise text
        if text is None:
            return Observation(version=None, validators=monitor.progress.validators)
        version: Version = PageVersion(
            url="https://shop.test/", title="Shop", markdown=text, at=self.clock.now
        )
        return Observation(version=version, validators=PageValidators(etag=f'"{text}"'))


@dataclass
class Outgoing:
    """Takes notifications instead of sending them; `problem` refuses them."""

    sent: list[MonitorDelivery] = field(default_factory=list[MonitorDelivery])
    problem: str = ""

    async def send(self, delivery: MonitorDelivery) -> str:
        if not self.problem:
            self.sent.append(delivery)
        return self.problem


@dataclass
class Watch:
    """A scheduler with everything it works with."""

    store: CrawlStore
    engine: MonitorEngine
    scheduler: MonitorScheduler
    outgoing: Outgoing

    async def add(self, *changes: dict[str, Any], host: bytes = b"") -> list[Monitor]:
        """Store monitors and return them."""
        monitors = [new_monitor(number, **each) for number, each in enumerate(changes)]
        for each in monitors:
            await self.engine.store.create(NewMonitor(monitor=each, host=host), limit=10_000)
        return monitors

    async def get(self, monitor: Monitor) -> Monitor:
        found = await self.engine.store.get(monitor.id)
        assert found is not None
        return found

    async def send(self) -> list[MonitorDelivery]:
        """Send what is due; return what was accepted."""
        before = len(self.outgoing.sent)
        while await self.engine.deliveries.send_due():
            pass
        return self.outgoing.sent[before:]


def new_watch(
    store: CrawlStore,
    clock: HandClock,
    observer: Observes,
    *,
    delay: float = 0.0,
    at_once: int = 8,
) -> Watch:
    """Return a scheduler on a store."""
    monitors, outgoing = MonitorStore(store), Outgoing()
    commits = MonitorCommits(store, kept_versions=5)
    engine = MonitorEngine(
        store=monitors,
        claims=MonitorClaims(store, delay),
        commits=commits,
        runner=CheckRunner(
            store=monitors,
            commits=commits,
            observers=lambda: {"page": observer},
            comparer=lambda: VersionComparer(Parsers()),
            clock=clock.clock,
        ),
        deliveries=WebhookDeliveries(MonitorDeliveryStore(store), outgoing, retry_for=12 * HOUR),
        retention=30 * DAY,
        at_once=at_once,
        clock=clock.clock,
    )
    return Watch(store, engine, MonitorScheduler(engine), outgoing)


def sqlite_watch(directory: Path, clock: HandClock, observer: Observes, **options: Any) -> Watch:
    """Return a scheduler on a SQLite file."""
    from webquarry.crawl.store.sqlite import open_sqlite

    store = open_sqlite(directory / "crawls.sqlite3", CIPHER, clock)
    return new_watch(store, clock, observer, **options)


def new_monitor(number: int = 0, **changes: Any) -> Monitor:
    """Return a monitor of a page that is due at `START`."""
    definition = MonitorDefinition(
        name=f"Page {number}",
        target=MonitorTarget(target="https://shop.test/", conditions=changes.pop("conditions", ())),
        schedule=MonitorSchedule.model_validate({"every": changes.pop("every", "1d")}),
        notify=MonitorNotify(webhooks=(HOOK,), digest=changes.pop("digest", None)),
    )
    values = {
        "id": f"monitor-{number:04}",
        "tenant": "acme",
        "user": "alice",
        "state": "active",
        "definition": definition,
        "created": START,
        "slot": START,
        "due": START,
    }
    return Monitor.model_validate(values | changes)
