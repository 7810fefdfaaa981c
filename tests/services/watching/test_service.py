"""Monitors of pages, parts, fields and feeds of a real site, for their owners."""

import json
from collections.abc import AsyncGenerator, Generator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.crawl.site import Reply, running_site
from tests.services.watching.kettle_shop import HEAT, WATER, Shop, running_shop, watching_app
from webquarry.app import App
from webquarry.content.changes.whole_page_text import MAX_CHARS
from webquarry.crawl.webhook_delivery import signature
from webquarry.errors import BadInputError, NotFoundError, RateLimitError
from webquarry.models.caller import Caller
from webquarry.models.changes import PageVersion
from webquarry.models.monitor import (
    Monitor,
    MonitorDefinition,
    MonitorNotify,
    MonitorSchedule,
    MonitorTarget,
)
from webquarry.models.webhook import WebhookTarget
from webquarry.services.watching.service import MonitorService

pytestmark = pytest.mark.anyio

ALICE, BOB = Caller(tenant="acme", user="alice"), Caller(tenant="acme", user="bob")
SECRET = "s" * 32
_DELIVERY = "Delivery to all islands is free of charge until the end of the winter."
_NEW = "The new lid is made of cork and closes the kettle without a sound."
_PAGE = (
    f"<title>Kettle</title><main><h1>Kettle</h1><p>{WATER}</p><p>{HEAT}</p>{{main}}</main>{{rest}}"
)


@pytest.fixture
def shop() -> Generator[Shop]:
    with running_shop() as shop:
        yield shop


@pytest.fixture
async def app(tmp_path: Path) -> AsyncGenerator[App]:
    async with watching_app(tmp_path) as app:
        yield app


@pytest.fixture
async def monitors(app: App) -> MonitorService:
    return replace(app.services.watching, embedded=False)


def definition(target: str, **changes: Any) -> MonitorDefinition:
    notify = changes.pop("notify", MonitorNotify())
    schedule = changes.pop("schedule", MonitorSchedule())
    capture = changes.pop("capture", False)
    return MonitorDefinition(
        name="Kettle",
        target=MonitorTarget(target=target, **changes),
        notify=notify,
        schedule=schedule,
        capture=capture,
    )


def stored_bytes(directory: Path) -> bytes:
    return b"".join(each.read_bytes() for each in directory.rglob("*") if each.is_file())


async def run(monitors: MonitorService, monitor: Monitor) -> str | None:
    return (await monitors.run(monitor.id, ALICE)).progress.last_outcome


async def passages(monitors: MonitorService, monitor: Monitor) -> list[tuple[str, str, str]]:
    """Return the passages of all changes: kind, before, after."""
    return [
        (
            each.kind,
            each.before.quote if each.before else "",
            each.after.quote if each.after else "",
        )
        for change in await monitors.changes(monitor.id, ALICE)
        for each in change.changes
    ]


async def test_a_page_is_asked_for_changes_and_compared_only_if_it_has_some(
    monitors: MonitorService, shop: Shop
) -> None:
    monitor = await monitors.create(definition(shop.url), ALICE)
    outcomes = [await run(monitors, monitor), await run(monitors, monitor)]
    shop.price = "9.00"

    outcomes.append(await run(monitors, monitor))

    assert outcomes == ["first", "unchanged", "changed"]
    assert [request.get("if-none-match") for request in shop.requests] == [
        None, '"12.00"', '"12.00"',
    ]  # fmt: skip
    assert await passages(monitors, monitor) == [("price", "Price: EUR 12.00", "Price: EUR 9.00")]


async def test_main_content_that_is_chosen_differently_is_no_change(
    monitors: MonitorService,
) -> None:
    aside, page = f"<aside><p>{_DELIVERY}</p></aside>", [_PAGE.format(main="", rest="")]
    with running_site(lambda path, headers: Reply(page[0].encode())) as site:
        monitor = await monitors.create(definition(f"{site.url}/kettle"), ALICE)
        page[0] = _PAGE.format(main="", rest=aside)
        outcomes = [await run(monitors, monitor)]
        for main, rest in ((f"<p>{_DELIVERY}</p>", ""), ("", aside), (f"<p>{_NEW}</p>", aside)):
            page[0] = _PAGE.format(main=main, rest=rest)
            outcomes.append(await run(monitors, monitor))

    assert outcomes == ["first", "unchanged", "unchanged", "changed"]
    assert await passages(monitors, monitor) == [("text", "", _NEW)]


