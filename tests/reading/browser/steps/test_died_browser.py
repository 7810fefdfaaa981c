"""A browser that dies while steps are run."""

import asyncio

import pytest

from tests.crawl.site import Reply, running_site
from tests.reading.browser.steps.page_apps import do
from tests.reading.chromium import kill_main_process, needs_chromium, open_browser
from webquarry.reading.browser.chromium import BrowserOptions
from webquarry.reading.browser.context_options import ContextOptions
from webquarry.reading.tiers.browser_tier import StepsLostError

pytestmark = [pytest.mark.anyio, needs_chromium]


async def test_steps_are_not_repeated_when_the_browser_dies() -> None:
    steps = (
        do("click", role="button", name="Order"), do("wait", value=60_000),
    )  # fmt: skip

    def shop(path: str, headers: dict[str, str]) -> Reply:
        order = b"<title>Shop</title><button onclick=\"fetch('/order')\">Order</button>"
        return Reply(order if path == "/" else b"ordered")

    with running_site(shop) as running:
        async with open_browser(BrowserOptions(no_sandbox="true")) as (browser, tier):
            reading = asyncio.ensure_future(
                tier.read_with_steps(f"{running.url}/", 120, ContextOptions(steps=steps))
            )
            while not running.request_counts()["/order"]:
                await running.wait_for_requests(len(running.log) + 1)
            kill_main_process()
            with pytest.raises(StepsLostError, match="died while the steps were run"):
                await reading
            again, _ = await tier.read_with_steps(f"{running.url}/", 120, ContextOptions())

    assert running.request_counts()["/order"] == 1
    assert browser.launches == 2
    assert again.metadata.title == "Shop"
