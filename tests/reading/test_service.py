"""The reading service: cache, shared reads, limits, retraction checks and index."""

import asyncio
from pathlib import Path

import pytest

from tests.support import ALICE, BOB
from webquarry.errors import (
    BadInputError,
    BlockedError,
    DeadlineError,
    NetworkError,
    NotFoundError,
    WebquarryError,
)
from webquarry.models.caller import Caller
from webquarry.models.page import PageMetadata, Wall
from webquarry.models.reading import RawResponse, Reading, ReadMode, RetractionStatus
from webquarry.net.clock import Clock
from webquarry.net.url import Url
from webquarry.reading.page_cache import PageCache
from webquarry.reading.read_port import PlainReading
from webquarry.reading.service import ReadingDependencies, ReadingLimits, ReadingService
from webquarry.storage.cached_result_owners import OwnedResults
from webquarry.storage.indexed_page import IndexQuery
from webquarry.storage.memory_store import MemoryStore
from webquarry.storage.page_index import PageIndex

pytestmark = pytest.mark.anyio

URL = "https://owls.example/1"
TODAY = 1_700_000_000.0  # 2023-11-14


class Reader:
    """A reader with given outcomes that counts its reads."""

    def __init__(self, *outcomes: Reading | WebquarryError) -> None:
        self.outcomes = list(outcomes)
        self.asked: list[str] = []
        self.at_once = self.most_at_once = 0
        self.may_answer = asyncio.Event()
        self.may_answer.set()
        self.arrived, self.left = asyncio.Semaphore(0), asyncio.Semaphore(0)

    async def read(self, url: Url, seconds: float) -> Reading:
        self.asked.append(url.href)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        self.arrived.release()
        try:
            await self.may_answer.wait()
        finally:
            self.at_once -= 1
            self.left.release()
        outcome = self.outcomes.pop(0) if len(self.outcomes) > 1 else self.outcomes[0]
        if isinstance(outcome, WebquarryError):
            raise outcome
        return outcome.model_copy(update={"url": url.href})

    async def read_raw(self, url: Url, seconds: float, max_bytes: int) -> RawResponse:
        self.asked.append(f"{url.href} raw {max_bytes}")
        return RawResponse(
            url=url.href, final_url=url.href, content="<p>", content_type="text/html"
        )


class Notices:
    """A notice provider with one status, or an error."""

    def __init__(self, outcome: RetractionStatus | WebquarryError | None) -> None:
        self.outcome = outcome
        self.asked: list[str] = []

    async def status(self, doi: str) -> RetractionStatus | None:
        self.asked.append(doi)
        if isinstance(self.outcome, WebquarryError):
            raise self.outcome
        return self.outcome


class Time:
    def __init__(self) -> None:
        self.now = TODAY

    def __call__(self) -> float:
        return self.now


def page(text: str = "Owls hunt at night.", **more: object) -> Reading:
    return Reading.model_validate(
        {"url": URL, "final_url": URL, "markdown": text, "kind": "html", "tier": "stealth", **more}
    )


def service(
    reader: Reader,
    *,
    dependencies: ReadingDependencies | None = None,
    limits: ReadingLimits | None = None,
    time: Time | None = None,
) -> ReadingService:
    now = time or Time()
    pages = PageCache(MemoryStore(clock=now), now)
    clock = Clock(monotonic=now, time=now)
    return ReadingService(reader, pages, dependencies=dependencies, limits=limits, clock=clock)


async def test_a_page_is_read_once_for_every_mode_and_length() -> None:
    reader, time = Reader(page("First.\n\n" + "Owls. " * 2000)), Time()
    reading = service(reader, time=time)

    full = await reading.scrape(URL, "full", 50_000, ALICE)
    time.now += 60
    preview = await reading.scrape(URL, "preview", 50_000, BOB)
    short = await reading.scrape(f"{URL}#part", "full", 10, BOB)

    assert reader.asked == [URL]
    assert (full.age, preview.age, short.age) == (None, 60, 60)
    assert (full.page.truncated, preview.page.truncated) == (False, True)
    assert preview.page.contentLength <= 5000
    assert short.page.content == "First."


async def test_a_cached_page_is_owned_by_the_authenticated_caller() -> None:
    time = Time()
    store = MemoryStore(clock=time)
    clock = Clock(monotonic=time, time=time)
    reading = ReadingService(Reader(*[page()] * 4), PageCache(store, time), clock=clock)
    alice = ALICE.model_copy(update={"proved": True})

    await reading.scrape(URL, "full", 50_000, alice)
    await reading.scrape(URL, "raw", 50_000, alice)
    await reading.read(f"{URL}2", seconds=5, max_bytes=6, owner=alice)
    await reading.reread(f"{URL}3", alice)
    await reading.scrape(f"{URL}4", "full", 50_000, BOB)
    await reading.close()

    owned = await OwnedResults(store).export(alice.tenant, alice.user)
    assert len(owned) == 4
    assert len([key async for key in store.scan("page:")]) == 5
    assert len([key async for key in store.scan("owned:")]) == 4