async def test_a_version_keeps_the_text_around_its_main_content_encrypted_and_bounded(
    monitors: MonitorService, tmp_path: Path
) -> None:
    around = "".join(f"<li>Entry {number} of the menu</li>" for number in range(30_000))
    page = _PAGE.format(main="", rest=f"<nav><ul>{around}</ul></nav>")
    with running_site(lambda path, headers: Reply(page.encode())) as site:
        monitor = await monitors.create(definition(f"{site.url}/kettle"), ALICE)

        assert await run(monitors, monitor) == "first"

    version = await monitors.store.version(monitor.id, 1)
    assert isinstance(version, PageVersion)
    assert "Entry 77 of the menu" in version.page_text
    assert len(version.page_text) == MAX_CHARS
    stored = stored_bytes(tmp_path)
    assert b"of the menu" not in stored


async def test_the_webhook_gets_a_signed_notification_once(
    app: App, monitors: MonitorService, shop: Shop
) -> None:
    with running_site(lambda path, headers: Reply(b"ok")) as hook:
        target = WebhookTarget(
            url=f"{hook.url}/changes?token=1", secret=SECRET, metadata={"order": 7}
        )
        monitor = await monitors.create(
            definition(shop.url, notify=MonitorNotify(webhooks=(target,))), ALICE
        )
        await run(monitors, monitor)
        shop.price = "9.00"
        await run(monitors, monitor)

        assert await monitors.engine.deliveries.finish(monitor.id, 30) == 0
        assert await monitors.engine.deliveries.finish(monitor.id, 30) == 0

    ((path, body),), (headers,) = hook.bodies, hook.headers
    sent = json.loads(body)
    assert (path, sent["event"], sent["monitorId"], sent["metadata"]) == (
        "/changes?token=1", "changed", monitor.id, {"order": 7},
    )  # fmt: skip
    timestamp = int(headers["x-webquarry-signature"].split(",")[0].removeprefix("t="))
    assert headers["x-webquarry-signature"] == signature(SECRET, timestamp, body)


async def test_a_change_of_noise_is_ignored_shown_and_can_be_unmuted(
    monitors: MonitorService, shop: Shop
) -> None:
    shop.stamp = "3 May 2026"
    monitor = await monitors.create(definition(shop.url), ALICE)
    await run(monitors, monitor)
    shop.stamp = "4 May 2026"

    outcome = await run(monitors, monitor)

    found = await monitors.get(monitor.id, ALICE)
    assert outcome == "unchanged"
    (ignored,) = found.progress.ignored
    assert ignored.ignored is not None
    await monitors.unmute(monitor.id, ignored.ignored.rule, ALICE)
    shop.stamp = "5 May 2026"
    assert await run(monitors, monitor) == "changed"


async def test_a_muted_place_is_not_told_any_more(monitors: MonitorService, shop: Shop) -> None:
    monitor = await monitors.create(definition(shop.url), ALICE)
    await run(monitors, monitor)
    shop.price = "9.00"
    await run(monitors, monitor)
    ((change,),) = [each.changes for each in await monitors.changes(monitor.id, ALICE)]

    noise = await monitors.mute(monitor.id, change.id, ALICE)
    shop.price = "8.00"

    assert await run(monitors, monitor) == "unchanged"
    assert [pattern.origin for pattern in noise.patterns] == ["muted"]
    with pytest.raises(NotFoundError, match="no change 'nothing'"):
        await monitors.mute(monitor.id, "nothing", ALICE)
    with pytest.raises(BadInputError, match="rule: nothing is ignored because of 'nothing'"):
        await monitors.unmute(monitor.id, "nothing", ALICE)


async def test_a_selector_watches_only_a_part_of_the_page(
    monitors: MonitorService, shop: Shop
) -> None:
    monitor = await monitors.create(definition(shop.url, selector="h1"), ALICE)
    await run(monitors, monitor)
    shop.price = "9.00"

    assert await run(monitors, monitor) == "unchanged"


async def test_a_selector_that_matches_nothing_is_a_failure(
    monitors: MonitorService, shop: Shop
) -> None:
    monitor = await monitors.create(definition(shop.url, selector=".stock"), ALICE)

    assert await run(monitors, monitor) == "failed"
    error = (await monitors.get(monitor.id, ALICE)).progress.last_error or ""
    assert "selector: '.stock' matches no text" in error


