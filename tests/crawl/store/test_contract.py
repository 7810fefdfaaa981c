"""The contract of every crawl store."""

import asyncio
import secrets
from dataclasses import replace

import pytest

from webquarry.crawl.store.crawl_store import CrawlStore
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
    url_key,
)
from webquarry.crawl.store.listings import CrawlListings, JobFilter
from webquarry.models.crawl import State

pytestmark = pytest.mark.anyio

SALT = b"s" * 32
NOW = 4_000_000_000.0
CLAIM = ClaimRequest(count=10)


def found_url(url: str, depth: int = 2, outcome: str = "") -> FoundUrl:
    return FoundUrl(key=url_key(SALT, url), url=url, host=b"h" * 16, depth=depth, outcome=outcome)


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
        start_urls=(found_url("http://a/", depth=1),),
    )
    return replace(job, **changes)  # pyright: ignore[reportArgumentType]


def page(url: str, *, text: str = "", canonical: str = "", depth: int = 1) -> NewPage:
    return NewPage(
        key=url_key(SALT, url),
        depth=depth,
        meta=url.encode(),
        body=b"body of " + url.encode(),
        fingerprint=(text or url).encode()[:16],
        simhash=-5,
        canonical=url_key(SALT, canonical) if canonical else b"",
        visit=PreviousVisit(etag='"1"', hash=url),
    )


async def start_run(crawls: CrawlStore, **changes: object) -> tuple[CrawlLease, CommitResult]:
    """Start a run of a new crawl that has claimed the start page."""
    job = await crawls.create(new_job(**changes), max_unfinished=5)
    run = await crawls.begin(job.id)
    assert run is not None
    return run, await crawls.commit(run, CrawlBatch(), CLAIM)


async def state_of(crawls: CrawlStore, run: CrawlLease) -> tuple[State, CrawlCounts]:
    job = await crawls.job(run.job_id)
    assert job is not None
    return job.state, job.counts


async def test_a_new_crawl_is_queued_with_its_start_page(crawls: CrawlStore) -> None:
    job = new_job()

    created = await crawls.create(job, max_unfinished=5)

    assert (created.state, created.tenant, created.user) == ("queued", "acme", "alice")
    assert created.request == job.request
    assert created.counts == CrawlCounts(found=1, pending=1)
    assert await crawls.job(job.id) == created
    listings = CrawlListings(crawls)
    assert await listings.jobs([("acme", "alice")], JobFilter()) == [created]
    assert await listings.jobs([("acme", "bob")], JobFilter()) == []
    assert await crawls.jobs_without_run() == [job.id]


async def test_pages_outcomes_and_found_urls_are_stored_together(
    crawls: CrawlStore,
) -> None:
    run, turn = await start_run(crawls)
    assert [claim.url for claim in turn.claims] == ["http://a/"]

    batch = CrawlBatch(
        pages=[page("http://a/")], found_urls=[found_url("http://a/1"), found_url("http://a/2")]
    )
    turn = await crawls.commit(run, batch, CLAIM)

    assert [claim.url for claim in turn.claims] == ["http://a/1", "http://a/2"]
    assert turn.stored == {url_key(SALT, "http://a/")}
    assert await state_of(crawls, run) == (
        "running",
        CrawlCounts(found=3, crawled=1, depth=1, pending=2, progress=0.3333),
    )
    rows = await crawls.pages(run.job_id, after=0, limit=10, bodies=True)
    assert [(row.seq, row.meta, row.body) for row in rows] == [
        (1, b"http://a/", b"body of http://a/")
    ]


async def test_a_crawl_without_open_urls_is_completed(crawls: CrawlStore) -> None:
    run, _ = await start_run(crawls)

    turn = await crawls.commit(run, CrawlBatch(pages=[page("http://a/")]), CLAIM)

    assert turn.state == "completed"
    assert (await state_of(crawls, run))[0] == "completed"
    assert await crawls.begin(run.job_id) is None


async def test_no_more_than_max_pages_are_claimed(crawls: CrawlStore) -> None:
    run, _ = await start_run(crawls, max_pages=3)
    links = [found_url(f"http://a/{number}") for number in range(9)]

    turn = await crawls.commit(run, CrawlBatch(pages=[page("http://a/")], found_urls=links), CLAIM)
    assert len(turn.claims) == 2  # one page is already stored

    urls = [claim.url for claim in turn.claims]
    turn = await crawls.commit(run, CrawlBatch(pages=[page(url, depth=2) for url in urls]), CLAIM)

    assert turn.state == "completed"
    assert await state_of(crawls, run) == (
        "completed",
        CrawlCounts(
            found=10,
            crawled=3,
            depth=2,
            outcomes={"page_limit": 7},
            pending=7,
            progress=1.0,
            stop_reason="page_limit",
        ),
    )


