"""`cinder_batch_scrape`, as a client sees it."""

from typing import Any

import pytest

from tests.services.cinder.fakes import Crawls
from tests.support import CallHarness, override, services
from webquarry.tools.cinder_batch_scrape import cinder_batch_scrape

pytestmark = pytest.mark.anyio
NAME = "cinder_batch_scrape"
URLS = ["https://owls.test/1", "https://owls.test/2"]


def harness(crawls: Crawls) -> CallHarness:
    return CallHarness((cinder_batch_scrape,), services=override(services(), crawling=crawls))


async def test_a_batch_is_started_with_its_options() -> None:
    crawls = Crawls()
    webhook = {"url": "https://hooks.test/1", "events": ["page", "completed"]}

    result = await harness(crawls).call(
        NAME,
        {"urls": URLS, "render": True, "formats": ["text", "text"], "webhook": webhook,
         "delay": 2, "headers": {"X-A": "1"}},
    )  # fmt: skip

    assert result.structured == {
        "crawlId": "job1",
        "status": "queued",
        "pagesFound": 2,
        "pagesCrawled": 0,
        "createdAt": "2023-11-14T22:13:20Z",
    }
    assert crawls.asked == [tuple(URLS)]
    (request,) = crawls.started
    assert (request.render, request.formats, request.delay) == (True, ("text",), 2)
    assert request.page_options.headers == {"X-A": "1"}
    assert request.webhook is not None
    assert not isinstance(request.webhook, str)
    assert request.webhook.events == ("page", "completed")


async def test_markdown_is_kept_unless_told_otherwise() -> None:
    crawls = Crawls()

    await harness(crawls).call(NAME, {"urls": URLS})

    assert crawls.started[0].formats == ("markdown",)


async def test_waiting_reports_progress_and_returns_the_end() -> None:
    crawls = Crawls(
        {"state": "running", "pagesCrawled": 1}, {"state": "completed", "pagesCrawled": 2}
    )
    told: list[tuple[float, float | None, str | None]] = []

    async def report(done: float, total: float | None, message: str | None) -> None:
        told.append((done, total, message))

    result = await harness(crawls).call(NAME, {"urls": URLS, "wait": True}, report=report)

    assert result.structured
    assert (result.structured["status"], result.structured["pagesCrawled"]) == ("completed", 2)
    assert told == [
        (0, 2, "queued: 0 of 2 URLs"), (1, 2, "running: 1 of 2 URLs"),
        (2, 2, "completed: 2 of 2 URLs"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "urls: is required"),
        ({"urls": []}, "urls: "),
        ({"urls": ["https://a.test"] * 10_001}, "urls: "),
        ({"urls": URLS, "formats": ["pdf"]}, "formats.0: "),
        ({"urls": URLS, "webhook": {"url": "https://h.test", "events": ["x"]}}, "webhook"),
        ({"urls": ["owls"]}, "1 of 1 URLs are not valid"),
    ],
)
async def test_wrong_arguments_are_named(arguments: dict[str, Any], words: str) -> None:
    result = await harness(Crawls()).call(NAME, arguments)

    assert result.problem
    assert words in result.problem.message


def test_the_schema_is_short() -> None:
    listed = cinder_batch_scrape.definition()

    assert set(listed["inputSchema"]["properties"]) == {
        "urls", "render", "formats", "wait", "webhook", "locale", "mobile", "steps",
    }  # fmt: skip
    assert set(listed["outputSchema"]["properties"]) == {
        "crawlId", "status", "pagesFound", "pagesCrawled", "createdAt", "invalidURLs", "error",
    }  # fmt: skip