async def test_words_watch_only_the_passages_that_have_them(
    monitors: MonitorService, shop: Shop
) -> None:
    monitor = await monitors.create(definition(shop.url, words=("STEEL", "minutes")), ALICE)
    await run(monitors, monitor)
    shop.price = "9.00"

    assert await run(monitors, monitor) == "unchanged"


async def test_fields_are_watched_with_a_condition(monitors: MonitorService, shop: Shop) -> None:
    monitor = await monitors.create(
        definition(shop.url, fields="price", conditions=("price < 10",)), ALICE
    )
    outcomes = [await run(monitors, monitor)]
    for price in ("11.00", "9.00"):
        shop.price = price
        outcomes.append(await run(monitors, monitor))

    assert outcomes == ["first", "unchanged", "changed"]
    ((change,),) = [each.changes for each in await monitors.changes(monitor.id, ALICE)]
    assert change.number is not None
    assert (change.number.before, change.number.after) == (12.0, 9.0)


async def test_a_feed_reports_new_entries_and_not_those_that_left(
    monitors: MonitorService, shop: Shop
) -> None:
    monitor = await monitors.create(definition(f"{shop.site.url}/feed", kind="feed"), ALICE)
    outcomes = [await run(monitors, monitor)]
    for entries in (["second", "first"], ["second"], ["first", "second"]):
        shop.entries = entries
        outcomes.append(await run(monitors, monitor))

    assert outcomes == ["first", "changed", "unchanged", "unchanged"]
    ((change,),) = [each.changes for each in await monitors.changes(monitor.id, ALICE)]
    assert (change.kind, change.action, change.after and change.after.url) == (
        "entry", "added", f"{shop.site.url}/second",
    )  # fmt: skip


async def test_a_site_that_is_down_is_no_change(monitors: MonitorService, shop: Shop) -> None:
    monitor = await monitors.create(definition(shop.url), ALICE)
    await run(monitors, monitor)
    shop.down = True
    outcomes = [await run(monitors, monitor) for _ in range(4)]
    shop.down = False
    outcomes.append(await run(monitors, monitor))

    assert outcomes == ["failed"] * 4 + ["unchanged"]
    changes = await monitors.changes(monitor.id, ALICE)
    assert [change.event for change in changes] == ["reachable", "unreachable"]


async def test_another_person_sees_no_monitor(monitors: MonitorService, shop: Shop) -> None:
    monitor = await monitors.create(definition(shop.url), ALICE)

    assert await monitors.monitors(BOB) == []
    for action in (monitors.get, monitors.changes, monitors.run, monitors.delete):
        with pytest.raises(NotFoundError, match="There is no monitor"):
            await action(monitor.id, BOB)


async def test_a_deleted_monitor_is_gone(monitors: MonitorService, shop: Shop) -> None:
    monitor = await monitors.create(definition(shop.url, capture=True), ALICE)
    await run(monitors, monitor)

    await monitors.delete(monitor.id, ALICE)

    assert await monitors.monitors(ALICE) == []


async def test_the_evidence_of_a_change_is_what_was_received_before_and_after(
    app: App, monitors: MonitorService, shop: Shop
) -> None:
    monitor = await monitors.create(definition(shop.url, capture=True), ALICE)
    for price in ("12.00", "12.00", "9.00"):
        shop.price = price
        await run(monitors, monitor)

    plan = await app.services.bundles.plan("change", f"{monitor.id}.1", ALICE)

    assert (plan.summary.exchanges, plan.summary.quotes) == (2, 2)
    assert plan.summary.notCaptured == []
    with pytest.raises(NotFoundError, match="has no change 2"):
        await app.services.bundles.plan("change", f"{monitor.id}.2", ALICE)


