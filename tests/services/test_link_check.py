"""Links: what is live, what is gone, and what only refuses to say."""

import asyncio
from typing import Any, ClassVar

import pytest

from webquarry.errors import BlockedError, NetworkError, ProviderError, RateLimitError
from webquarry.models.links import LinkCheck, Snapshot
from webquarry.net.client.response import FetchedResponse, Headers
from webquarry.net.fetch import FetchRequest
from webquarry.providers.provider import ProviderInfo
from webquarry.services.link_check import MAX_CONCURRENT, MAX_PER_HOST, LinkChecker
from webquarry.storage.memory_store import MemoryStore

pytestmark = pytest.mark.anyio

COPY = Snapshot(url="https://web.archive.org/web/2024/x", takenAt="2024-01-01T00:00:00Z")
PAGE = "https://site.example/page"
STORY = b"<html><title>Owls</title><body><p>" + b"A long story about owls. " * 200 + b"</p></body>"


def answer(
    status: int = 200, body: bytes = STORY, *, url: str = PAGE, kind: str = "text/html"
) -> FetchedResponse:
    return FetchedResponse(
        url=url, status=status, headers=Headers([("content-type", kind)]), content=body
    )


class Web:
    """Answers HEAD and GET as the test says."""

    def __init__(self, head: Any, get: Any = None) -> None:
        self.answers = {"HEAD": head, "GET": get}
        self.asked: list[FetchRequest] = []

    async def fetch(self, request: FetchRequest) -> FetchedResponse:
        self.asked.append(request)
        found = self.answers[request.method]
        if isinstance(found, Exception):
            raise found
        assert found is not None, f"{request.method} was not expected"
        return found

    @property
    def methods(self) -> list[str]:
        return [wanted.method for wanted in self.asked]


class Archive:
    about: ClassVar[ProviderInfo] = ProviderInfo(
        name="archive", docs="", base_url="https://a.example"
    )

    def __init__(self, found: Snapshot | Exception | None = None) -> None:
        self.found = found
        self.asked: list[str] = []

    async def snapshot(self, url: str, near: str | None = None) -> Snapshot | None:
        del near
        self.asked.append(url)
        if isinstance(self.found, Exception):
            raise self.found
        return self.found


async def check(web: Any, archive: Archive | None = None, url: str = PAGE) -> LinkCheck:
    return (await LinkChecker(web, archive or Archive(COPY), MemoryStore()).check([url]))[url]


async def test_a_page_with_content_is_live() -> None:
    web, archive = Web(answer(), answer(206)), Archive(COPY)
    assert await check(web, archive) == LinkCheck(url=PAGE, outcome="live", status=206)
    assert [(w.method, dict(w.headers), w.max_page_bytes) for w in web.asked] == [
        ("HEAD", {}, 8 * 2**20),
        ("GET", {"Range": "bytes=0-65535"}, 65_536),
    ]
    assert archive.asked == []


async def test_a_file_is_live_by_its_status_alone() -> None:
    web = Web(answer(kind="application/pdf", body=b""))
    assert (await check(web)).outcome == "live"
    assert web.methods == ["HEAD"]


@pytest.mark.parametrize("status", [404, 410])
async def test_a_page_that_is_gone_comes_with_its_copy(status: int) -> None:
    assert await check(Web(answer(status), answer(status))) == LinkCheck(
        url=PAGE, outcome="dead", status=status, reason=f"HTTP {status}", snapshot=COPY
    )


async def test_a_failed_head_request_is_retried_with_get() -> None:
    assert (await check(Web(answer(404), answer(200)))).outcome == "live"
    assert (await check(Web(answer(405), answer(200)))).outcome == "live"


@pytest.mark.parametrize("status", [401, 403, 429, 451, 999])
async def test_a_refusal_is_not_the_end_of_a_page(status: int) -> None:
    archive = Archive(COPY)
    checked = await check(Web(answer(status), answer(status)), archive)
    assert (checked.outcome, checked.status, checked.snapshot) == ("blocked", status, None)
    assert archive.asked == []


