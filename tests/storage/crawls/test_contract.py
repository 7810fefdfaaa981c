"""What every database of crawls promises."""

import asyncio
import secrets
from dataclasses import replace

import pytest

from webquarry.models.crawl import State
from webquarry.storage.crawls.base import (
    Batch,
    Counts,
    Done,
    FencedError,
    Found,
    Memory,
    NewJob,
    NewPage,
    Run,
    TooManyJobsError,
    Turn,
    Wish,
    key_of,
)
from webquarry.storage.crawls.sql import SqlCrawls

pytestmark = pytest.mark.anyio

SALT = b"s" * 32
NOW = 4_000_000_000.0
SOME = Wish(count=10)


def found(url: str, depth: int = 2, outcome: str = "") -> Found:
    return Found(key=key_of(SALT, url), url=url, host=b"h" * 16, depth=depth, outcome=outcome)


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
        memory=Memory(etag='"1"', hash=url),
    )


async def begun(crawls: SqlCrawls, **changes: object) -> tuple[Run, Turn]:
    """A run of a new crawl that has claimed the start page."""
    job = await crawls.create(new_job(**changes), most=5)
    run = await crawls.begin(job.id)
    assert run is not None
    return run, await crawls.commit(run, Batch(), SOME)


async def state_of(crawls: SqlCrawls, run: Run) -> tuple[State, Counts]:
    job = await crawls.job(run.job)
    assert job is not None
    return job.state, job.counts


async def test_a_new_crawl_is_queued_with_its_start_page(crawls: SqlCrawls) -> None:
    job = new_job()

    created = await crawls.create(job, most=5)

    assert (created.state, created.tenant, created.user) == ("queued", "acme", "alice")
    assert created.request == job.request
    assert created.counts == Counts(found=1)
    assert await crawls.job(job.id) == created
    assert await crawls.jobs(tenant="acme", user="alice") == [created]
    assert await crawls.jobs(tenant="acme", user="bob") == []
    assert await crawls.waiting() == [job.id]


async def test_pages_done_marks_and_found_addresses_are_stored_together(crawls: SqlCrawls) -> None:
    run, turn = await begun(crawls)
    assert [claim.url for claim in turn.claims] == ["http://a/"]

    batch = Batch(pages=[page("http://a/")], found=[found("http://a/1"), found("http://a/2")])
    turn = await crawls.commit(run, batch, SOME)

    assert [claim.url for claim in turn.claims] == ["http://a/1", "http://a/2"]
    assert turn.stored == {key_of(SALT, "http://a/")}
    assert await state_of(crawls, run) == (
        "running",
        Counts(found=3, crawled=1, depth=1, outcomes={}),
    )
    rows = await crawls.pages(run.job, after=0, most=10, bodies=True)
    assert [(row.seq, row.meta, row.body) for row in rows] == [
        (1, b"http://a/", b"body of http://a/")
    ]


async def test_a_crawl_without_open_addresses_is_completed(crawls: SqlCrawls) -> None:
    run, _ = await begun(crawls)

    turn = await crawls.commit(run, Batch(pages=[page("http://a/")]), SOME)

    assert turn.state == "completed"
    assert (await state_of(crawls, run))[0] == "completed"
    assert await crawls.begin(run.job) is None


async def test_no_more_pages_than_asked_for_are_claimed(crawls: SqlCrawls) -> None:
    run, _ = await begun(crawls, max_pages=3)
    links = [found(f"http://a/{number}") for number in range(9)]

    turn = await crawls.commit(run, Batch(pages=[page("http://a/")], found=links), SOME)
    assert len(turn.claims) == 2  # one page is there

    urls = [claim.url for claim in turn.claims]
    turn = await crawls.commit(run, Batch(pages=[page(url, depth=2) for url in urls]), SOME)

    assert turn.state == "completed"
    assert await state_of(crawls, run) == (
        "completed",
        Counts(found=10, crawled=3, depth=2, outcomes={"page_limit": 7}),
    )


async def test_an_address_is_claimed_once_however_often_it_is_found(crawls: SqlCrawls) -> None:
    run, _ = await begun(crawls)
    other = await crawls.begin(run.job)
    assert other is not None

    first = await crawls.commit(run, Batch(found=[found("http://a/1")] * 2), SOME)
    second = await crawls.commit(other, Batch(found=[found("http://a/1")]), SOME)

    assert [claim.url for claim in first.claims] == ["http://a/1"]
    assert second.claims == ()
    assert second.runs == 2


