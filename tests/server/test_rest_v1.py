"""The REST interface: the contract of seed 002 over HTTP."""

import asyncio
import io
import json
import zipfile
from collections.abc import AsyncGenerator, AsyncIterator
from pathlib import Path
from typing import Any, cast

import pytest

from tests.crawl.crawl_service import ALICE as CRAWLER
from tests.crawl.crawl_service import open_crawl_service, run_crawl
from tests.crawl.site import running_site
from tests.server.rest_client import rest_client
from tests.services.cinder.fakes import Crawls
from tests.services.exports import sample_site
from tests.services.searching.fakes import broken, pages, provider
from tests.support import ALICE, BOB, CallHarness, override, services
from webquarry.crawl.stored_pages import StoredPages, StoredScreenshot
from webquarry.errors import NetworkError, PageError, RateLimitError
from webquarry.models.caller import Caller
from webquarry.models.crawl import CrawlFailure, CrawlJob, CrawlRequest
from webquarry.models.reading import RawResponse, Reading
from webquarry.net.url import Url
from webquarry.providers.provider import Provider
from webquarry.server.rest_streams import JobEvent, event_stream
from webquarry.services.cinder.cinder_crawls import crawl_summary
from webquarry.storage.artifacts import Artifacts
from webquarry.storage.memory_store import MemoryStore
from webquarry.wiring.container import Services

pytestmark = pytest.mark.anyio
PAGE = "https://owls.test/1"
BATCH = "/v1/batch/scrape"
CRAWL = "/v1/crawl/job1"
PROBLEM = "application/problem+json"