@pytest.mark.parametrize("status", [400, 500, 502, 503, 504])
async def test_a_fault_of_the_server_tells_nothing(status: int) -> None:
    checked = await check(Web(answer(status), answer(status)))
    assert (checked.outcome, checked.reason) == ("unchecked", f"HTTP {status}")


@pytest.mark.parametrize(
    "body",
    [
        b"<html><head><title>Page not found</title></head><body><h1>Oops!</h1></body></html>",
        b"<html><title>Site</title><body><p>The page you requested does not exist.</p></body>",
    ],
)
async def test_a_page_that_says_it_is_missing_is_dead_whatever_its_status(body: bytes) -> None:
    checked = await check(Web(answer(), answer(200, body)))
    assert (checked.outcome, checked.snapshot) == ("soft_404", COPY)
    assert checked.lost


async def test_a_bot_wall_with_status_200_is_a_refusal() -> None:
    body = b"<html><title>Just a moment...</title><body>Verify you are human</body></html>"
    assert (await check(Web(answer(), answer(200, body)))).outcome == "blocked"


async def test_a_redirect_to_the_front_page_is_not_the_page() -> None:
    home = answer(url="https://site.example/")
    checked = await check(Web(home, home))
    assert (checked.outcome, checked.finalUrl) == ("redirected_to_root", "https://site.example/")
    assert checked.snapshot == COPY


@pytest.mark.parametrize(
    "url",
    [
        "https://site.example/index.html",
        "https://site.example/home",
        "https://site.example/en/",
        "https://short.example/x7Qz",
    ],
)
async def test_a_redirect_of_a_front_page_or_a_short_link_to_a_root_is_live(url: str) -> None:
    home = answer(url="https://site.example/")
    assert (await check(Web(home, home), url=url)).outcome == "live"


async def test_a_page_that_came_back_does_not_stay_dead() -> None:
    store = MemoryStore()
    gone, back = Web(answer(404), answer(404)), Web(answer(), answer())
    first = await LinkChecker(gone, Archive(COPY), store).check([PAGE])
    second = await LinkChecker(back, Archive(COPY), store).check([PAGE])
    assert (first[PAGE].outcome, second[PAGE].outcome) == ("dead", "live")


async def test_a_requested_front_page_is_live() -> None:
    home = answer(url="https://site.example/")
    assert (await check(Web(home, home), url="https://site.example")).outcome == "live"


async def test_a_host_that_is_gone_is_dead_if_the_network_works() -> None:
    missing = NetworkError("no such host", details={"detail": "dns_no_such_name"})
    assert await check(Web(missing)) == LinkCheck(
        url=PAGE, outcome="dead", reason="no such host", snapshot=COPY
    )
    offline = await check(Web(missing), Archive(NetworkError("no network")))
    assert offline.outcome == "unchecked"
    paused = ProviderError("Paused.", details={"detail": "circuit_open"})
    assert (await check(Web(missing), Archive(paused))).outcome == "unchecked"
    busy = await check(Web(missing), Archive(RateLimitError("Slow down.")))
    assert busy.outcome == "dead"  # the archive responded, so the network works


class Names:
    """Knows only some hosts."""

    def __init__(self, *known: str) -> None:
        self._known = known

    async def fetch(self, request: FetchRequest) -> FetchedResponse:
        if any(f"//{host}/" in request.url for host in self._known):
            return answer(url=request.url, kind="text/plain")
        raise NetworkError("no such host", details={"detail": "dns_no_such_name"})


async def outcomes(web: Names, *urls: str) -> dict[str, str]:
    checks = await LinkChecker(web, Archive(), MemoryStore()).check(urls)
    return {url: check.outcome for url, check in checks.items()}