async def test_a_run_that_is_taken_for_dead_can_write_nothing(
    crawls: SqlCrawls, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, turn = await begun(crawls)
    monkeypatch.setattr("webquarry.storage.crawls.commits.LEASE", -1.0)  # silent for too long
    heir = await crawls.begin(run.job)
    assert heir is not None
    monkeypatch.undo()

    again = await crawls.commit(heir, Batch(), SOME)
    with pytest.raises(FencedError):
        await crawls.commit(run, Batch(pages=[page("http://a/")]), SOME)

    assert [claim.url for claim in again.claims] == [claim.url for claim in turn.claims]
    assert again.claims[0].crashes == 1
    assert (await state_of(crawls, run))[1].crawled == 0


async def test_a_run_that_leaves_gives_its_claims_back(crawls: SqlCrawls) -> None:
    run, _ = await begun(crawls)

    await crawls.leave(run)

    assert await crawls.waiting() == [run.job]
    heir = await crawls.begin(run.job)
    assert heir is not None
    turn = await crawls.commit(heir, Batch(), SOME)
    assert [(claim.url, claim.crashes) for claim in turn.claims] == [("http://a/", 0)]


async def test_a_page_that_says_the_same_is_a_duplicate(crawls: SqlCrawls) -> None:
    run, _ = await begun(crawls)
    batch = Batch(pages=[page("http://a/", says="x")], found=[found("http://a/1")])
    await crawls.commit(run, batch, SOME)

    turn = await crawls.commit(run, Batch(pages=[page("http://a/1", says="x")]), SOME)

    assert turn.stored == frozenset()
    assert (await state_of(crawls, run))[1] == Counts(
        found=2, crawled=1, depth=1, outcomes={"duplicate": 1}
    )
    assert await crawls.failures(run.job, most=5) == [("http://a/1", "duplicate", 2)]


async def test_the_canonical_address_takes_the_place_of_its_double(crawls: SqlCrawls) -> None:
    run, _ = await begun(crawls)
    batch = Batch(
        pages=[page("http://a/", says="x", canonical="http://a/1")], found=[found("http://a/1")]
    )
    await crawls.commit(run, batch, SOME)

    turn = await crawls.commit(run, Batch(pages=[page("http://a/1", says="x")]), SOME)

    rows = await crawls.pages(run.job, after=0, most=10, bodies=False)
    assert [(row.seq, row.meta) for row in rows] == [(1, b"http://a/1")]
    assert turn.stored == {key_of(SALT, "http://a/1")}
    assert (await state_of(crawls, run))[1] == Counts(
        found=2, crawled=1, depth=1, outcomes={"canonical": 1}
    )


async def test_a_failure_that_may_pass_is_tried_again_later(crawls: SqlCrawls) -> None:
    run, turn = await begun(crawls)
    (claim,) = turn.claims

    later = await crawls.commit(run, Batch(done=[Done(key=claim.key, again=60.0)]), SOME)
    assert (later.state, later.claims) == ("running", ())

    heir = await crawls.begin(run.job)
    assert heir is not None
    soon, turn = await begun(crawls)
    again = Batch(done=[Done(key=turn.claims[0].key, again=0.001)])
    await crawls.commit(soon, again, Wish(count=0))
    await asyncio.sleep(0.01)
    turn = await crawls.commit(soon, Batch(), SOME)
    assert [claim.attempts for claim in turn.claims] == [1]


async def test_skipped_addresses_are_counted_once_by_reason(crawls: SqlCrawls) -> None:
    run, _ = await begun(crawls)
    skipped = [found("http://a/x", outcome="excluded"), found("http://a/y", outcome="trap")]

    await crawls.commit(run, Batch(found=skipped), SOME)
    await crawls.commit(run, Batch(found=skipped), SOME)

    assert (await state_of(crawls, run))[1].outcomes == {"excluded": 1, "trap": 1}


async def test_an_address_that_was_too_deep_is_read_when_it_is_found_nearer(
    crawls: SqlCrawls,
) -> None:
    run, _ = await begun(crawls)
    await crawls.commit(run, Batch(found=[found("http://a/1", 5, "too_deep")]), SOME)

    turn = await crawls.commit(run, Batch(found=[found("http://a/1", 2)]), SOME)

    assert [(claim.url, claim.depth) for claim in turn.claims] == [("http://a/1", 2)]
    assert (await state_of(crawls, run))[1] == Counts(found=2)


async def test_requests_to_a_host_are_spread_over_all_runs(crawls: SqlCrawls) -> None:
    run, _ = await begun(crawls)
    other = await crawls.begin(run.job)
    assert other is not None
    host = secrets.token_bytes(16)
    links = [replace(found(f"http://a/{number}"), host=host) for number in range(20)]
    paced = Wish(count=3, delay=60.0)

    first = await crawls.commit(run, Batch(found=links), paced)
    second = await crawls.commit(other, Batch(), paced)

    assert [len(first.claims), len(second.claims)] == [1, 0]
    assert first.claims[0].wait == 0
    assert second.idle == 1.0  # nobody sleeps so long that others take it for dead


async def test_a_host_that_asks_for_it_is_left_alone(crawls: SqlCrawls) -> None:
    run, _ = await begun(crawls)
    host = secrets.token_bytes(16)

    link = replace(found("http://a/1"), host=host)
    turn = await crawls.commit(run, Batch(found=[link], pauses={host: 30.0}), SOME)

    assert turn.claims == ()
    assert turn.state == "running"


async def test_a_cancelled_crawl_keeps_its_pages_and_takes_no_more(crawls: SqlCrawls) -> None:
    run, _ = await begun(crawls)
    await crawls.commit(run, Batch(pages=[page("http://a/")], found=[found("http://a/1")]), SOME)

    assert await crawls.end(run.job, "cancelled")
    assert not await crawls.end(run.job, "failed", "too late")
    turn = await crawls.commit(run, Batch(pages=[page("http://a/1")]), SOME)

    assert (turn.state, turn.claims) == ("cancelled", ())
    assert len(await crawls.pages(run.job, after=0, most=10, bodies=False)) == 1


async def test_why_a_crawl_failed_is_kept(crawls: SqlCrawls) -> None:
    run, _ = await begun(crawls)

    await crawls.end(run.job, "failed", "no browser")

    job = await crawls.job(run.job)
    assert job is not None
    assert (job.state, job.error) == ("failed", "no browser")


async def test_the_next_crawl_of_a_site_knows_the_pages_of_the_last(crawls: SqlCrawls) -> None:
    run, _ = await begun(crawls)
    await crawls.commit(run, Batch(pages=[page("http://a/")]), SOME)

    again, turn = await begun(crawls)

    assert turn.claims[0].memory == Memory(etag='"1"', hash="http://a/")
    assert again.previous is not None
    assert again.previous[1] == run.job
    kept = await crawls.page(run.job, key_of(SALT, "http://a/"))
    assert kept is not None
    assert kept.body == b"body of http://a/"


async def test_markdown_is_kept_beside_the_page(crawls: SqlCrawls) -> None:
    run, _ = await begun(crawls)
    await crawls.commit(run, Batch(pages=[page("http://a/")]), SOME)
    (row,) = await crawls.pages(run.job, after=0, most=1, bodies=True)

    await crawls.keep_markdown(run.job, [(row, b"# Title")])

    (row,) = await crawls.pages(run.job, after=0, most=1, bodies=True)
    assert row.markdown == b"# Title"
    assert await crawls.sketches(run) == [(-5, row.key)]


async def test_the_same_key_is_the_same_crawl(crawls: SqlCrawls) -> None:
    first = await crawls.create(new_job(idempotency="k"), most=1)
    second = await crawls.create(new_job(idempotency="k"), most=1)
    other = await crawls.create(new_job(idempotency="k", user="bob"), most=1)

    assert first.id == second.id
    assert other.id != first.id


async def test_an_owner_has_so_many_unfinished_crawls(crawls: SqlCrawls) -> None:
    await crawls.create(new_job(), most=2)
    await crawls.create(new_job(), most=2)

    with pytest.raises(TooManyJobsError):
        await crawls.create(new_job(), most=2)
    await crawls.create(new_job(user="bob"), most=2)


async def test_erasure_leaves_nothing_of_its_owner(crawls: SqlCrawls) -> None:
    run, _ = await begun(crawls)
    await crawls.commit(run, Batch(pages=[page("http://a/")]), SOME)
    kept = await crawls.create(new_job(user="bob"), most=5)

    assert await crawls.erase(tenant="acme", user="alice") == 1

    assert await crawls.job(run.job) is None
    assert await crawls.pages(run.job, after=0, most=10, bodies=False) == []
    assert await crawls.job(kept.id) == kept
    with pytest.raises(FencedError):
        await crawls.commit(run, Batch(), SOME)


async def test_what_has_expired_is_swept(crawls: SqlCrawls) -> None:
    old = await crawls.create(new_job(expires=1.0), most=5)
    new = await crawls.create(new_job(), most=5)

    assert await crawls.sweep() == 1

    assert await crawls.job(old.id) is None
    assert await crawls.job(new.id) == new
