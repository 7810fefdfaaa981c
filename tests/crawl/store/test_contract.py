"""What every database of crawls promises."""

import asyncio
import secrets
from dataclasses import replace

import pytest

from webquarry.crawl.store.crawl_values import (
    ClaimRequest,
    CommitResult,
    CrawlBatch,
    CrawlCounts,
    CrawlLease,
    FencedError,
    FoundUrl,
    NewJob,
    NewPage,
    PreviousVisit,
    TooManyJobsError,
    VisitResult,
    key_of,
)
from webquarry.crawl.store.sql import SqlCrawlStore
from webquarry.models.crawl import State

pytestmark = pytest.mark.anyio

SALT = b"s" * 32
NOW = 4_000_000_000.0
SOME = ClaimRequest(count=10)


def found(url: str, depth: int = 2, outcome: str = "") -> FoundUrl:
    return FoundUrl(key=key_of(SALT, url), url=url, host=b"h" * 16, depth=depth, outcome=outcome)


def new_job(**changes: object) -> NewJob:
    job = NewJob(
        id=secrets.token_urlsafe(16),
        tenant="acme",
        user="alice",
        request=b'{"url": "http://a/"}',
        salt=SALT,
        site="http://a/",
        max_pages=100,
        created=NOW,
        expires=NOW + 60,
        start=found("http://a/", depth=1),
    )
    return replace(job, **changes)  # pyright: ignore[reportArgumentType]


def page(url: str, *, says: str = "", canonical: str = "", depth: int = 1) -> NewPage:
    return NewPage(
        key=key_of(SALT, url),
        depth=depth,
        meta=url.encode(),
        body=b"body of " + url.encode(),
        fingerprint=(says or url).encode()[:16],
        sketch=-5,
        canonical=key_of(SALT, canonical) if canonical else b"",
        memory=PreviousVisit(etag='"1"', hash=url),
    )


async def begun(crawls: SqlCrawlStore, **changes: object) -> tuple[CrawlLease, CommitResult]:
    """A run of a new crawl that has claimed the start page."""
    job = await crawls.create(new_job(**changes), most=5)
    run = await crawls.begin(job.id)
    assert run is not None
    return run, await crawls.commit(run, CrawlBatch(), SOME)


async def state_of(crawls: SqlCrawlStore, run: CrawlLease) -> tuple[State, CrawlCounts]:
    job = await crawls.job(run.job)
    assert job is not None
    return job.state, job.counts


async def test_a_new_crawl_is_queued_with_its_start_page(crawls: SqlCrawlStore) -> None:
    job = new_job()

    created = await crawls.create(job, most=5)

    assert (created.state, created.tenant, created.user) == ("queued", "acme", "alice")
    assert created.request == job.request
    assert created.counts == CrawlCounts(found=1)
    assert await crawls.job(job.id) == created
    assert await crawls.jobs(tenant="acme", user="alice") == [created]
    assert await crawls.jobs(tenant="acme", user="bob") == []
    assert await crawls.waiting() == [job.id]


async def test_pages_done_marks_and_found_addresses_are_stored_together(
    crawls: SqlCrawlStore,
) -> None:
    run, turn = await begun(crawls)
    assert [claim.url for claim in turn.claims] == ["http://a/"]

    batch = CrawlBatch(pages=[page("http://a/")], found=[found("http://a/1"), found("http://a/2")])
    turn = await crawls.commit(run, batch, SOME)

    assert [claim.url for claim in turn.claims] == ["http://a/1", "http://a/2"]
    assert turn.stored == {key_of(SALT, "http://a/")}
    assert await state_of(crawls, run) == (
        "running",
        CrawlCounts(found=3, crawled=1, depth=1, outcomes={}),
    )
    rows = await crawls.pages(run.job, after=0, most=10, bodies=True)
    assert [(row.seq, row.meta, row.body) for row in rows] == [
        (1, b"http://a/", b"body of http://a/")
    ]


async def test_a_crawl_without_open_addresses_is_completed(crawls: SqlCrawlStore) -> None:
    run, _ = await begun(crawls)

    turn = await crawls.commit(run, CrawlBatch(pages=[page("http://a/")]), SOME)

    assert turn.state == "completed"
    assert (await state_of(crawls, run))[0] == "completed"
    assert await crawls.begin(run.job) is None


async def test_no_more_pages_than_asked_for_are_claimed(crawls: SqlCrawlStore) -> None:
    run, _ = await begun(crawls, max_pages=3)
    links = [found(f"http://a/{number}") for number in range(9)]

    turn = await crawls.commit(run, CrawlBatch(pages=[page("http://a/")], found=links), SOME)
    assert len(turn.claims) == 2  # one page is there

    urls = [claim.url for claim in turn.claims]
    turn = await crawls.commit(run, CrawlBatch(pages=[page(url, depth=2) for url in urls]), SOME)

    assert turn.state == "completed"
    assert await state_of(crawls, run) == (
        "completed",
        CrawlCounts(found=10, crawled=3, depth=2, outcomes={"page_limit": 7}),
    )