@pytest.mark.parametrize("host", ["doi.org", "dx.doi.org", "www.ncbi.nlm.nih.gov", "arxiv.org"])
async def test_a_resolver_of_identifiers_that_is_not_found_is_no_dead_link(host: str) -> None:
    gone, resolver = "https://gone.example/x", f"https://{host}/10.1/x"
    urls = (gone, resolver, "https://a.example/", "https://b.example/")
    found = await outcomes(Names("a.example", "b.example"), *urls)
    assert found == dict(zip(urls, ("dead", "unchecked", "live", "live"), strict=True))


async def test_no_link_is_dead_if_most_hosts_are_not_found() -> None:
    urls = ("https://one.example/", "https://two.example/a", "https://a.example/")
    assert set((await outcomes(Names("a.example"), *urls)).values()) == {"live", "unchecked"}
    same = ("https://one.example/a", "https://one.example/b")  # one host tells nothing
    assert set((await outcomes(Names(), *same)).values()) == {"dead"}


@pytest.mark.parametrize(
    "error", [NetworkError("timed out"), BlockedError("a private address"), NetworkError("dns")]
)
async def test_a_failed_request_is_unchecked(error: Exception) -> None:
    checked = await check(Web(error))
    assert checked == LinkCheck(url=PAGE, outcome="unchecked", reason=str(error))


async def test_a_failed_archive_lookup_keeps_the_outcome_and_is_noted() -> None:
    checked = await check(Web(answer(404), answer(404)), Archive(RateLimitError("Slow down.")))
    assert checked.outcome == "dead"
    assert checked.reason == "HTTP 404 The archive could not be queried: Slow down."


async def test_an_outcome_is_remembered_and_a_failure_to_check_is_not() -> None:
    store = MemoryStore()
    web = Web(answer(), answer())
    for _ in range(2):
        await LinkChecker(web, Archive(COPY), store).check([PAGE, PAGE])
    assert web.methods == ["HEAD", "GET"]
    broken = Web(NetworkError("timed out"))
    other = "https://other.example/"
    for _ in range(2):
        await LinkChecker(broken, Archive(COPY), store).check([other])
    assert broken.methods == ["HEAD", "HEAD"]


class Crowd:
    """Counts how many ask at once, in all and of one host."""

    def __init__(self, enough: int) -> None:
        self.now: dict[str, int] = {}
        self.most_of_host = self.most = 0
        self._enough = enough
        self._go = asyncio.Event()

    async def fetch(self, request: FetchRequest) -> FetchedResponse:
        host = request.url.split("/")[2]
        self.now[host] = self.now.get(host, 0) + 1
        self.most_of_host = max(self.most_of_host, *self.now.values())
        self.most = max(self.most, sum(self.now.values()))
        if self.most >= self._enough:
            self._go.set()
        await self._go.wait()
        self.now[host] -= 1
        return answer(kind="application/pdf", url=request.url)


async def test_many_links_are_checked_side_by_side_but_hosts_are_spared() -> None:
    crowd = Crowd(enough=MAX_CONCURRENT)
    urls = [f"https://h{n % 20}.example/{n}" for n in range(60)]
    checked = await LinkChecker(crowd, None, MemoryStore()).check(urls)
    assert {c.outcome for c in checked.values()} == {"live"}
    assert list(checked) == urls
    assert crowd.most == MAX_CONCURRENT
    assert crowd.most_of_host <= MAX_PER_HOST


async def test_links_beyond_the_deadline_are_left_unchecked() -> None:
    crowd = Crowd(enough=1000)
    urls = [f"https://h{n}.example/" for n in range(30)]
    checked = await LinkChecker(crowd, None, MemoryStore(), deadline=0.01).check(urls)
    assert {(c.outcome, c.reason) for c in checked.values()} == {
        ("unchecked", "Not checked: out of time.")
    }


async def test_nothing_to_check_is_fine() -> None:
    assert await LinkChecker(Web(None), None, MemoryStore()).check([]) == {}
