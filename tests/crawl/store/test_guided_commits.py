"""Guided crawls in every crawl store: the best URL first, and what all runs have seen."""

import pytest

from tests.crawl.store.test_contract import CLAIM, SALT, found_url, page, start_run, state_of
from webquarry.crawl.store.crawl_store import CrawlStore
from webquarry.crawl.store.crawl_values import (
    ClaimRequest,
    CrawlBatch,
    FoundUrl,
    VisitResult,
    url_key,
)
from webquarry.crawl.store.guide_state import GuideState

pytestmark = pytest.mark.anyio

ONE = ClaimRequest(count=1)
PAGE_1 = GuideState(
    pages=1, words=90, page_counts=(1, 0), links=2, link_counts=(2, 1), best=0.5, gains=1
)
PAGE_2 = GuideState(pages=1, words=10, page_counts=(1, 1), best=0.1, idle=1)


def ranked(url: str, rank: float) -> FoundUrl:
    found = found_url(url)
    return FoundUrl(key=found.key, url=url, host=found.host, depth=2, rank=rank)


async def test_the_most_promising_urls_are_claimed_first(crawls: CrawlStore) -> None:
    run, _ = await start_run(crawls)
    found = [ranked("http://a/1", -0.1), ranked("http://a/2", -0.7), ranked("http://a/3", -0.4)]

    turn = await crawls.commit(run, CrawlBatch(pages=[page("http://a/")], found_urls=found), CLAIM)

    assert [claim.url for claim in turn.claims] == ["http://a/2", "http://a/3", "http://a/1"]


async def test_another_link_can_raise_a_url_and_not_lower_it(crawls: CrawlStore) -> None:
    run, _ = await start_run(crawls)
    found = [ranked("http://a/1", -0.1), ranked("http://a/2", -0.2), ranked("http://a/3", -0.3)]
    await crawls.commit(
        run, CrawlBatch(pages=[page("http://a/")], found_urls=found), ClaimRequest(count=0)
    )
    better = {url_key(SALT, "http://a/1"): -0.9, url_key(SALT, "http://a/3"): -0.25}

    turn = await crawls.commit(run, CrawlBatch(ranks=better), CLAIM)

    assert [claim.url for claim in turn.claims] == ["http://a/1", "http://a/3", "http://a/2"]


async def test_every_run_gets_what_all_runs_have_seen(crawls: CrawlStore) -> None:
    run, _ = await start_run(crawls)
    found = [ranked("http://a/1", -0.1)]
    first = CrawlBatch(pages=[page("http://a/")], found_urls=found, guide=PAGE_1)
    assert (await crawls.commit(run, first, ClaimRequest(count=0))).guide == PAGE_1

    other = await crawls.begin(run.job_id)
    assert other is not None
    assert other.guide == PAGE_1
    (claim,) = (await crawls.commit(other, CrawlBatch(), ONE)).claims
    second = CrawlBatch(
        pages=[page(claim.url)], found_urls=[ranked("http://a/2", -0.2)], guide=PAGE_2
    )
    turn = await crawls.commit(other, second, ClaimRequest(count=0))

    both = GuideState(
        pages=2, words=100, page_counts=(2, 1), links=2, link_counts=(2, 1), best=0.5, gains=1,
        idle=1,
    )  # fmt: skip
    assert turn.guide == both
    assert (await state_of(crawls, run))[1].guide == both


async def test_a_saturated_crawl_ends_when_its_last_pages_are_stored(crawls: CrawlStore) -> None:
    run, _ = await start_run(crawls)
    found = [ranked(f"http://a/{n}", -0.1) for n in range(1, 4)]
    first = CrawlBatch(pages=[page("http://a/")], found_urls=found)
    (claim,) = (await crawls.commit(run, first, ONE)).claims

    waiting = await crawls.commit(run, CrawlBatch(saturated=True), CLAIM)
    assert (waiting.state, waiting.claims) == ("running", ())
    last = CrawlBatch(results=[VisitResult(key=claim.key, outcome="http_404")], saturated=True)
    ended = await crawls.commit(run, last, CLAIM)

    assert ended.state == "completed"
    state, counts = await state_of(crawls, run)
    assert (state, counts.stop_reason) == ("completed", "saturated")
    assert counts.outcomes == {"http_404": 1, "saturated": 2}


def test_later_pages_without_a_gain_add_up_and_a_gain_starts_again() -> None:
    idle = GuideState(pages=3, idle=3)
    assert idle.merged_with(PAGE_2).idle == 4
    assert idle.merged_with(PAGE_1).idle == 0
    assert PAGE_1.merged_with(idle).idle == 3


@pytest.mark.parametrize(("best", "idle"), [(1.0, 15), (0.5, 35), (0.0, 55)])
def test_a_crawl_with_a_good_page_ends_sooner(best: float, idle: int) -> None:
    assert not GuideState(pages=20, best=best, idle=idle - 1).is_saturated
    assert GuideState(pages=20, best=best, idle=idle).is_saturated


def test_a_long_crawl_ends_later() -> None:
    assert not GuideState(pages=100, best=1.0, idle=39).is_saturated
    assert GuideState(pages=100, best=1.0, idle=40).is_saturated