async def test_an_address_is_claimed_once_however_often_it_is_found(crawls: SqlCrawlStore) -> None:
    run, _ = await begun(crawls)
    other = await crawls.begin(run.job)
    assert other is not None

    first = await crawls.commit(run, CrawlBatch(found=[found("http://a/1")] * 2), SOME)
    second = await crawls.commit(other, CrawlBatch(found=[found("http://a/1")]), SOME)

    assert [claim.url for claim in first.claims] == ["http://a/1"]
    assert second.claims == ()
    assert second.runs == 2


async def test_a_run_that_is_taken_for_dead_can_write_nothing(
    crawls: SqlCrawlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, turn = await begun(crawls)
    monkeypatch.setattr("webquarry.crawl.store.commits.LEASE", -1.0)  # silent for too long
    heir = await crawls.begin(run.job)
    assert heir is not None
    monkeypatch.undo()

    again = await crawls.commit(heir, CrawlBatch(), SOME)
    with pytest.raises(FencedError):
        await crawls.commit(run, CrawlBatch(pages=[page("http://a/")]), SOME)

    assert [claim.url for claim in again.claims] == [claim.url for claim in turn.claims]
    assert again.claims[0].crashes == 1
    assert (await state_of(crawls, run))[1].crawled == 0


async def test_a_run_that_leaves_gives_its_claims_back(crawls: SqlCrawlStore) -> None:
    run, _ = await begun(crawls)

    await crawls.leave(run)

    assert await crawls.waiting() == [run.job]
    heir = await crawls.begin(run.job)
    assert heir is not None
    turn = await crawls.commit(heir, CrawlBatch(), SOME)
    assert [(claim.url, claim.crashes) for claim in turn.claims] == [("http://a/", 0)]


async def test_a_page_that_says_the_same_is_a_duplicate(crawls: SqlCrawlStore) -> None:
    run, _ = await begun(crawls)
    batch = CrawlBatch(pages=[page("http://a/", says="x")], found=[found("http://a/1")])
    await crawls.commit(run, batch, SOME)

    turn = await crawls.commit(run, CrawlBatch(pages=[page("http://a/1", says="x")]), SOME)

    assert turn.stored == frozenset()
    assert (await state_of(crawls, run))[1] == CrawlCounts(
        found=2, crawled=1, depth=1, outcomes={"duplicate": 1}
    )
    assert await crawls.failures(run.job, most=5) == [("http://a/1", "duplicate", 2)]


async def test_the_canonical_address_takes_the_place_of_its_double(crawls: SqlCrawlStore) -> None:
    run, _ = await begun(crawls)
    batch = CrawlBatch(
        pages=[page("http://a/", says="x", canonical="http://a/1")], found=[found("http://a/1")]
    )
    await crawls.commit(run, batch, SOME)

    turn = await crawls.commit(run, CrawlBatch(pages=[page("http://a/1", says="x")]), SOME)

    rows = await crawls.pages(run.job, after=0, most=10, bodies=False)
    assert [(row.seq, row.meta) for row in rows] == [(1, b"http://a/1")]
    assert turn.stored == {key_of(SALT, "http://a/1")}
    assert (await state_of(crawls, run))[1] == CrawlCounts(
        found=2, crawled=1, depth=1, outcomes={"canonical": 1}
    )


async def test_a_failure_that_may_pass_is_tried_again_later(crawls: SqlCrawlStore) -> None:
    run, turn = await begun(crawls)
    (claim,) = turn.claims

    later = await crawls.commit(
        run, CrawlBatch(done=[VisitResult(key=claim.key, again=60.0)]), SOME
    )
    assert (later.state, later.claims) == ("running", ())

    heir = await crawls.begin(run.job)
    assert heir is not None
    soon, turn = await begun(crawls)
    again = CrawlBatch(done=[VisitResult(key=turn.claims[0].key, again=0.001)])
    await crawls.commit(soon, again, ClaimRequest(count=0))
    await asyncio.sleep(0.01)
    turn = await crawls.commit(soon, CrawlBatch(), SOME)
    assert [claim.attempts for claim in turn.claims] == [1]


async def test_skipped_addresses_are_counted_once_by_reason(crawls: SqlCrawlStore) -> None:
    run, _ = await begun(crawls)
    skipped = [found("http://a/x", outcome="excluded"), found("http://a/y", outcome="trap")]

    await crawls.commit(run, CrawlBatch(found=skipped), SOME)
    await crawls.commit(run, CrawlBatch(found=skipped), SOME)

    assert (await state_of(crawls, run))[1].outcomes == {"excluded": 1, "trap": 1}


async def test_an_address_that_was_too_deep_is_read_when_it_is_found_nearer(
    crawls: SqlCrawlStore,
) -> None:
    run, _ = await begun(crawls)
    await crawls.commit(run, CrawlBatch(found=[found("http://a/1", 5, "too_deep")]), SOME)

    turn = await crawls.commit(run, CrawlBatch(found=[found("http://a/1", 2)]), SOME)

    assert [(claim.url, claim.depth) for claim in turn.claims] == [("http://a/1", 2)]
    assert (await state_of(crawls, run))[1] == CrawlCounts(found=2)


async def test_requests_to_a_host_are_spread_over_all_runs(crawls: SqlCrawlStore) -> None:
    run, _ = await begun(crawls)
    other = await crawls.begin(run.job)
    assert other is not None
    host = secrets.token_bytes(16)
    links = [replace(found(f"http://a/{number}"), host=host) for number in range(20)]
    paced = ClaimRequest(count=3, delay=60.0)

    first = await crawls.commit(run, CrawlBatch(found=links), paced)
    second = await crawls.commit(other, CrawlBatch(), paced)

    assert [len(first.claims), len(second.claims)] == [1, 0]
    assert first.claims[0].wait == 0
    assert second.idle == 1.0  # nobody sleeps so long that others take it for dead


async def test_a_host_that_asks_for_it_is_left_alone(crawls: SqlCrawlStore) -> None:
    run, _ = await begun(crawls)
    host = secrets.token_bytes(16)

    link = replace(found("http://a/1"), host=host)
    turn = await crawls.commit(run, CrawlBatch(found=[link], pauses={host: 30.0}), SOME)

    assert turn.claims == ()
    assert turn.state == "running"


async def test_a_cancelled_crawl_keeps_its_pages_and_takes_no_more(crawls: SqlCrawlStore) -> None:
    run, _ = await begun(crawls)
    await crawls.commit(
        run, CrawlBatch(pages=[page("http://a/")], found=[found("http://a/1")]), SOME
    )

    assert await crawls.end(run.job, "cancelled")
    assert not await crawls.end(run.job, "failed", "too late")
    turn = await crawls.commit(run, CrawlBatch(pages=[page("http://a/1")]), SOME)

    assert (turn.state, turn.claims) == ("cancelled", ())
    assert len(await crawls.pages(run.job, after=0, most=10, bodies=False)) == 1


async def test_why_a_crawl_failed_is_kept(crawls: SqlCrawlStore) -> None:
    run, _ = await begun(crawls)

    await crawls.end(run.job, "failed", "no browser")

    job = await crawls.job(run.job)
    assert job is not None
    assert (job.state, job.error) == ("failed", "no browser")


async def test_the_next_crawl_of_a_site_knows_the_pages_of_the_last(crawls: SqlCrawlStore) -> None:
    run, _ = await begun(crawls)
    await crawls.commit(run, CrawlBatch(pages=[page("http://a/")]), SOME)

    again, turn = await begun(crawls)

    assert turn.claims[0].memory == PreviousVisit(etag='"1"', hash="http://a/")
    assert again.previous is not None
    assert again.previous[1] == run.job
    kept = await crawls.page(run.job, key_of(SALT, "http://a/"))
    assert kept is not None
    assert kept.body == b"body of http://a/"


async def test_markdown_is_kept_beside_the_page(crawls: SqlCrawlStore) -> None:
    run, _ = await begun(crawls)
    await crawls.commit(run, CrawlBatch(pages=[page("http://a/")]), SOME)
    (row,) = await crawls.pages(run.job, after=0, most=1, bodies=True)

    await crawls.keep_markdown(run.job, [(row, b"# Title")])

    (row,) = await crawls.pages(run.job, after=0, most=1, bodies=True)
    assert row.markdown == b"# Title"
    assert await crawls.sketches(run) == [(-5, row.key)]


async def test_the_same_key_is_the_same_crawl(crawls: SqlCrawlStore) -> None:
    first = await crawls.create(new_job(idempotency="k"), most=1)
    second = await crawls.create(new_job(idempotency="k"), most=1)
    other = await crawls.create(new_job(idempotency="k", user="bob"), most=1)

    assert first.id == second.id
    assert other.id != first.id


async def test_an_owner_has_so_many_unfinished_crawls(crawls: SqlCrawlStore) -> None:
    await crawls.create(new_job(), most=2)
    await crawls.create(new_job(), most=2)

    with pytest.raises(TooManyJobsError):
        await crawls.create(new_job(), most=2)
    await crawls.create(new_job(user="bob"), most=2)


async def test_erasure_leaves_nothing_of_its_owner(crawls: SqlCrawlStore) -> None:
    run, _ = await begun(crawls)
    await crawls.commit(run, CrawlBatch(pages=[page("http://a/")]), SOME)
    kept = await crawls.create(new_job(user="bob"), most=5)

    assert await crawls.erase(tenant="acme", user="alice") == 1

    assert await crawls.job(run.job) is None
    assert await crawls.pages(run.job, after=0, most=10, bodies=False) == []
    assert await crawls.job(kept.id) == kept
    with pytest.raises(FencedError):
        await crawls.commit(run, CrawlBatch(), SOME)


async def test_what_has_expired_is_swept(crawls: SqlCrawlStore) -> None:
    old = await crawls.create(new_job(expires=1.0), most=5)
    new = await crawls.create(new_job(), most=5)

    assert await crawls.sweep() == 1

    assert await crawls.job(old.id) is None
    assert await crawls.job(new.id) == new