async def test_a_page_is_read_again_after_an_hour() -> None:
    reader, time = Reader(page("Old."), page("New.")), Time()
    reading = service(reader, time=time)
    await reading.scrape(URL, "full", 50_000, ALICE)
    time.now += 3601

    again = await reading.scrape(URL, "full", 50_000, ALICE)

    assert (again.page.content, again.age) == ("New.", None)


async def test_the_access_date_of_a_cached_page_is_the_day_it_was_fetched() -> None:
    time = Time()
    reading = service(Reader(page()), time=time)
    await reading.scrape(URL, "full", 50_000, ALICE)
    time.now += 3000  # past midnight

    again = await reading.scrape(URL, "full", 50_000, ALICE)

    assert again.page.citation.accessedDate == "2023-11-14"


async def test_tenants_share_pages_unless_they_are_isolated() -> None:
    shared, isolated = Reader(page()), Reader(page())
    other = Caller(tenant="other", user="eve")

    for reader, limits in ((shared, ReadingLimits()), (isolated, ReadingLimits(isolate=True))):
        reading = service(reader, limits=limits)
        await reading.scrape(URL, "full", 50_000, ALICE)
        await reading.scrape(URL, "full", 50_000, other)

    assert (len(shared.asked), len(isolated.asked)) == (1, 2)


async def test_isolated_tenants_do_not_share_plain_text_either() -> None:
    reader = Reader(page())
    reading = service(reader, limits=ReadingLimits(isolate=True))

    for caller in (ALICE, Caller(tenant="other", user="eve"), ALICE):
        await reading.read(URL, seconds=5, max_bytes=1000, owner=caller)
    await reading.scrape(URL, "full", 50_000, ALICE)

    assert reader.asked == [URL, URL]


async def test_a_page_that_two_people_read_at_once_belongs_to_both() -> None:
    reader, store = Reader(page()), MemoryStore()
    reader.may_answer.clear()
    reading = ReadingService(reader, PageCache(store))
    people = [Caller(tenant="acme", user=name, proved=True) for name in ("ann", "ben", "cy")]
    async with asyncio.TaskGroup() as group:
        group.create_task(reading.scrape(URL, "full", 50_000, people[0]))
        group.create_task(reading.scrape(URL, "full", 50_000, people[1]))
        group.create_task(reading.read(URL, seconds=5, max_bytes=1000, owner=people[2]))
        await reader.arrived.acquire()
        reader.may_answer.set()
    await reading.close()

    owned = [len(await OwnedResults(store).export("acme", one.user)) for one in people]
    assert (reader.asked, owned) == ([URL], [1, 1, 1])
    assert await OwnedResults(store).erase("acme", "ben") == 1
    assert [key async for key in store.scan("page:")] == []


async def test_a_failed_read_is_cached() -> None:
    reader, time = Reader(BlockedError("Blocked."), page()), Time()
    reading = service(reader, time=time)

    for _ in range(2):
        with pytest.raises(BlockedError):
            await reading.scrape(URL, "full", 50_000, ALICE)
    time.now += 1800
    found = await reading.scrape(URL, "full", 50_000, ALICE)

    assert len(reader.asked) == 2
    assert found.age is None


async def test_concurrent_callers_share_one_read() -> None:
    reader = Reader(page())
    reader.may_answer.clear()
    reading = service(reader)
    calls = [
        asyncio.ensure_future(reading.scrape(URL, mode, 50_000, ALICE))
        for mode in ("full", "preview", "full")
    ]
    await reader.arrived.acquire()
    reader.may_answer.set()

    assert len({call.page.content for call in await asyncio.gather(*calls)}) == 1
    assert reader.asked == [URL]


async def test_concurrent_reads_are_limited() -> None:
    reader = Reader(page())
    reader.may_answer.clear()
    reading = service(reader, limits=ReadingLimits(concurrency=2))

    calls = [asyncio.ensure_future(reading.scrape(f"{URL}{n}", "full", 9, ALICE)) for n in range(6)]
    for _ in range(2):
        await reader.arrived.acquire()
    reader.may_answer.set()
    await asyncio.gather(*calls)

    assert reader.most_at_once == 2


async def test_raw_content_is_cached_by_length() -> None:
    reader = Reader(page())
    reading = service(reader)

    first = await reading.scrape(URL, "raw", 50_000, ALICE)
    again = await reading.scrape(URL, "raw", 50_000, ALICE)
    await reading.scrape(URL, "raw", 9_000_000, ALICE)

    assert reader.asked == [f"{URL} raw 50000", f"{URL} raw 5000000"]
    assert first.page.raw
    assert (first.reading, first.age, again.age) == (None, None, 0)


@pytest.mark.parametrize("url", ["", "owls", "ftp://owls.example/", "javascript:alert(1)"])
async def test_an_invalid_url_is_rejected(url: str) -> None:
    with pytest.raises(BadInputError, match="URL rejected"):
        await service(Reader(page())).scrape(url, "full", 50_000, ALICE)


