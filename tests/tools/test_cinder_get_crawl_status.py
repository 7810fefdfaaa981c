"""`cinder_get_crawl_status`: seed 002's contract, as a client sees it."""

from collections.abc import Sequence
from typing import Any

import pytest

from tests.services.cinder.fakes import BEGAN, Crawls
from tests.support import ALICE, BOB, CallHarness, override, services
from webquarry.content.text.token_count import json_size
from webquarry.models.caller import Caller
from webquarry.models.crawl import CrawledPage, CrawlFailure, CrawlRequest, Format
from webquarry.tools.cinder_get_crawl_status import cinder_get_crawl_status

pytestmark = pytest.mark.anyio
NAME = "cinder_get_crawl_status"
GONE = CrawlFailure(
    url="https://owls.test/gone", reason="http_404", depth=2, attempts=1, at=BEGAN,
    message="The server responded with HTTP 404 (Not Found).",
)  # fmt: skip
DISALLOWED = CrawlFailure(
    url="https://owls.test/p", reason="robots", depth=2, message="robots.txt disallows it."
)


async def begun(crawls: Crawls, **wishes: Any) -> CallHarness:
    request = {"url": "https://owls.test/", "formats": (), **wishes}
    await crawls.start(CrawlRequest.model_validate(request), ALICE)
    return CallHarness((cinder_get_crawl_status,), services=override(services(), crawling=crawls))


async def status(at: CallHarness, **arguments: Any) -> dict[str, Any]:
    result = await at.call(NAME, {"id": "job1", **arguments})
    assert result.structured, result
    return result.structured


async def test_a_finished_crawl_has_the_shape_of_the_contract() -> None:
    crawls = Crawls(pages=3)
    crawls.failed = (GONE, DISALLOWED)
    at = await begun(crawls)
    crawls.become("job1", "completed", pagesCrawled=3, pagesFound=5, errors=1)

    assert await status(at) == {
        "crawlId": "job1",
        "status": "completed",
        "pagesFound": 5,
        "pagesCrawled": 3,
        "progress": 100.0,
        "pages": [
            {"url": "https://owls.test/0", "statusCode": 200, "contentLength": 100},
            {
                "url": "https://owls.test/1",
                "title": "Page 1",
                "statusCode": 200,
                "contentLength": 101,
            },
            {
                "url": "https://owls.test/2",
                "title": "Page 2",
                "statusCode": 200,
                "contentLength": 102,
            },
        ],
        "completedAt": "2023-11-14T22:14:20Z",
        "errors": 1,
        "failures": [
            {
                "url": "https://owls.test/gone",
                "reason": "http_404",
                "message": "The server responded with HTTP 404 (Not Found).",
                "attempts": 1,
                "at": "2023-11-14T22:13:20Z",
            }
        ],
    }


async def test_failed_and_skipped_urls_are_listed_in_pages() -> None:
    crawls = Crawls()
    crawls.failed = (GONE, DISALLOWED)
    at = await begun(crawls)

    errors = await status(at, errors=True)
    everything = await status(at, skipped=True, limit=1)
    rest = await status(at, skipped=True, offset=everything["nextOffset"])

    assert errors["crawlId"] == "job1"
    assert [row["reason"] for row in errors["failures"]] == ["http_404"]
    assert [row["reason"] for row in everything["failures"]] == ["http_404"]
    assert rest == {
        "crawlId": "job1",
        "failures": [
            {
                "url": "https://owls.test/p",
                "reason": "robots",
                "message": "robots.txt disallows it.",
            }
        ],
    }


async def test_without_an_id_the_jobs_of_the_caller_are_listed() -> None:
    crawls = Crawls()
    at = await begun(crawls)
    await crawls.start_batch(["https://owls.test/a"], CrawlRequest(url=""), ALICE)

    both = await at.call(NAME, {})
    first = await at.call(NAME, {"limit": 1})
    batches = await at.call(NAME, {"kind": "batch", "status": "queued"})
    others = await at.call(NAME, {"id": None}, caller=BOB)

    assert both.structured
    assert [(row["crawlId"], row["kind"]) for row in both.structured["crawls"]] == [
        ("job2", "batch"), ("job1", "crawl"),
    ]  # fmt: skip
    assert both.structured["crawls"][1] == {
        "crawlId": "job1",
        "kind": "crawl",
        "url": "https://owls.test/",
        "status": "queued",
        "pagesFound": 0,
        "pagesCrawled": 0,
        "progress": 0.0,
        "createdAt": "2023-11-14T22:13:20Z",
    }
    assert first.structured
    assert (len(first.structured["crawls"]), first.structured["nextOffset"]) == (1, 1)
    assert batches.structured
    assert [row["crawlId"] for row in batches.structured["crawls"]] == ["job2"]
    assert others.structured == {"crawls": []}


async def test_batches_follow_each_other_to_the_last_page() -> None:
    crawls = Crawls(pages=5)
    at = await begun(crawls)
    crawls.become("job1", "completed", pagesCrawled=5)
    seen: list[str] = []
    offset: int | None = 0
    while offset is not None:
        found = await status(at, offset=offset, limit=2)
        seen += [page["url"] for page in found["pages"]]
        offset = found.get("nextOffset")

    assert seen == [f"https://owls.test/{n}" for n in range(5)]


