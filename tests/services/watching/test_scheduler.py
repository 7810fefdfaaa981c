"""The contract of monitors in SQLite and in Postgres: claims, leases, commits, notifications."""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.postgres_server import postgres_url
from tests.services.watching.monitor_setup import (
    CIPHER,
    DAY,
    HOUR,
    START,
    HandClock,
    ScriptedObserver,
    Watch,
    named_store,
    new_watch,
)
from webquarry.crawl.store.crawl_store import CrawlStore
from webquarry.crawl.store.crawl_values import FencedError
from webquarry.errors import NetworkError, RateLimitError
from webquarry.models.changes import NoiseProfile
from webquarry.models.monitor import Monitor
from webquarry.services.watching.store.monitor_values import LEASE_SECONDS

__all__ = ["postgres_url"]

pytestmark = pytest.mark.anyio

Open = Callable[..., Watch]


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def dead() -> set[str]:
    return set()


@pytest.fixture(params=["sqlite", "postgres"])
async def open_watch(
    request: pytest.FixtureRequest, tmp_path: Path, clock: HandClock, dead: set[str]
) -> AsyncGenerator[Open]:
    """Opens schedulers on one database, each as a process of its own."""
    opened: list[Watch] = []
    url: Any = request.getfixturevalue("postgres_url") if request.param == "postgres" else ""

    def store() -> CrawlStore:
        if url:
            from webquarry.crawl.store.postgres import open_postgres

            return open_postgres(url, CIPHER)
        from webquarry.crawl.store.sqlite import open_sqlite

        return open_sqlite(tmp_path / "crawls.sqlite3", CIPHER)

    def watch(name: str, observer: ScriptedObserver, **options: Any) -> Watch:
        watch = new_watch(named_store(store, name, clock, dead), clock, observer, **options)
        opened.append(watch)
        return watch

    yield watch
    for each in opened[:1]:
        await each.engine.store.erase(tenant="acme", user="alice")
    for each in opened:
        await each.store.close()


def rising_price() -> Callable[[Monitor], str]:
    """Return a page whose price is another one at each check: prices are never noise."""
    prices = count(10)
    return lambda monitor: f"# Kettle\n\nPrice: EUR {next(prices)}.00"


async def test_the_first_check_stores_a_version_and_tells_nobody(open_watch: Open) -> None:
    watch = open_watch("a", ScriptedObserver())
    (monitor,) = await watch.add({"every": "6h"})

    following = await watch.scheduler.work_due()

    found = await watch.get(monitor)
    assert (found.runs, found.versions, found.changes) == (1, 1, 0)
    assert found.progress.last_outcome == "first"
    assert following == found.due == START + 6 * HOUR
    assert await watch.send() == []


async def test_a_change_is_stored_and_told_once_with_before_and_after(
    open_watch: Open, clock: HandClock
) -> None:
    observer = ScriptedObserver(clock=clock)
    watch = open_watch("a", observer)
    (monitor,) = await watch.add({"every": "6h"})
    texts = iter(["# Kettle\n\nPrice: EUR 12.00", "# Kettle\n\nPrice: EUR 9.00"])
    observer.text = lambda monitor: next(texts)
    await watch.scheduler.work_due()
    clock.now += 6 * HOUR

    await watch.scheduler.work_due()
    sent = await watch.send()

    (change,) = await watch.engine.store.changes(monitor.id)
    (passage,) = change.changes
    assert passage.before is not None
    assert passage.after is not None
    assert (passage.kind, passage.before.quote, passage.after.quote) == (
        "price", "Price: EUR 12.00", "Price: EUR 9.00",
    )  # fmt: skip
    assert len(sent) == 1
    body = json.loads(sent[0].payload)["body"]
    assert (body["event"], body["changes"][0]["summary"]) == (
        "changed",
        "Kettle: “Price: EUR 12.00” → “Price: EUR 9.00”",
    )
    clock.now += 60
    assert await watch.send() == []


async def test_a_response_that_says_not_modified_is_no_change(
    open_watch: Open, clock: HandClock
) -> None:
    observer = ScriptedObserver()
    watch = open_watch("a", observer)
    (monitor,) = await watch.add({"every": "1h"})
    await watch.scheduler.work_due()
    observer.text = lambda monitor: None
    clock.now += HOUR

    await watch.scheduler.work_due()

    found = await watch.get(monitor)
    assert (found.runs, found.versions, found.progress.last_outcome) == (2, 1, "unchanged")


