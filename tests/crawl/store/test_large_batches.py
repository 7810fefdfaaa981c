"""A large batch is stored like single pages, with few statements."""

from dataclasses import replace

import pytest

from tests.crawl.store.test_contract import found_url, page, start_run, state_of
from webquarry.crawl.store.crawl_store import CrawlStore
from webquarry.crawl.store.crawl_values import ClaimRequest, CrawlBatch, CrawlCounts, VisitResult
from webquarry.crawl.store.listings import CrawlListings

pytestmark = pytest.mark.anyio

MANY = ClaimRequest(count=500)
URLS = [f"http://a/{number:03}" for number in range(150)]


async def test_a_large_batch_with_duplicates_and_large_pages(crawls: CrawlStore) -> None:
    run, _ = await start_run(crawls, max_pages=1000)
    links = [found_url(url) for url in URLS]
    turn = await crawls.commit(
        run, CrawlBatch(pages=[page("http://a/")], found_urls=links * 2), MANY
    )
    assert [claim.url for claim in turn.claims] == URLS

    pages = [page(url, depth=2) for url in URLS[:100]]
    pages[3] = replace(pages[3], body=b"x" * 200_000)
    pages[4] = replace(pages[4], visit=None)
    # a duplicate, a page whose canonical URL follows, a page whose canonical URL precedes
    pages[10] = page(URLS[10], text="9", depth=2)
    pages[9] = page(URLS[9], text="9", depth=2)
    pages[20] = page(URLS[20], text="20", canonical=URLS[21], depth=2)
    pages[21] = page(URLS[21], text="20", depth=2)
    pages[31] = page(URLS[31], text="30", canonical=URLS[30], depth=2)
    pages[30] = page(URLS[30], text="30", depth=2)
    batch = CrawlBatch(
        pages=[*pages, page(URLS[0], depth=2)],
        results=[VisitResult(key=found_url(url).key, outcome="robots") for url in URLS[100:]],
    )
    turn = await crawls.commit(run, batch, MANY)

    rows = await crawls.pages(run.job_id, after=0, limit=500, bodies=True)
    assert [row.seq for row in rows] == list(range(1, 99))
    left_out = {URLS[10], URLS[20], URLS[31]}
    assert {row.meta.decode() for row in rows} == {"http://a/", *URLS[:100]} - left_out
    assert len(max(rows, key=lambda row: len(row.body)).body) == 200_000
    assert turn.stored == {page.key for page in pages} - {pages[10].key, pages[31].key}
    assert await state_of(crawls, run) == (
        "completed",
        CrawlCounts(
            found=151,
            crawled=98,
            depth=2,
            outcomes={"duplicate": 2, "canonical": 2, "robots": 50},
            progress=1.0,
            stop_reason="frontier_exhausted",
        ),
    )
    outcomes = ("duplicate", "canonical", "robots")
    failed = await CrawlListings(crawls).failed_urls(run.job_id, outcomes, limit=500)
    assert {(url.url, url.outcome) for url in failed if url.outcome != "robots"} == {
        (URLS[10], "duplicate"), (URLS[20], "canonical"), (URLS[31], "canonical"),
    }  # fmt: skip
