"""Monitors of firecrawl-py, unmodified, against the complete server and a shop that changes."""

from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest

pytest.importorskip("firecrawl", reason="needs firecrawl-py")

from firecrawl import Firecrawl
from firecrawl.v2.client_async import AsyncFirecrawlClient
from firecrawl.v2.types import ChangeTrackingFormat, JsonFormat, PaginationConfig, ScrapeOptions
from firecrawl.v2.utils.error_handler import BadRequestError, FirecrawlError

from tests.server.compat.firecrawl_table import compat_server
from tests.server.http_server import http_server
from tests.services.watching.kettle_shop import Shop, running_shop

HOURLY = {"cron": "0 * * * *", "timezone": "Europe/Berlin"}
PRICE = {"type": "object", "properties": {"price": {"type": "string"}}}
HOOK = {"url": "https://hooks.test/changes?token=1", "events": ["monitor.page"]}


@dataclass(frozen=True)
class Running:
    """A server that watches a shop."""

    base: str
    http: httpx2.Client
    site: str

    @property
    def firecrawl(self) -> Any:  # its methods have results of several types
        """A client of the server."""
        return Firecrawl(api_key="fc-any", api_url=self.base)

    def watch(self, url: str, **target: Any) -> Any:
        """Create a monitor of a page, and return it."""
        targets = [{"type": "scrape", "urls": [url], **target}]
        return self.firecrawl.create_monitor("Kettle", HOURLY, targets)

    def check(self, monitor_id: str) -> Any:
        """Return a check that has ended; the first one may have begun by itself."""
        while (check := self.firecrawl.run_monitor(monitor_id)).status == "running":
            pass
        return check


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with compat_server(tmp_path_factory.mktemp("monitors")) as (client, site):
        yield Running(str(client.base_url).rstrip("/"), client, site)


@pytest.fixture
def shop() -> Iterator[Shop]:
    with running_shop() as shop:
        yield shop


def test_a_change_is_a_page_of_a_check_with_its_passages(running: Running, shop: Shop) -> None:
    firecrawl, monitor = running.firecrawl, running.watch(shop.url)
    unchanged = running.check(monitor.id)
    shop.price = "9.00"

    run = firecrawl.run_monitor(monitor.id)

    assert (unchanged.status, run.status, run.trigger) == ("completed", "completed", "manual")
    assert (run.summary.total_pages, run.summary.changed, run.summary.same) == (1, 1, 0)
    detail = firecrawl.get_monitor_check(monitor.id, run.id)
    (page,) = detail.pages
    assert (page.url, page.status) == (shop.url, "changed")
    assert page.diff.text.endswith("-Price: EUR 12.00\n+Price: EUR 9.00")
    assert page.diff.json[0]["kind"] == "price"
    shown = firecrawl.get_monitor(monitor.id)
    assert shown.last_check_summary.changed == 1
    assert shown.targets == [{"id": "target", "type": "scrape", "urls": [shop.url]}]


def test_a_first_check_finds_a_new_page_and_a_later_one_the_same(
    running: Running, shop: Shop
) -> None:
    monitor = running.watch(shop.url)
    running.check(monitor.id)
    running.firecrawl.run_monitor(monitor.id)

    checks = running.firecrawl.list_monitor_checks(monitor.id)

    pages = [running.firecrawl.get_monitor_check(monitor.id, each.id).pages for each in checks]
    assert [page.status for (page,) in pages] == ["same"] * (len(checks) - 1) + ["new"]
    assert checks[-1].summary.new == checks[0].summary.same == 1
    newest = running.firecrawl.list_monitor_checks(monitor.id, limit=1)
    assert [each.id for each in newest] == [checks[0].id]


@pytest.mark.parametrize(
    "wanted",
    [
        JsonFormat(type="json", schema=PRICE),
        ChangeTrackingFormat(modes=["json"], schema=PRICE),
        {"type": "changeTracking", "modes": ["json"], "schema": PRICE},
    ],
)
def test_fields_of_a_schema_are_compared(running: Running, shop: Shop, wanted: Any) -> None:
    monitor = running.watch(shop.url, scrapeOptions=ScrapeOptions(formats=[wanted]))
    running.check(monitor.id)
    shop.price = "9.00"

    run = running.firecrawl.run_monitor(monitor.id)

    (page,) = running.firecrawl.get_monitor_check(monitor.id, run.id).pages
    (change,) = page.diff.json.values()
    assert ("12.00" in str(change["previous"]), "9.00" in str(change["current"])) == (True, True)
    assert "9.00" in str(page.snapshot.json)
    formats = [{"type": "json", "schema": PRICE}]
    assert monitor.targets[0]["scrapeOptions"] == {"formats": formats}