async def test_failures_are_no_changes_and_are_told_once_like_their_end(
    open_watch: Open, clock: HandClock
) -> None:
    observer = ScriptedObserver()
    watch = open_watch("a", observer)
    (monitor,) = await watch.add({"every": "1h"})
    await watch.scheduler.work_due()
    observer.text = lambda monitor: NetworkError("no response within 20 seconds")
    clock.now += HOUR
    failed_at = clock.now
    for _ in range(6):
        following = await watch.scheduler.work_due()
        assert following is not None
        clock.now = following
    observer.text = lambda monitor: "The same text."

    await watch.scheduler.work_due()

    changes = await watch.engine.store.changes(monitor.id)
    assert [(change.event, change.since) for change in reversed(changes)] == [
        ("unreachable", failed_at),
        ("reachable", failed_at),
    ]
    events = [json.loads(each.payload)["body"]["event"] for each in await watch.send()]
    assert events == ["unreachable", "reachable"]
    assert (await watch.get(monitor)).progress.failing_since is None


async def test_one_failure_alone_is_not_told(open_watch: Open, clock: HandClock) -> None:
    observer = ScriptedObserver()
    watch = open_watch("a", observer)
    (monitor,) = await watch.add({"every": "1h"})
    observer.text = lambda monitor: NetworkError("no response")
    await watch.scheduler.work_due()
    observer.text = lambda monitor: "The same text."
    clock.now += HOUR

    await watch.scheduler.work_due()

    assert await watch.engine.store.changes(monitor.id) == []


async def test_two_schedulers_run_each_check_once(open_watch: Open, clock: HandClock) -> None:
    observer = ScriptedObserver()
    watches = [open_watch(name, observer, at_once=3) for name in ("a", "b")]
    monitors = await watches[0].add(*[{"every": "1h"}] * 20)

    for _ in range(5):
        await asyncio.gather(*(watch.scheduler.work_due() for watch in watches))
        clock.now += HOUR

    expected = [(m.id, START + turn * HOUR) for m in monitors for turn in range(5)]
    assert sorted(observer.seen) == sorted(expected)
    assert {(await watches[0].get(monitor)).runs for monitor in monitors} == {5}


async def test_another_process_goes_on_at_once_after_a_killed_one(
    open_watch: Open, dead: set[str]
) -> None:
    killed, other = (open_watch(name, ScriptedObserver()) for name in ("killed", "other"))
    (monitor,) = await killed.add({"every": "1h"})
    claimed = await killed.engine.claims.claim(8)
    assert [lease.monitor.id for lease in claimed.leases] == [monitor.id]
    assert (await other.engine.claims.claim(8)).leases == ()

    dead.add("killed")
    await other.scheduler.work_due()

    assert (await other.get(monitor)).runs == 1


async def test_a_silent_process_loses_its_check_within_30_seconds_and_is_fenced_off(
    open_watch: Open, clock: HandClock
) -> None:
    silent, other = (open_watch(name, ScriptedObserver()) for name in ("silent", "other"))
    (monitor,) = await silent.add({"every": "1h"})
    (lease,) = (await silent.engine.claims.claim(8)).leases
    clock.now += LEASE_SECONDS
    assert LEASE_SECONDS < 30

    await other.scheduler.work_due()

    assert await silent.engine.runner.run(lease) is None
    with pytest.raises(FencedError):
        await silent.engine.commits.renew(lease)
    found = await other.get(monitor)
    assert (found.runs, found.versions) == (1, 1)


async def test_a_renewed_lease_is_kept(open_watch: Open, clock: HandClock) -> None:
    busy, other = (open_watch(name, ScriptedObserver()) for name in ("busy", "other"))
    await busy.add({"every": "1h"})
    (lease,) = (await busy.engine.claims.claim(8)).leases
    clock.now += LEASE_SECONDS - 1
    await busy.engine.commits.renew(lease)
    clock.now += LEASE_SECONDS - 1

    assert (await other.engine.claims.claim(8)).leases == ()


async def test_a_missed_run_is_made_up_once(open_watch: Open, clock: HandClock) -> None:
    observer = ScriptedObserver()
    watch = open_watch("a", observer)
    (monitor,) = await watch.add({"every": "1h"})
    await watch.scheduler.work_due()
    clock.now += 10 * HOUR + 60

    following = await watch.scheduler.work_due()

    assert len(observer.seen) == 2
    assert following == START + 11 * HOUR
    assert (await watch.get(monitor)).runs == 2


async def test_monitors_of_one_host_keep_the_delay_between_requests(
    open_watch: Open, clock: HandClock
) -> None:
    observer = ScriptedObserver()
    watch = open_watch("a", observer, delay=2.0)
    await watch.add({"every": "1h"}, {"every": "1h"}, {"every": "1h"}, host=b"h" * 16)

    following = [await watch.scheduler.work_due()]
    assert len(observer.seen) == 1
    clock.now += 2.0
    following.append(await watch.scheduler.work_due())

    assert following == [START + 2.0, START + 4.0]
    assert len(observer.seen) == 2