async def test_an_unfinished_check_is_run_by_the_next_scheduler(
    monitors: MonitorService, shop: Shop
) -> None:
    monitor = await monitors.create(definition(shop.url), ALICE)

    await monitors.run_due(5)

    assert (await monitors.get(monitor.id, ALICE)).runs == 1


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"target": "shop"}, "shop"),
        ({"target": "http://169.254.169.254/"}, "not allowed|private|metadata|not public"),
        ({"selector": "p["}, "selector: 'p\\[' is not CSS"),
        ({"selector": "p", "fields": "price"}, "fields: cannot be combined"),
        ({"kind": "search", "words": ("x",)}, "words: works with the kind page only"),
        ({"conditions": ("cheap",)}, "when: the condition 'cheap' cannot be read"),
        ({"kind": "references", "target": "nothing here"}, "target: no reference found"),
        ({"kind": "site", "max_pages": 10_000}, "maxPages: at most 500"),
        ({"schedule": MonitorSchedule(every="5m")}, "schedule: '5m' is more often"),
        ({"notify": MonitorNotify(digest="often")}, "digest: 'often' is neither"),
        ({"notify": MonitorNotify(services=("nonsense://x",))}, "notify: nonsense:// is no usable"),
        ({"notify": MonitorNotify(services=("syslog://",))}, "notify: syslog:// is no usable"),
    ],
)
async def test_a_monitor_that_could_never_work_is_refused(
    monitors: MonitorService, changes: dict[str, Any], message: str
) -> None:
    target = changes.pop("target", "http://127.0.0.1/")

    with pytest.raises(Exception, match=message):
        await monitors.create(definition(target, **changes), ALICE)

    assert await monitors.monitors(ALICE) == []


async def test_too_many_monitors_are_refused(tmp_path: Path, shop: Shop) -> None:
    async with watching_app(tmp_path, {"MONITORS_PER_USER": "1"}) as app:
        monitors = replace(app.services.watching, embedded=False)
        await monitors.create(definition(shop.url), ALICE)
        await monitors.create(definition(shop.url), BOB)

        with pytest.raises(RateLimitError, match="You have 1 monitors"):
            await monitors.create(definition(shop.url), ALICE)


async def test_the_latest_checks_are_kept_with_what_they_found(
    monitors: MonitorService, shop: Shop
) -> None:
    monitor = await monitors.create(definition(shop.url), ALICE)
    for shop.price, shop.down in (("12.00", False), ("12.00", False), ("9.00", False), ("", True)):
        await run(monitors, monitor)

    checks = (await monitors.get(monitor.id, ALICE)).progress.checks

    assert [(each.number, each.outcome, each.change, each.version) for each in checks] == [
        (4, "failed", 0, 0),
        (3, "changed", 1, 2),
        (2, "unchanged", 0, 1),
        (1, "first", 0, 1),
    ]
    assert [(each.pages.total, each.pages.changed) for each in checks] == [
        (0, 0), (1, 1), (1, 0), (1, 0),
    ]  # fmt: skip
    assert checks[0].error is not None
    assert all(each.manual and each.began <= each.ended for each in checks)


async def test_a_changed_schedule_holds_from_the_next_check(
    monitors: MonitorService, shop: Shop
) -> None:
    monitor = await monitors.create(definition(shop.url), ALICE)
    await run(monitors, monitor)
    wanted = definition(shop.url, schedule=MonitorSchedule(every="2h"))

    changed = await monitors.update(monitor.id, wanted, ALICE)

    last = changed.progress.last_run
    assert last is not None
    assert changed.definition.schedule.every == "2h"
    assert changed.slot == changed.due == last + 7200
    with pytest.raises(NotFoundError):
        await monitors.update(monitor.id, wanted, BOB)


async def test_a_check_in_progress_starts_anew_when_its_monitor_is_changed(
    monitors: MonitorService, shop: Shop
) -> None:
    monitor = await monitors.create(definition(shop.url), ALICE)
    await run(monitors, monitor)
    lease = await monitors.engine.claims.claim_one(monitor.id)
    assert lease is not None
    target = WebhookTarget(url="https://hooks.test/")
    wanted = definition(shop.url, notify=MonitorNotify(webhooks=(target,)))

    changed = await monitors.update(monitor.id, wanted, ALICE)

    assert await monitors.engine.runner.run(lease) is None
    found = await monitors.get(monitor.id, ALICE)
    assert (found.runs, found.definition.notify.webhooks) == (1, (target,))
    assert changed.due < monitor.due + 3600


async def test_what_is_watched_cannot_be_changed(monitors: MonitorService, shop: Shop) -> None:
    monitor = await monitors.create(definition(shop.url), ALICE)

    with pytest.raises(BadInputError, match="target: what a monitor watches cannot be changed"):
        await monitors.update(monitor.id, definition("https://owls.test/"), ALICE)