def test_only_the_chosen_elements_are_compared(running: Running, shop: Shop) -> None:
    title = running.watch(shop.url, scrapeOptions=ScrapeOptions(include_tags=["h1"]))
    price = running.watch(shop.url, scrapeOptions=ScrapeOptions(include_tags=[".price"]))
    running.check(title.id)
    running.check(price.id)
    shop.price = "9.00"

    runs = [running.firecrawl.run_monitor(each.id) for each in (title, price)]

    assert [run.summary.changed for run in runs] == [0, 1]
    assert price.targets[0]["scrapeOptions"] == {"includeTags": [".price"]}


def test_results_of_a_search_are_the_pages_of_its_check(running: Running) -> None:
    target = {"type": "search", "queries": ["owls"]}
    monitor = running.firecrawl.create_monitor("Owls", HOURLY, [target])

    check = running.check(monitor.id)

    (first, *_) = running.firecrawl.get_monitor_check(monitor.id, check.id).pages
    assert first.url == f"{running.site}/p/0"
    assert monitor.targets == [{"id": "target", **target}]


def test_a_failed_check_is_an_error_and_no_change(running: Running, shop: Shop) -> None:
    shop.down = True
    monitor = running.watch(shop.url)

    check = running.check(monitor.id)

    assert (check.status, check.summary.error, check.summary.changed) == ("failed", 1, 0)
    (page,) = running.firecrawl.get_monitor_check(monitor.id, check.id, status="error").pages
    assert (page.status, page.error) == ("error", check.error)
    assert running.firecrawl.get_monitor_check(monitor.id, check.id, status="same").pages == []


def test_pages_of_a_site_are_listed_over_several_responses(running: Running) -> None:
    firecrawl = running.firecrawl
    target = {"type": "crawl", "url": f"{running.site}/", "crawlOptions": {"limit": 5}}
    monitor = firecrawl.create_monitor("Owls", {"text": "every 45 minutes"}, [target])
    check = running.check(monitor.id)

    whole = firecrawl.get_monitor_check(monitor.id, check.id, limit=2)
    first = firecrawl.get_monitor_check(
        monitor.id, check.id, limit=2, pagination_config=PaginationConfig(auto_paginate=False)
    )

    assert check.summary.total_pages == len({page.url for page in whole.pages}) == 5
    assert (len(first.pages), first.next is not None) == (2, True)
    assert (monitor.schedule.cron, monitor.schedule.text) == (None, "every 45m")


def test_name_schedule_and_state_can_be_changed(running: Running, shop: Shop) -> None:
    firecrawl, monitor = running.firecrawl, running.watch(shop.url)
    running.check(monitor.id)

    changed = firecrawl.update_monitor(
        monitor.id,
        name="Steel kettle",
        status="paused",
        schedule={"text": "daily at 9:00"},
        targets=monitor.targets,
    )

    assert (changed.name, changed.status, changed.next_run_at) == ("Steel kettle", "paused", None)
    assert changed.schedule.cron == "0 9 * * *"
    assert changed.targets == monitor.targets
    active = firecrawl.update_monitor(monitor.id, status="active")
    assert (active.status, active.name) == ("active", "Steel kettle")
    assert active.next_run_at.endswith("T09:00:00Z")


def test_a_monitor_is_listed_until_it_is_deleted(running: Running, shop: Shop) -> None:
    firecrawl, monitor = running.firecrawl, running.watch(shop.url)
    (newest,) = firecrawl.list_monitors(limit=1)

    deleted = firecrawl.delete_monitor(monitor.id)

    assert (newest.id, deleted) == (monitor.id, True)
    assert monitor.id not in {each.id for each in firecrawl.list_monitors()}
    with pytest.raises(FirecrawlError) as raised:
        firecrawl.get_monitor(monitor.id)
    assert raised.value.status_code == 404