PAPER = "https://journal.example.edu/doi/full/10.1000/owl.5"
RETRACTED = RetractionStatus(retracted=True, kind="retraction", date="2024-08-01")


def paper() -> Reading:
    return page(final_url=PAPER, metadata=PageMetadata(doi="10.1000/owl.5"))


async def test_the_retraction_status_of_a_paper_is_looked_up_once() -> None:
    notices = Notices(RETRACTED)
    reading = service(Reader(paper()), dependencies=ReadingDependencies(retractions=notices))

    for _ in range(2):
        found = (await reading.scrape(PAPER, "full", 50_000, ALICE)).page
        assert (found.detectedDoi, found.retractionStatus) == ("10.1000/owl.5", RETRACTED)
    assert notices.asked == ["10.1000/owl.5"]


@pytest.mark.parametrize("error", [NetworkError("no answer"), NotFoundError("no such DOI")])
async def test_a_failed_retraction_lookup_is_reported_as_unknown(
    error: WebquarryError,
) -> None:
    reading = service(Reader(paper()), dependencies=ReadingDependencies(retractions=Notices(error)))

    found = await reading.scrape(PAPER, "full", 50_000, ALICE)

    assert (found.page.detectedDoi, found.page.retractionStatus) == ("10.1000/owl.5", None)
    assert found.reading
    assert found.reading.retraction_unchecked


async def test_pages_without_a_doi_cause_no_retraction_lookup() -> None:
    notices = Notices(RETRACTED)
    text = "A blog on https://doi.org/10.1000/owl.5"
    reading = service(Reader(page(text)), dependencies=ReadingDependencies(retractions=notices))

    found = await reading.scrape(URL, "full", 50_000, ALICE)

    assert (found.page.detectedDoi, found.page.retractionStatus, notices.asked) == (None, None, [])


class Strict:
    async def check(self, url: Url) -> None:
        raise BlockedError(f"robots.txt says no to {url.href}")


@pytest.mark.parametrize("mode", ["full", "raw"])
async def test_robots_txt_is_checked_first_if_enabled(mode: str) -> None:
    reader = Reader(page())
    reading = service(reader, dependencies=ReadingDependencies(robots=Strict()))

    with pytest.raises(BlockedError, match="says no to"):
        await reading.scrape(URL, "raw" if mode == "raw" else "full", 50_000, ALICE)

    assert reader.asked == []


async def test_a_page_is_indexed_for_its_reader_only(tmp_path: Path) -> None:
    index = PageIndex(tmp_path / "index.sqlite3")
    found = page("Owls hunt.", metadata=PageMetadata(title="Owls", published="2024-05-03"))
    reading = service(Reader(found), dependencies=ReadingDependencies(index=index))

    await reading.scrape(URL, "full", 5, ALICE)
    await reading.close()

    (mine,) = await index.search(IndexQuery(words="hunt"), tenant="acme", owner="alice")
    assert (mine.page.url, mine.page.title, mine.page.text) == (URL, "Owls", "Owls hunt.")
    assert await index.search(IndexQuery(words="hunt"), tenant="acme", owner="bob") == []
    await index.close()


async def test_other_services_receive_the_plain_text() -> None:
    found = page(
        "One.\n\nTwo.",
        metadata=PageMetadata(title="Owls"),
        wall=Wall(kind="paywall", evidence="Subscribe"),
    )
    reading = service(Reader(found))

    assert await reading.read(URL, seconds=5, max_bytes=6, owner=None) == PlainReading(
        url=URL, title="Owls", markdown="One.", wall="paywall", truncated=True
    )


async def test_other_services_can_set_a_deadline() -> None:
    reader = Reader(page())
    reader.may_answer.clear()

    with pytest.raises(DeadlineError, match="was not read within"):
        await service(reader).read(URL, seconds=0.01, max_bytes=100, owner=None)

    await reader.left.acquire()


async def test_a_fresh_read_ignores_a_cached_page_and_a_cached_failure() -> None:
    reader = Reader(NotFoundError("gone"), page(), page())
    service = ReadingService(reader, PageCache(MemoryStore()))
    fresh = ReadMode(fresh=True)

    for _ in range(2):
        with pytest.raises(NotFoundError):
            await service.scrape(URL, "full", 1000, ALICE)
    await service.scrape(URL, "full", 1000, ALICE, read_mode=fresh)
    again = await service.scrape(URL, "full", 1000, ALICE, read_mode=fresh)
    cached = await service.scrape(URL, "full", 1000, ALICE)

    assert (len(reader.asked), again.age, cached.age is None) == (3, None, False)


async def test_a_page_that_was_cut_off_is_not_cached() -> None:
    reader = Reader(page(complete=False, cut_off=True), page("Owls hunt at night, mostly."))
    service = ReadingService(reader, PageCache(MemoryStore()))

    first = await service.scrape(URL, "full", 1000, ALICE)
    second = await service.scrape(URL, "full", 1000, ALICE)

    assert (first.page.extractionQuality, second.page.extractionQuality) == ("partial", "complete")
    assert (len(reader.asked), second.age) == (2, None)
