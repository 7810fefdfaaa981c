"""A large batch is stored by a few statements, as if page by page."""

from dataclasses import replace

import pytest

from tests.crawl.store.test_contract import begun, found, page, state_of
from webquarry.crawl.store.crawl_values import ClaimRequest, CrawlBatch, CrawlCounts, VisitResult
from webquarry.crawl.store.sql import SqlCrawlStore

pytestmark = pytest.mark.anyio

MANY = ClaimRequest(count=500)
URLS = [f"http://a/{number:03}" for number in range(150)]


async def test_a_large_batch_with_doubles_and_large_pages(crawls: SqlCrawlStore) -> None:
    run, _ = await begun(crawls, max_pages=1000)
    links = [found(url) for url in URLS]
    turn = await crawls.commit(run, CrawlBatch(pages=[page("http://a/")], found=links * 2), MANY)
    assert [claim.url for claim in turn.claims] == URLS

    pages = [page(url, depth=2) for url in URLS[:100]]
    pages[3] = replace(pages[3], body=b"x" * 200_000)
    pages[4] = replace(pages[4], memory=None)
    # one says what the page before says, one names it as the better one, one is named by it
    pages[10] = page(URLS[10], says="9", depth=2)
    pages[9] = page(URLS[9], says="9", depth=2)
    pages[20] = page(URLS[20], says="20", canonical=URLS[21], depth=2)
    pages[21] = page(URLS[21], says="20", depth=2)
    pages[31] = page(URLS[31], says="30", canonical=URLS[30], depth=2)
    pages[30] = page(URLS[30], says="30", depth=2)
    batch = CrawlBatch(
        pages=[*pages, page(URLS[0], depth=2)],
        done=[VisitResult(key=found(url).key, outcome="robots") for url in URLS[100:]],
    )
    turn = await crawls.commit(run, batch, MANY)

    rows = await crawls.pages(run.job, after=0, most=500, bodies=True)
    assert [row.seq for row in rows] == list(range(1, 99))
    left_out = {URLS[10], URLS[20], URLS[31]}
    assert {row.meta.decode() for row in rows} == {"http://a/", *URLS[:100]} - left_out
    assert len(max(rows, key=lambda row: len(row.body)).body) == 200_000
    assert turn.stored == {page.key for page in pages} - {pages[10].key, pages[31].key}
    assert await state_of(crawls, run) == (
        "completed",
        CrawlCounts(
            found=151, crawled=98, depth=2, outcomes={"duplicate": 2, "canonical": 2, "robots": 50}
        ),
    )
    failures = await crawls.failures(run.job, most=500)
    assert {(url, why) for url, why, _ in failures if why != "robots"} == {
        (URLS[10], "duplicate"), (URLS[20], "canonical"), (URLS[31], "canonical"),
    }  # fmt: skip