async def test_a_host_that_asks_to_wait_pauses_its_other_monitors_and_crawls(
    open_watch: Open,
) -> None:
    def text(monitor: Monitor) -> RateLimitError:
        return RateLimitError("HTTP 429", retry_after=600.0)

    watch = open_watch("a", ScriptedObserver(text=text), at_once=1)
    await watch.add({"every": "1h"}, {"every": "1h"}, host=b"w" * 16)

    following = await watch.scheduler.work_due()

    assert following == START + 600
    assert await watch.store.paused_seconds(b"w" * 16) == 600


async def test_a_paused_monitor_is_not_checked(open_watch: Open) -> None:
    watch = open_watch("a", ScriptedObserver())
    (monitor,) = await watch.add({"every": "1h"})
    await watch.engine.store.set_state(monitor.id, "paused")

    assert await watch.scheduler.work_due() is None
    assert (await watch.get(monitor)).runs == 0


async def test_a_digest_collects_changes_and_sends_them_together(
    open_watch: Open, clock: HandClock
) -> None:
    watch = open_watch("a", ScriptedObserver(text=rising_price(), clock=clock))
    await watch.add({"every": "8h", "digest": "1d"})

    sent: list[list[str]] = []
    for _ in range(5):
        await watch.scheduler.work_due()
        bodies = [json.loads(each.payload)["body"] for each in await watch.send()]
        sent += [[str(change["number"]) for change in body["changes"]] for body in bodies]
        clock.now += 8 * HOUR

    assert sent == [["1", "2"]]


async def test_a_condition_that_does_not_hold_is_compared_with_the_last_told_price(
    open_watch: Open, clock: HandClock
) -> None:
    prices = iter(["100.00", "98.00", "96.00", "94.00"])
    observer = ScriptedObserver(
        text=lambda monitor: f"# Kettle\n\nPrice: EUR {next(prices)}", clock=clock
    )
    watch = open_watch("a", observer)
    (monitor,) = await watch.add({"every": "1d", "conditions": ("price drops 5 %",)})
    for _ in range(4):
        await watch.scheduler.work_due()
        clock.now += DAY

    (change,) = await watch.engine.store.changes(monitor.id)
    assert [(c.before and c.before.quote, c.after and c.after.quote) for c in change.changes] == [
        ("Price: EUR 100.00", "Price: EUR 94.00")
    ]


async def test_what_a_person_mutes_is_not_overwritten_by_a_check_in_progress(
    open_watch: Open,
) -> None:
    watch = open_watch("a", ScriptedObserver())
    (monitor,) = await watch.add({"every": "1h"})
    (lease,) = (await watch.engine.claims.claim(8)).leases
    muted = NoiseProfile(unmuted=("date_stamp",))
    await watch.engine.store.edit_noise(monitor.id, lambda profile: muted)

    await watch.engine.runner.run(lease)

    assert (await watch.get(monitor)).noise == muted


async def test_only_the_latest_versions_are_kept(open_watch: Open, clock: HandClock) -> None:
    watch = open_watch("a", ScriptedObserver(text=rising_price(), clock=clock))
    (monitor,) = await watch.add({"every": "1d"})
    for _ in range(8):
        await watch.scheduler.work_due()
        clock.now += DAY

    kept = [await watch.engine.store.version(monitor.id, number) for number in range(1, 9)]
    assert [version is not None for version in kept] == [False] * 3 + [True] * 5


async def test_expired_changes_are_deleted_and_the_latest_version_is_kept(
    open_watch: Open, clock: HandClock
) -> None:
    watch = open_watch("a", ScriptedObserver(text=rising_price(), clock=clock))
    (monitor,) = await watch.add({"every": "1d"})
    for _ in range(2):
        await watch.scheduler.work_due()
        clock.now += DAY
    clock.now += 30 * DAY

    assert await watch.engine.store.sweep(30 * DAY) == 2
    assert await watch.engine.store.changes(monitor.id) == []
    assert await watch.engine.store.version(monitor.id, 2) is not None


async def test_a_deleted_monitor_leaves_nothing_and_its_check_is_fenced_off(
    open_watch: Open,
) -> None:
    watch = open_watch("a", ScriptedObserver())
    (monitor,) = await watch.add({"every": "1h"})
    (lease,) = (await watch.engine.claims.claim(8)).leases
    assert await watch.engine.store.delete(monitor.id)

    assert await watch.engine.runner.run(lease) is None
    assert await watch.engine.store.get(monitor.id) is None
    assert await watch.scheduler.work_due() is None


async def test_the_number_of_monitors_of_a_person_is_limited(open_watch: Open) -> None:
    from tests.services.watching.monitor_setup import new_monitor
    from webquarry.services.watching.store.monitor_values import NewMonitor

    watch = open_watch("a", ScriptedObserver())
    await watch.engine.store.create(NewMonitor(monitor=new_monitor(1)), limit=1)

    with pytest.raises(RateLimitError, match="MONITORS_PER_USER"):
        await watch.engine.store.create(NewMonitor(monitor=new_monitor(2)), limit=1)