class OnePageReader:
    """Reads one page, or raises the given error."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error

    async def read(self, url: Url, seconds: float) -> Reading:
        if self.error:
            raise self.error
        return Reading(url=url.href, final_url=url.href, markdown="Owls \ud800.", kind="html")

    async def read_raw(self, url: Url, seconds: float, max_bytes: int) -> RawResponse:
        raise AssertionError("raw bytes were not requested")


def services_for(
    crawls: Crawls | None = None, error: Exception | None = None, found: Any = None
) -> Services:
    one = cast("Provider", provider("one", pages(3) if found is None else found))
    return override(services(one, reader=OnePageReader(error)), crawling=crawls or Crawls())


async def test_a_page_is_read() -> None:
    async with rest_client(services_for()) as client:
        response = await client.post("/v1/scrape", json={"url": PAGE})

    body = response.json()
    assert body.pop("loadTime") >= 0
    assert (response.status_code, response.headers["content-type"]) == (200, "application/json")
    assert body == {"url": PAGE, "content": "Owls ?.", "metadata": {}, "statusCode": 200}


async def test_the_web_is_searched() -> None:
    async with rest_client(services_for()) as client:
        response = await client.post("/v1/search", json={"query": "owls", "numResults": 2})

    body = response.json()
    assert [row["url"] for row in body["results"]] == [p.url for p in pages(2)]
    assert (body["hasMore"], body["nextOffset"]) == (True, 2)
    assert body["_meta"] == {"providers": ["one"]}


async def test_a_crawl_goes_from_its_start_to_its_pages() -> None:
    crawls = Crawls(pages=3)
    async with rest_client(services_for(crawls)) as client:
        started = await client.post("/v1/crawl", json={"url": PAGE})
        crawls.become("job1", "completed", pagesCrawled=3)
        found = await client.get(started.headers["location"], params={"offset": 1, "limit": 1})

    assert (started.status_code, started.headers["location"]) == (202, "/v1/crawl/job1")
    assert found.status_code == 200
    assert found.json() == {
        "crawlId": "job1",
        "status": "completed",
        "pagesFound": 3,
        "pagesCrawled": 3,
        "progress": 100.0,
        "pages": [
            {
                "url": "https://owls.test/1",
                "title": "Page 1",
                "statusCode": 200,
                "contentLength": 101,
            }
        ],
        "nextOffset": 2,
        "completedAt": "2023-11-14T22:14:20Z",
    }


async def test_a_crawl_with_wait_returns_200_when_completed() -> None:
    async with rest_client(services_for()) as client:
        response = await client.post("/v1/crawl", json={"url": PAGE, "wait": True})

    assert (response.status_code, response.json()["status"]) == (200, "completed")


async def test_the_same_idempotency_key_returns_the_same_crawl() -> None:
    key = {"Idempotency-Key": "k1"}
    async with rest_client(services_for()) as client:
        responses = [
            await client.post("/v1/crawl", json={"url": PAGE}, headers=key) for _ in range(2)
        ]
        other = await client.post("/v1/crawl", json={"url": PAGE, "maxPages": 3}, headers=key)
        fresh = await client.post("/v1/crawl", json={"url": PAGE})
        doubled = await client.post(
            "/v1/crawl", json={"url": PAGE}, headers=[("Idempotency-Key", "a")] * 2
        )

    assert [a.json()["crawlId"] for a in responses] == ["job1", "job1"]
    assert (other.status_code, other.json()["kind"]) == (400, "validation")
    assert fresh.json()["crawlId"] == "job2"
    assert doubled.json()["detail"] == "Idempotency-Key: send only one."


async def test_a_batch_goes_from_its_start_to_its_pages_and_errors() -> None:
    crawls = Crawls(pages=2)
    crawls.failed = (
        CrawlFailure(url=PAGE, reason="http_404", message="Not found.", depth=1, attempts=1),
        CrawlFailure(url=PAGE, reason="robots", message="Disallowed.", depth=1),
    )
    key = {"Idempotency-Key": "k1"}
    urls = [PAGE, "https://owls.test/2", "owls"]
    arguments = {"urls": urls, "ignoreInvalidURLs": True}
    async with rest_client(services_for(crawls)) as client:
        refused = await client.post(BATCH, json={"urls": urls})
        started = await client.post(BATCH, json=arguments, headers=key)
        again = await client.post(BATCH, json=arguments, headers=key)
        where = started.headers["location"]
        crawls.become("job1", "completed", pagesCrawled=2)
        found = (await client.get(where, params={"limit": 1})).json()
        errors = (await client.get(f"{where}/errors")).json()
        everything = (await client.get(f"{where}/errors?skipped=true&limit=1&offset=1")).json()
        wrong = await client.get(f"{where}/errors?errors=false")
        exported = await client.get(f"{where}/export")

    assert (refused.status_code, refused.json()["kind"]) == (400, "validation")
    assert (started.status_code, where) == (202, f"{BATCH}/job1")
    assert (
        started.json()
        == again.json()
        == {
            "crawlId": "job1",
            "status": "queued",
            "pagesFound": 2,
            "pagesCrawled": 0,
            "createdAt": "2023-11-14T22:13:20Z",
            "invalidURLs": [{"index": 2, "url": "owls", "reason": "it is not a complete URL"}],
        }
    )
    assert found["pages"][0]["content"] == {"markdown": "# Page 0"}
    assert [row["reason"] for row in errors["failures"]] == ["http_404"]
    assert [row["reason"] for row in everything["failures"]] == ["robots"]
    assert wrong.json()["detail"] == (
        "errors: no such parameter; allowed: skipped, offset, limit, max_tokens, cursor"
    )
    assert len(exported.text.splitlines()) == 2


async def test_crawls_are_listed() -> None:
    async with rest_client(services_for()) as client:
        await client.post("/v1/crawl", json={"url": PAGE})
        await client.post(BATCH, json={"urls": [PAGE]})
        everything = (await client.get("/v1/crawl")).json()
        batches = (await client.get("/v1/crawl", params={"kind": "batch", "limit": 1})).json()
        wrong = await client.get("/v1/crawl", params={"status": "paused"})

    assert [row["crawlId"] for row in everything["crawls"]] == ["job2", "job1"]
    assert [row["kind"] for row in batches["crawls"]] == ["batch"]
    assert (wrong.status_code, wrong.json()["kind"]) == (400, "validation")


async def test_a_crawl_is_cancelled_by_deleting_it() -> None:
    async with rest_client(services_for()) as client:
        await client.post("/v1/crawl", json={"url": PAGE})
        gone = await client.delete("/v1/crawl/job1")

    assert (gone.status_code, gone.json()["status"]) == (200, "cancelled")


async def test_reading_a_crawl_never_cancels_it() -> None:
    async with rest_client(services_for()) as client:
        await client.post("/v1/crawl", json={"url": PAGE})
        refused = await client.get("/v1/crawl/job1", params={"cancel": "true"})
        after = await client.get("/v1/crawl/job1")

    assert (
        refused.json()["detail"]
        == "cancel: no such parameter; allowed: offset, limit, max_tokens, cursor"
    )
    assert (refused.status_code, after.json()["status"]) == (400, "queued")


def events(text: str) -> list[tuple[str, dict[str, Any]]]:
    blocks = [dict(line.split(": ", 1) for line in b.split("\n")) for b in text.split("\n\n") if b]
    return [(block["event"], json.loads(block["data"])) for block in blocks]


async def test_events_follow_a_crawl_to_its_end() -> None:
    crawls = Crawls(
        {"state": "running", "pagesCrawled": 1, "pagesFound": 4, "percent": 25.0},
        {"state": "running", "pagesCrawled": 1, "pagesFound": 4, "percent": 25.0},
        {"state": "completed", "pagesCrawled": 4},
    )
    async with rest_client(services_for(crawls)) as client:
        await client.post("/v1/crawl", json={"url": PAGE, "maxPages": 4})
        response = await client.get("/v1/crawl/job1/events")

    assert response.headers["content-type"].startswith("text/event-stream")
    states = [(name, data["status"], data["progress"]) for name, data in events(response.text)]
    assert states == [
        ("progress", "queued", 0.0),
        ("progress", "running", 25.0),
        ("completed", "completed", 100.0),
    ]


async def test_an_idle_event_stream_sends_keep_alive_comments() -> None:
    crawls = Crawls()
    job = await crawls.start(CrawlRequest.model_validate({"url": PAGE}), ALICE)
    quiet = asyncio.Event()

    async def jobs() -> AsyncGenerator[JobEvent]:
        yield JobEvent("progress", crawl_summary(job))
        await quiet.wait()
        yield JobEvent("completed", crawl_summary(crawls.become(job.id, "completed")))

    stream = cast("Any", event_stream(jobs(), every=0.001)).body_iterator
    first = await anext(stream)
    assert b"event: progress" in first
    assert await anext(stream) == b": still here\n\n"
    quiet.set()
    rest = [chunk async for chunk in stream]
    assert b"event: completed" in rest[-1]


async def test_a_stream_that_fails_ends_with_the_problem() -> None:
    class Failing(Crawls):
        async def watch(self, job_id: str, caller: Caller) -> AsyncIterator[CrawlJob]:
            yield await self.job(job_id, caller)
            raise NetworkError("the store is gone")

    async with rest_client(services_for(Failing())) as client:
        await client.post("/v1/crawl", json={"url": PAGE})
        response = await client.get("/v1/crawl/job1/events")

    name, data = events(response.text)[-1]
    assert (name, data["kind"], data["detail"]) == ("error", "network", "the store is gone")


async def test_pages_are_exported_line_by_line() -> None:
    async with rest_client(services_for(Crawls(pages=2))) as client:
        await client.post("/v1/crawl", json={"url": PAGE})
        usual = await client.get("/v1/crawl/job1/export")
        chosen = await client.get("/v1/crawl/job1/export?formats=text,links")
        wrong = await client.get("/v1/crawl/job1/export?formats=pdf")

    lines = [json.loads(line) for line in usual.text.splitlines()]
    assert usual.headers["content-type"].startswith("application/x-ndjson")
    assert [(line["url"], line["content"]) for line in lines] == [
        ("https://owls.test/0", {"markdown": "# Page 0"}),
        ("https://owls.test/1", {"markdown": "# Page 1"}),
    ]
    assert json.loads(chosen.text.splitlines()[0])["content"] == {
        "text": "Page 0", "links": ["https://owls.test/1"]
    }  # fmt: skip
    assert wrong.json()["detail"] == (
        "formats: 'pdf' is none of markdown, html, rawHtml, text, links, images, json, summary,"
        " screenshot"
    )


async def test_a_crawl_is_exported_in_the_requested_form() -> None:
    async with rest_client(services_for(Crawls(pages=2))) as client:
        await client.post("/v1/crawl", json={"url": PAGE})
        table = await client.get("/v1/crawl/job1/export?as=csv&formats=text")
        listed = await client.get("/v1/crawl/job1/export?as=llms")
        full = await client.get("/v1/crawl/job1/export", params={"as": "llms-full"})
        wrong = await client.get("/v1/crawl/job1/export?as=xml")
        ignored = await client.get("/v1/crawl/job1/export?as=llms&formats=text")

    assert table.headers["content-type"] == "text/csv; charset=utf-8"
    assert table.headers["content-disposition"] == 'attachment; filename="crawl-job1.csv"'
    head, *rows = table.text.splitlines()
    assert head.startswith("url,title,status,depth,")
    assert head.endswith(",text")
    assert [row.split(",")[0] for row in rows] == ["https://owls.test/0", "https://owls.test/1"]
    assert listed.headers["content-type"] == "text/plain; charset=utf-8"
    assert "- [Page 1](https://owls.test/1)" in listed.text
    assert full.text.count("\nSource: https://owls.test/") == 2
    assert (wrong.status_code, wrong.json()["fields"]) == (400, ["as"])
    assert (ignored.status_code, ignored.json()["fields"]) == (400, ["formats"])


async def test_a_crawl_is_exported_as_a_zip_of_linked_files(tmp_path: Path) -> None:
    with running_site(sample_site.handle) as site:
        async with open_crawl_service(tmp_path) as crawling:
            job = await run_crawl(crawling, CrawlRequest(url=f"{site.url}/", max_depth=9))
            found = override(services(reader=OnePageReader()), crawling=crawling)
            async with rest_client(found, caller=CRAWLER) as client:
                zipped = await client.get(f"/v1/crawl/{job.id}/export?as=markdown")

    assert zipped.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(zipped.content)) as archive:
        assert {"index.md", "guide/index.md", "guide/parts.md"} <= set(archive.namelist())


@pytest.mark.parametrize("path", ["", "/errors", "/events", "/export"])
async def test_crawls_of_other_users_are_not_found(path: str) -> None:
    crawls = Crawls()
    await crawls.start(CrawlRequest.model_validate({"url": PAGE}), ALICE)
    async with rest_client(services_for(crawls), caller=BOB) as client:
        response = await client.get(f"/v1/crawl/job1{path}")

    assert (response.status_code, response.json()["kind"]) == (404, "not_found")


@pytest.mark.parametrize(
    ("path", "content", "status", "detail"),
    [
        ("scrape", b"{}", 400, "cinder_scrape: url: is required"),
        ("scrape", b"", 400, "cinder_scrape: url: is required"),
        ("scrape", b"[1]", 400, "cinder_scrape: arguments must be an object of named values"),
        ("scrape", b"{broken", 400, "The body must be one JSON object of arguments."),
        ("search", b'{"query": "\\ud800"}', 400, "The body must be one JSON object of arguments."),
        ("crawl", b"[]", 400, "cinder_crawl: arguments must be an object of named values"),
        ("scrape", b'{"url": "' + b"x" * 10_000 + b'"}', 413,
         "The body is larger than MAX_REQUEST_BODY_BYTES=10000."),
    ],
)  # fmt: skip
async def test_invalid_requests_have_a_status_and_a_reason(
    path: str, content: bytes, status: int, detail: str
) -> None:
    async with rest_client(services_for()) as client:
        response = await client.post(f"/v1/{path}", content=content)

    body = response.json()
    assert (response.status_code, body["status"]) == (status, status)
    assert response.headers["content-type"] == PROBLEM
    assert (body["detail"], body["kind"]) == (detail, "validation")
    assert body["suggestedAction"] == "fix_arguments"


@pytest.mark.parametrize(
    ("error", "status", "kind"),
    [
        (NetworkError("no answer"), 424, "network"),
        (PageError("nothing to read"), 422, "content_empty"),
        (RateLimitError("slower", retry_after=7), 429, "rate_limited"),
        (ZeroDivisionError(), 500, "internal"),
    ],
)
async def test_only_internal_errors_have_a_5xx_status(
    error: Exception, status: int, kind: str
) -> None:
    async with rest_client(services_for(error=error)) as client:
        response = await client.post("/v1/scrape", json={"url": PAGE})

    assert (response.status_code, response.json()["kind"]) == (status, kind)
    waits = {"rate_limited": "7", "network": "5", "content_empty": "60"}
    assert response.headers.get("retry-after") == waits.get(kind)


async def test_a_provider_that_fails_is_a_failed_dependency() -> None:
    async with rest_client(services_for(found=broken("one"))) as client:
        response = await client.post("/v1/search", json={"query": "owls"})

    assert response.status_code == 424
    assert response.json()["suggestedAction"] == "try_different_provider"


async def test_extraction_returns_what_the_tool_does() -> None:
    arguments = {"urls": [PAGE], "prompt": "title"}
    async with rest_client(services_for()) as client:
        response = await client.post("/v1/extract", json=arguments)
        wrong = await client.post("/v1/extract", json={"urls": [], "prompt": "title"})

    assert response.status_code == 200
    assert [page["url"] for page in response.json()["results"]] == [PAGE]
    assert set(response.json()["results"][0]["data"]) == {"title"}
    assert (wrong.status_code, wrong.json()["kind"]) == (400, "validation")


async def test_scopes_and_call_records_apply_to_rest_calls() -> None:
    narrow = Caller(tenant="acme", user="alice", scopes=frozenset({"tool:cinder_search"}))
    found = services_for()
    harness = CallHarness((), services=found)
    async with rest_client(found, caller=narrow, harness=harness) as client:
        refused = await client.post("/v1/scrape", json={"url": PAGE})
        allowed = await client.post("/v1/search", json={"query": "owls"})

    assert (refused.status_code, refused.json()["kind"]) == (403, "auth_required")
    assert allowed.status_code == 200
    assert [record.tool for record in harness.records] == ["cinder_scrape", "cinder_search"]


@pytest.mark.parametrize(
    ("toolsets", "offered"),
    [
        (
            ("default",),
            {"/v1/scrape", "/v1/search", "/v1/crawl", "/v1/map", "/v1/extract", BATCH},
        ),
        (("cinder",), {"/v1/scrape", "/v1/search"}),
        (("crawl",), {"/v1/crawl", "/v1/map", "/v1/extract", BATCH}),
        (("starter",), set[str]()),
    ],
)
async def test_disabled_toolsets_have_no_routes(
    toolsets: tuple[str, ...], offered: set[str]
) -> None:
    found: set[str] = set()
    async with rest_client(services_for(), toolsets=toolsets) as client:
        document = (await client.get("/v1/openapi.json")).json()
        for path in ("/v1/scrape", "/v1/search", "/v1/crawl", "/v1/map", "/v1/extract", BATCH):
            response = await client.post(path, json={"url": PAGE, "query": "owls"})
            found |= {path} if response.status_code != 404 else set()

    assert found == offered
    listed = offered | ({"/v1/check", "/v1/parse"} if toolsets == ("default",) else set[str]())
    assert {path for path in document["paths"] if "{" not in path} == listed


class Screenshots:
    """Has the screenshot of the first page of each crawl."""

    async def screenshot(self, job_id: str, number: int) -> StoredScreenshot | None:
        return StoredScreenshot(b"img", "image/webp") if number == 1 else None


async def test_the_screenshot_of_a_page_is_served_to_the_owner_of_the_crawl() -> None:
    crawls = Crawls()
    crawls.stored_pages = cast("StoredPages", Screenshots())
    async with rest_client(services_for(crawls)) as client:
        await client.post("/v1/crawl", json={"url": PAGE})
        paths = [f"{CRAWL}/screenshots/{n}" for n in ("1", "2", "0", "x")]
        paths += ["/v1/batch/scrape/job1/screenshots/1", "/v1/crawl/job2/screenshots/1"]
        found = [await client.get(path) for path in paths]

    assert [response.status_code for response in found] == [200, 404, 400, 400, 200, 404]
    assert (found[0].content, found[0].headers["content-type"]) == (b"img", "image/webp")
    assert found[1].json()["detail"] == "page 2 of job1 has no screenshot"
    assert found[3].json()["detail"] == "number: must be the number of a page, from 1"


async def test_an_artifact_is_served_to_its_owner_only() -> None:
    artifacts = Artifacts(MemoryStore())
    own = await artifacts.put(b"img", mime="image/png", tenant=ALICE.tenant, owner=ALICE.user)
    other = await artifacts.put(b"his", mime="image/png", tenant=BOB.tenant, owner=BOB.user)
    async with rest_client(override(services_for(), artifacts=artifacts)) as client:
        found = await client.get(f"/v1/artifacts/{own.id}")
        hidden = await client.get(f"/v1/artifacts/{other.id}")

    assert (found.status_code, found.content) == (200, b"img")
    assert found.headers["content-type"] == "image/png"
    assert (hidden.status_code, hidden.json()["kind"]) == (404, "not_found")