async def test_a_crawl_under_way_always_has_a_next_offset() -> None:
    crawls = Crawls(pages=2)
    at = await begun(crawls)
    crawls.become("job1", "running", pagesCrawled=2, percent=40.5)

    found = await status(at)

    assert (found["status"], found["nextOffset"], found["progress"]) == ("running", 2, 40.5)
    assert "completedAt" not in found


async def test_pages_carry_the_content_the_crawl_was_asked_for() -> None:
    crawls = Crawls(pages=2)
    at = await begun(crawls, formats=("markdown", "links"))

    found = await status(at, offset=1)

    assert found["pages"][0]["content"] == {
        "markdown": "# Page 1",
        "links": ["https://owls.test/1"],
    }


async def test_a_crawl_can_be_ended_and_stays_ended() -> None:
    at = await begun(Crawls())

    ended = await status(at, cancel=True)
    again = await status(at, cancel=True)

    assert ended["status"] == "cancelled"
    assert again == ended


async def test_nobody_sees_the_crawls_of_others() -> None:
    at = await begun(Crawls())

    for arguments in ({"id": "job1"}, {"id": "job1", "cancel": True}, {"id": "nope"}):
        result = await at.call(NAME, arguments, caller=BOB)
        assert result.problem
        assert result.problem.block["kind"] == "not_found"
    assert (await status(at))["status"] == "queued"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"cancel": True}, "id: is required"),
        ({"errors": True}, "id: is required"),
        ({"id": "job1", "kind": "batch"}, "leave id out"),
        ({"status": "paused"}, "status: "),
        ({"id": "job1", "offset": -1}, "offset: "),
        ({"id": "job1", "offset": 10**30}, "offset: "),
        ({"id": "job1", "limit": 0}, "limit: "),
        ({"id": "job1", "limit": 101}, "limit: "),
    ],
)
async def test_wrong_arguments_are_named(arguments: dict[str, Any], words: str) -> None:
    result = await (await begun(Crawls())).call(NAME, arguments)

    assert result.problem
    assert words in result.problem.message


def test_arguments_and_defaults_are_those_of_the_contract() -> None:
    listed = cinder_get_crawl_status.definition()
    properties = listed["inputSchema"]["properties"]

    assert {name: schema.get("default") for name, schema in properties.items()} == {
        "max_tokens": None, "cursor": None, "id": None, "offset": 0, "limit": 50,
        "errors": False, "skipped": False, "cancel": False,
    }  # fmt: skip
    assert (properties["limit"]["minimum"], properties["limit"]["maximum"]) == (1, 100)
    assert set(listed["outputSchema"]["properties"]) == {
        "crawlId", "status", "pagesFound", "pagesCrawled", "progress", "pages", "nextOffset",
        "completedAt", "error", "errors", "skipped", "failures", "nextCursor", "movedTo",
        "stopReason",
    }  # fmt: skip


class LongPages(Crawls):
    """A crawl whose pages are long."""

    def __init__(self, *sizes: int) -> None:
        super().__init__(pages=len(sizes))
        self.texts = [f"{n}:" + "word " * (size // 5) for n, size in enumerate(sizes)]

    async def pages(
        self,
        job_id: str,
        caller: Caller,
        offset: int = 0,
        limit: int = 50,
        formats: Sequence[Format] | None = None,
    ) -> tuple[tuple[CrawledPage, ...], int]:
        pages, total = await super().pages(job_id, caller, offset, limit, formats)
        texts = self.texts[offset : offset + limit]
        return tuple(
            page.model_copy(update={"content": {"markdown": text, "text": text}})
            for page, text in zip(pages, texts, strict=True)
        ), total


async def read_on(at: CallHarness, **arguments: Any) -> list[dict[str, Any]]:
    """Return the rows of all pages, following nextCursor before nextOffset."""
    rows: list[dict[str, Any]] = []
    budget = arguments.get("max_tokens", 12_500)
    offset: int | None = 0
    while offset is not None:
        found = await status(at, offset=offset, **arguments)
        assert json_size(found) <= 4 * budget
        rows += found["pages"]
        after = found.get("nextOffset")
        while cursor := found.get("nextCursor"):
            found = await status(at, offset=offset, cursor=cursor, **arguments)
            assert json_size(found) <= 4 * budget
            rows += found["pages"]
        offset = after
    return rows


@pytest.mark.parametrize("arguments", [{}, {"max_tokens": 2000}, {"max_tokens": 600, "limit": 2}])
async def test_long_pages_follow_in_parts_and_none_is_cut_silently(
    arguments: dict[str, int],
) -> None:
    crawls = LongPages(3000, 400_000, 10, 9_000, 9_000, 0)
    at = await begun(crawls, formats=("markdown", "text"))
    crawls.become("job1", "completed", pagesCrawled=6)

    rows = await read_on(at, **arguments)

    for number, text in enumerate(crawls.texts):
        parts = [row for row in rows if row["url"] == f"https://owls.test/{number}"]
        for name in ("markdown", "text"):
            joined = [part["content"][name] for part in parts]
            assert (joined[0] if len(text) < 200 else "".join(joined)) == text
        assert len(parts) == 1 or all(part["partial"] for part in parts)


async def test_next_offset_skips_no_page_that_did_not_fit() -> None:
    crawls = LongPages(*[16_000] * 6)
    at = await begun(crawls, formats=("markdown", "text"))
    crawls.become("job1", "completed", pagesCrawled=6)

    found = await status(at)

    assert (len(found["pages"]), found["nextOffset"]) == (1, 1)
    assert "nextCursor" not in found
    assert "partial" not in found["pages"][0]