async def test_a_url_that_is_found_several_times_is_claimed_once(crawls: CrawlStore) -> None:
    run, _ = await start_run(crawls)
    other = await crawls.begin(run.job_id)
    assert other is not None

    first = await crawls.commit(run, CrawlBatch(found_urls=[found_url("http://a/1")] * 2), CLAIM)
    second = await crawls.commit(other, CrawlBatch(found_urls=[found_url("http://a/1")]), CLAIM)

    assert [claim.url for claim in first.claims] == ["http://a/1"]
    assert second.claims == ()
    assert second.runs == 2


async def test_a_run_whose_lease_has_expired_is_fenced(
    crawls: CrawlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, turn = await start_run(crawls)
    monkeypatch.setattr(
        "webquarry.crawl.store.commits.LEASE_SECONDS", -1.0
    )  # every lease has expired
    next_run = await crawls.begin(run.job_id)
    assert next_run is not None
    monkeypatch.undo()

    again = await crawls.commit(next_run, CrawlBatch(), CLAIM)
    with pytest.raises(FencedError):
        await crawls.commit(run, CrawlBatch(pages=[page("http://a/")]), CLAIM)

    assert [claim.url for claim in again.claims] == [claim.url for claim in turn.claims]
    assert again.claims[0].crashes == 1
    assert (await state_of(crawls, run))[1].crawled == 0


async def test_a_released_run_returns_its_claims(crawls: CrawlStore) -> None:
    run, _ = await start_run(crawls)

    await crawls.release(run)

    assert await crawls.jobs_without_run() == [run.job_id]
    next_run = await crawls.begin(run.job_id)
    assert next_run is not None
    turn = await crawls.commit(next_run, CrawlBatch(), CLAIM)
    assert [(claim.url, claim.crashes) for claim in turn.claims] == [("http://a/", 0)]


async def test_a_page_with_the_same_text_is_a_duplicate(crawls: CrawlStore) -> None:
    run, _ = await start_run(crawls)
    batch = CrawlBatch(pages=[page("http://a/", text="x")], found_urls=[found_url("http://a/1")])
    await crawls.commit(run, batch, CLAIM)

    turn = await crawls.commit(run, CrawlBatch(pages=[page("http://a/1", text="x")]), CLAIM)

    assert turn.stored == frozenset()
    assert (await state_of(crawls, run))[1] == CrawlCounts(
        found=2,
        crawled=1,
        depth=1,
        outcomes={"duplicate": 1},
        progress=1.0,
        stop_reason="frontier_exhausted",
    )
    (failed,) = await CrawlListings(crawls).failed_urls(run.job_id, ["duplicate", "robots"])
    assert (failed.url, failed.outcome, failed.depth) == ("http://a/1", "duplicate", 2)


async def test_the_canonical_url_replaces_its_duplicate(crawls: CrawlStore) -> None:
    run, _ = await start_run(crawls)
    batch = CrawlBatch(
        pages=[page("http://a/", text="x", canonical="http://a/1")],
        found_urls=[found_url("http://a/1")],
    )
    await crawls.commit(run, batch, CLAIM)

    turn = await crawls.commit(run, CrawlBatch(pages=[page("http://a/1", text="x")]), CLAIM)

    rows = await crawls.pages(run.job_id, after=0, limit=10, bodies=False)
    assert [(row.seq, row.meta) for row in rows] == [(1, b"http://a/1")]
    assert turn.stored == {url_key(SALT, "http://a/1")}
    assert (await state_of(crawls, run))[1] == CrawlCounts(
        found=2,
        crawled=1,
        depth=1,
        outcomes={"canonical": 1},
        progress=1.0,
        stop_reason="frontier_exhausted",
    )


async def test_a_temporary_failure_is_retried_later(crawls: CrawlStore) -> None:
    run, turn = await start_run(crawls)
    (claim,) = turn.claims

    later = await crawls.commit(
        run, CrawlBatch(results=[VisitResult(key=claim.key, retry_in=60.0)]), CLAIM
    )
    assert (later.state, later.claims) == ("running", ())

    next_run = await crawls.begin(run.job_id)
    assert next_run is not None
    retried_run, turn = await start_run(crawls)
    again = CrawlBatch(results=[VisitResult(key=turn.claims[0].key, retry_in=0.001)])
    await crawls.commit(retried_run, again, ClaimRequest(count=0))
    await asyncio.sleep(0.01)
    turn = await crawls.commit(retried_run, CrawlBatch(), CLAIM)
    assert [claim.attempts for claim in turn.claims] == [1]


async def test_skipped_urls_are_counted_once_by_reason(crawls: CrawlStore) -> None:
    run, _ = await start_run(crawls)
    skipped = [found_url("http://a/x", outcome="excluded"), found_url("http://a/y", outcome="trap")]

    await crawls.commit(run, CrawlBatch(found_urls=skipped), CLAIM)
    await crawls.commit(run, CrawlBatch(found_urls=skipped), CLAIM)

    assert (await state_of(crawls, run))[1].outcomes == {"excluded": 1, "trap": 1}


async def test_a_url_that_was_too_deep_is_claimed_when_it_is_found_at_a_lower_depth(
    crawls: CrawlStore,
) -> None:
    run, _ = await start_run(crawls)
    await crawls.commit(run, CrawlBatch(found_urls=[found_url("http://a/1", 5, "too_deep")]), CLAIM)

    turn = await crawls.commit(run, CrawlBatch(found_urls=[found_url("http://a/1", 2)]), CLAIM)

    assert [(claim.url, claim.depth) for claim in turn.claims] == [("http://a/1", 2)]
    assert (await state_of(crawls, run))[1] == CrawlCounts(found=2, pending=2)


def on_host(host: bytes, *urls: str) -> list[FoundUrl]:
    return [replace(found_url(url), host=host) for url in urls]


async def test_a_host_that_asked_to_wait_is_claimed_by_no_crawl(crawls: CrawlStore) -> None:
    one, two = secrets.token_bytes(16), secrets.token_bytes(16)  # the database is shared
    start = replace(found_url("http://a/", depth=1), host=one)
    run, turn = await start_run(crawls, start_urls=(start,))
    batch = CrawlBatch(
        unread=[turn.claims[0].key],
        found_urls=[*on_host(one, "http://a/1"), *on_host(two, "http://b/")],
        host_pauses={one: 600.0},
    )

    turn = await crawls.commit(run, batch, CLAIM)
    _, other = await start_run(crawls, start_urls=(start,))

    assert [claim.url for claim in turn.claims] == ["http://b/"]
    assert (turn.state, other.state, other.claims) == ("running", "running", ())
    assert 590 < turn.pauses[one] <= 600
    assert 590 < await crawls.paused_seconds(one) <= 600
    assert await crawls.paused_seconds(two) == 0


async def test_a_host_that_asks_to_wait_too_long_is_given_up(crawls: CrawlStore) -> None:
    host = secrets.token_bytes(16)
    run, turn = await start_run(crawls)
    batch = CrawlBatch(
        pages=[page("http://a/")],
        found_urls=on_host(host, "http://a/1", "http://a/2"),
        host_pauses={host: 600.0},
    )

    turn = await crawls.commit(run, batch, replace(CLAIM, max_pause=599.0))

    assert turn.state == "completed"
    failed = await CrawlListings(crawls).failed_urls(run.job_id, ["retry_after"])
    assert [(url.url, url.outcome, url.depth) for url in failed] == [
        ("http://a/1", "retry_after", 2),
        ("http://a/2", "retry_after", 2),
    ]
    assert all(url.ended for url in failed)


async def test_urls_of_other_hosts_are_claimed_behind_those_of_a_paused_host(
    crawls: CrawlStore,
) -> None:
    one, two = secrets.token_bytes(16), secrets.token_bytes(16)
    run, turn = await start_run(crawls)
    waiting = on_host(one, *(f"http://a/{n}" for n in range(100)))
    batch = CrawlBatch(
        pages=[page("http://a/")],
        found_urls=[*waiting, *on_host(two, "http://b/")],
        host_pauses={one: 600.0},
    )

    turn = await crawls.commit(run, batch, CLAIM)

    assert [claim.url for claim in turn.claims] == ["http://b/"]


async def test_the_delay_of_a_host_applies_to_all_runs_together(crawls: CrawlStore) -> None:
    run, _ = await start_run(crawls)
    other = await crawls.begin(run.job_id)
    assert other is not None
    host = secrets.token_bytes(16)
    links = [replace(found_url(f"http://a/{number}"), host=host) for number in range(20)]
    paced = ClaimRequest(count=3, delay=60.0)

    first = await crawls.commit(run, CrawlBatch(found_urls=links), paced)
    second = await crawls.commit(other, CrawlBatch(), paced)

    assert [len(first.claims), len(second.claims)] == [1, 0]
    assert first.claims[0].wait == 0
    assert second.poll_after == 1.0  # short enough that the lease does not expire


async def test_a_paused_host_is_not_claimed(crawls: CrawlStore) -> None:
    run, _ = await start_run(crawls)
    host = secrets.token_bytes(16)

    link = replace(found_url("http://a/1"), host=host)
    turn = await crawls.commit(run, CrawlBatch(found_urls=[link], host_pauses={host: 30.0}), CLAIM)

    assert turn.claims == ()
    assert turn.state == "running"


async def test_a_cancelled_crawl_keeps_its_pages_and_accepts_no_more(crawls: CrawlStore) -> None:
    run, _ = await start_run(crawls)
    await crawls.commit(
        run, CrawlBatch(pages=[page("http://a/")], found_urls=[found_url("http://a/1")]), CLAIM
    )

    assert await crawls.end(run.job_id, "cancelled")
    assert not await crawls.end(run.job_id, "failed", "too late")
    turn = await crawls.commit(run, CrawlBatch(pages=[page("http://a/1")]), CLAIM)

    assert (turn.state, turn.claims) == ("cancelled", ())
    assert len(await crawls.pages(run.job_id, after=0, limit=10, bodies=False)) == 1


async def test_the_error_of_a_failed_crawl_is_stored(crawls: CrawlStore) -> None:
    run, _ = await start_run(crawls)

    await crawls.end(run.job_id, "failed", "no browser")

    job = await crawls.job(run.job_id)
    assert job is not None
    assert (job.state, job.error) == ("failed", "no browser")


async def test_the_next_crawl_of_a_site_knows_the_pages_of_the_last(crawls: CrawlStore) -> None:
    run, _ = await start_run(crawls)
    await crawls.commit(run, CrawlBatch(pages=[page("http://a/")]), CLAIM)

    again, turn = await start_run(crawls)

    assert turn.claims[0].previous_visit == PreviousVisit(etag='"1"', hash="http://a/")
    assert again.previous is not None
    assert again.previous[1] == run.job_id
    stored = await crawls.page(run.job_id, url_key(SALT, "http://a/"))
    assert stored is not None
    assert stored.body == b"body of http://a/"


async def test_markdown_is_stored_with_the_page(crawls: CrawlStore) -> None:
    run, _ = await start_run(crawls)
    await crawls.commit(run, CrawlBatch(pages=[page("http://a/")]), CLAIM)
    (row,) = await crawls.pages(run.job_id, after=0, limit=1, bodies=True)

    await crawls.store_markdown(run.job_id, [(row, b"# Title")])

    (row,) = await crawls.pages(run.job_id, after=0, limit=1, bodies=True)
    assert row.markdown == b"# Title"
    assert await crawls.simhashes(run) == [(-5, row.key)]


async def test_the_same_idempotency_key_returns_the_same_crawl(crawls: CrawlStore) -> None:
    first = await crawls.create(new_job(idempotency_key="k"), max_unfinished=1)
    second = await crawls.create(new_job(idempotency_key="k"), max_unfinished=1)
    other = await crawls.create(new_job(idempotency_key="k", user="bob"), max_unfinished=1)

    assert first.id == second.id
    assert other.id != first.id


async def test_the_unfinished_crawls_of_an_owner_are_limited(crawls: CrawlStore) -> None:
    await crawls.create(new_job(), max_unfinished=2)
    await crawls.create(new_job(), max_unfinished=2)

    with pytest.raises(TooManyJobsError):
        await crawls.create(new_job(), max_unfinished=2)
    await crawls.create(new_job(user="bob"), max_unfinished=2)


async def test_erasure_removes_everything_of_the_owner_only(crawls: CrawlStore) -> None:
    run, _ = await start_run(crawls)
    await crawls.commit(run, CrawlBatch(pages=[page("http://a/")]), CLAIM)
    stored = await crawls.create(new_job(user="bob"), max_unfinished=5)

    assert await crawls.erase(tenant="acme", user="alice") == 1

    assert await crawls.job(run.job_id) is None
    assert await crawls.pages(run.job_id, after=0, limit=10, bodies=False) == []
    assert await crawls.job(stored.id) == stored
    with pytest.raises(FencedError):
        await crawls.commit(run, CrawlBatch(), CLAIM)


async def test_expired_crawls_are_swept(crawls: CrawlStore) -> None:
    old = await crawls.create(new_job(expires=1.0), max_unfinished=5)
    new = await crawls.create(new_job(), max_unfinished=5)

    assert await crawls.sweep() == 1

    assert await crawls.job(old.id) is None
    assert await crawls.job(new.id) == new


async def test_the_size_of_the_files_of_one_name_is_known(crawls: CrawlStore) -> None:
    run, _ = await start_run(crawls)
    key = url_key(SALT, "http://a/")
    before = await crawls.files.size(run.job_id, "screenshot")
    for name, content in (("screenshot", b"1" * 1000), ("summary", b"2" * 5000)):
        await crawls.files.put(run.job_id, key, name, content)

    assert before == 0
    assert 1000 <= await crawls.files.size(run.job_id, "screenshot") < 1100
    assert await crawls.files.size("unknown", "screenshot") == 0