def test_what_is_not_honoured_is_named_in_a_warning(running: Running, shop: Shop) -> None:
    target = {"type": "scrape", "urls": [shop.url], "scrapeOptions": {"timeout": 9000}}

    monitor = running.firecrawl.create_monitor(
        "Kettle", HOURLY, [target], webhook=HOOK, retention_days=7
    )

    assert monitor.warning == (
        "timeout: a check takes 3 minutes at most. webhook: it receives the notifications of this "
        "server, when there is a change and when the target becomes unreachable; Firecrawl's "
        "events are not sent. retentionDays: changes are kept for 90 days (MONITOR_RETENTION)."
    )
    assert (monitor.webhook, monitor.retention_days) == ({"url": "https://hooks.test"}, 90)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"goal": "cheap kettles"}, "goal: no model judges changes here"),
        ({"judge_enabled": True}, "judgeEnabled: no model judges changes here"),
        ({"schedule": {"text": "now and then"}}, "schedule.text: 'now and then' is not understood"),
        ({"schedule": {}}, "schedule: give either cron or text"),
        ({"schedule": {"cron": "* * * * *"}}, "(MONITOR_MIN_INTERVAL)"),
        ({"schedule": {"cron": "0 9 * * *", "timezone": "Owl"}}, "timezone: 'Owl' is no IANA"),
        ({"notification": {"email": {"enabled": True}}}, "notification.email: Firecrawl's clients"),
        ({"targets": []}, "targets: a monitor here watches one target"),
        ({"urls": ["https://a.test/", "https://b.test/"]}, "watches one URL"),
        ({"scrapeOptions": {"mobile": True}}, "scrapeOptions.mobile: is not available for"),
        ({"scrapeOptions": {"formats": ["links"]}}, "formats: links cannot be watched"),
        (
            {"scrapeOptions": ScrapeOptions(only_main_content=False)},
            "choose other elements with includeTags",
        ),
        ({"scrapeOptions": ScrapeOptions(include_tags=["p["])}, "selector: "),
        ({"queries": ["owls"]}, "targets.0.queries: is no option of a target scrape"),
        ({"type": "search", "urls": None}, "targets.0.queries: a monitor here watches one query"),
        (
            {"type": "search", "urls": None, "queries": ["owls"], "searchWindow": "1h"},
            "searchWindow: results are reported when they are new",
        ),
        ({"type": "crawl", "urls": None}, "targets.0.url: is missing"),
        ({"colour": "red"}, "colour: this server has no such option"),
    ],
)
def test_what_is_not_possible_is_refused_with_a_sentence(
    running: Running, changes: dict[str, Any], sentence: str
) -> None:
    own = {"goal", "judge_enabled", "schedule", "notification", "targets"}
    target = {"type": "scrape", "urls": ["https://owls.test/"]}
    target |= {name: value for name, value in changes.items() if name not in own}
    request: dict[str, Any] = {"schedule": HOURLY, "targets": [target]}
    request |= {name: value for name, value in changes.items() if name in own}

    with pytest.raises(BadRequestError) as raised:
        running.firecrawl.create_monitor("Kettle", **request)

    assert sentence in str(raised.value)


def test_what_is_watched_cannot_be_changed(running: Running, shop: Shop) -> None:
    monitor = running.watch(shop.url)

    with pytest.raises(BadRequestError, match="create another monitor"):
        running.firecrawl.update_monitor(
            monitor.id, targets=[{"type": "search", "queries": ["owls"]}]
        )


def test_a_planned_check_is_queued_and_an_unknown_one_not_found(
    running: Running, shop: Shop
) -> None:
    monitor = running.watch(shop.url)
    latest = running.check(monitor.id)

    planned = running.firecrawl.get_monitor_check(monitor.id, str(int(latest.id) + 1))

    assert (planned.status, planned.pages, planned.started_at) == ("queued", [], None)
    with pytest.raises(FirecrawlError) as raised:
        running.firecrawl.get_monitor_check(monitor.id, "owl")
    assert raised.value.status_code == 404


def test_a_server_without_monitors_says_how_to_offer_them(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    home, settings = tmp_path_factory.mktemp("no-monitors"), {"COMPAT_ROOT": "firecrawl"}
    with http_server(home, "--toolsets", "web", settings=settings) as client:
        answer = client.get("/v2/monitor")

    assert answer.status_code == 400
    assert answer.json()["error"] == (
        "monitor: this server offers none; its operator can add toolset watch"
    )


@pytest.mark.anyio
async def test_the_asynchronous_client_finds_the_same_change(running: Running, shop: Shop) -> None:
    firecrawl: Any = AsyncFirecrawlClient(api_key="fc-any", api_url=running.base)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(firecrawl.async_http_client.close)
        targets = [{"type": "scrape", "urls": [shop.url]}]
        monitor = await firecrawl.create_monitor("Kettle", HOURLY, targets)
        while (await firecrawl.run_monitor(monitor.id)).status == "running":
            pass
        shop.price = "9.00"

        run = await firecrawl.run_monitor(monitor.id)

        (page,) = (await firecrawl.get_monitor_check(monitor.id, run.id)).pages
        assert page.diff.text.endswith("-Price: EUR 12.00\n+Price: EUR 9.00")
        assert await firecrawl.delete_monitor(monitor.id) is True
