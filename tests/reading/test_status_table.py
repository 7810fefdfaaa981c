"""What each HTTP status of a page and of a provider means to the caller."""

from dataclasses import dataclass
from typing import NamedTuple

import pytest

from tests.replay import FakeClock, Replay
from tests.support import ALICE
from webquarry.errors import WebquarryError
from webquarry.models.reading import RawResponse, Reading
from webquarry.net.client.response import FetchedResponse, Headers
from webquarry.net.clock import Clock
from webquarry.net.upstream.api import ApiLimits, UpstreamApi
from webquarry.net.url import Url
from webquarry.reading.page_cache import PageCache
from webquarry.reading.service import ReadingService
from webquarry.reading.tiers.acceptance import check_status
from webquarry.reading.tiers.ladder import Ladder
from webquarry.storage.memory_store import MemoryStore

pytestmark = pytest.mark.anyio

URL = "https://owls.test/1"
ERROR_PAGE = b"<title>Error</title><h1>Something is wrong</h1><p>We are looking into it.</p>"


class Meaning(NamedTuple):
    """What the caller is told, and for how long it is remembered."""

    kind: str
    retryable: bool
    action: str
    retry_after: int | None
    remembered: float


_WAIT, _TELL, _OTHER = "retry_after_delay", "inform_user", "try_different_provider"


def retry(kind: str, action: str, after: int | None, *, remembered: float) -> Meaning:
    return Meaning(kind, retryable=True, action=action, retry_after=after, remembered=remembered)


def final(kind: str, action: str, *, remembered: float) -> Meaning:
    return Meaning(kind, retryable=False, action=action, retry_after=None, remembered=remembered)


LOGIN = final("auth_required", _TELL, remembered=1800)
BLOCK = final("blocked", _TELL, remembered=1800)
GONE = final("not_found", _TELL, remembered=600)
EMPTY = retry("content_empty", "report_bug", 60, remembered=60)
REFUSED = final("upstream_unavailable", _TELL, remembered=600)
FAILED = retry("upstream_unavailable", _WAIT, 30, remembered=30)
LIMITED = retry("rate_limited", _WAIT, 60, remembered=60)
NO_ACCESS = final("auth_required", "check_api_key", remembered=0)
NO_RECORD = final("not_found", _TELL, remembered=0)
NO_REQUEST = final("upstream_unavailable", _TELL, remembered=0)
NO_SERVICE = retry("upstream_unavailable", _OTHER, None, remembered=0)
STATUSES = {
    # status: of a page, of a provider
    300: (EMPTY, NO_REQUEST),
    304: (EMPTY, NO_REQUEST),
    400: (REFUSED, NO_REQUEST),
    401: (LOGIN, NO_ACCESS),
    402: (LOGIN, NO_REQUEST),  # of the same kind, with another text
    403: (BLOCK, NO_ACCESS),
    404: (GONE, NO_RECORD),
    405: (REFUSED, NO_REQUEST),
    406: (REFUSED, NO_REQUEST),
    407: (LOGIN, NO_ACCESS),
    408: (FAILED, NO_SERVICE),
    409: (REFUSED, NO_REQUEST),
    410: (GONE, NO_RECORD),
    413: (REFUSED, NO_REQUEST),
    414: (REFUSED, NO_REQUEST),
    418: (REFUSED, NO_REQUEST),
    421: (REFUSED, NO_REQUEST),
    422: (REFUSED, NO_REQUEST),
    423: (FAILED, NO_SERVICE),
    425: (FAILED, NO_SERVICE),
    429: (LIMITED, LIMITED),
    451: (REFUSED, NO_REQUEST),
    500: (FAILED, NO_SERVICE),
    501: (REFUSED, NO_REQUEST),
    502: (FAILED, NO_SERVICE),
    503: (FAILED, NO_SERVICE),
    504: (FAILED, NO_SERVICE),
    505: (REFUSED, NO_REQUEST),
    507: (FAILED, NO_SERVICE),
    511: (REFUSED, NO_REQUEST),
    520: (FAILED, NO_SERVICE),
    530: (FAILED, NO_SERVICE),
    999: (BLOCK, NO_SERVICE),
}


@dataclass
class Site:
    """A tier and a reader whose page always has the same status."""

    status: int
    headers: dict[str, str]
    clock: Clock
    requests: int = 0
    name: str = "stealth"
    timeout: float = 20.0

    async def read(self, url: str | Url, seconds: float) -> Reading:
        if isinstance(url, Url):
            return await Ladder([self], self.clock).read(url, seconds)
        self.requests += 1
        headers = Headers([("content-type", "text/html"), *self.headers.items()])
        check_status(
            FetchedResponse(url=url, status=self.status, headers=headers, content=ERROR_PAGE),
            self.clock,
        )
        raise AssertionError("every status is an error")

    async def read_raw(self, url: Url, seconds: float, max_bytes: int) -> RawResponse:
        raise NotImplementedError


async def read_meaning(status: int, **headers: str) -> Meaning:
    """Read a page, and read it again until another request is sent."""
    time = FakeClock()
    site = Site(status, headers, time.clock())
    service = ReadingService(site, PageCache(MemoryStore()), clock=time.clock())

    error = await failure_of(service)
    remembered = await _remembered(service, site, time)
    return _meaning(error, remembered)


async def failure_of(service: ReadingService) -> WebquarryError:
    with pytest.raises(WebquarryError) as caught:
        await service.scrape(URL, "full", 1000, ALICE)
    return caught.value


async def _remembered(service: ReadingService, site: Site, time: FakeClock) -> float:
    """Return the smallest of the usual times after which the page is requested again."""
    start = time.time
    for seconds in (0, 2, 5, 30, 60, 120, 600, 1800):
        time.time = start + seconds
        await failure_of(service)
        if site.requests > 1:
            return seconds
    raise AssertionError("remembered for longer than half an hour")


async def ask_meaning(status: int) -> Meaning:
    """Send a request to a provider, and read how long it is paused."""
    request = {"url": "https://api.test/items"}
    replay = Replay([{"origin": "handwritten", "request": request, "status": status, "body": {}}])
    time = FakeClock()
    api = UpstreamApi(
        replay, name="acme", base_url="https://api.test", limits=ApiLimits(tries=1),
        clock=time.clock(),
    )  # fmt: skip
    with pytest.raises(WebquarryError) as caught:
        await api.get("items")
    return _meaning(caught.value, api.health.retry_after)


def _meaning(error: WebquarryError, remembered: float) -> Meaning:
    block = error.block()
    return Meaning(
        block["kind"],
        block["retryable"],
        block["suggestedAction"],
        block.get("retryAfterSeconds"),
        remembered,
    )


@pytest.mark.parametrize("status", STATUSES)
async def test_each_status_has_its_own_meaning(status: int) -> None:
    assert (await read_meaning(status), await ask_meaning(status)) == STATUSES[status]


def test_no_failure_is_remembered_for_longer_than_the_caller_is_told_to_wait() -> None:
    meanings = [meaning for pair in STATUSES.values() for meaning in pair]

    assert len(STATUSES) >= 25
    assert all(m.remembered <= (m.retry_after or 0) for m in meanings if m.retryable)


@pytest.mark.parametrize(("status", "retry_after"), [(503, 2), (503, 120), (429, 2), (500, 5)])
async def test_the_wait_that_a_page_asks_for_is_honoured(status: int, retry_after: int) -> None:
    found = await read_meaning(status, **{"retry-after": str(retry_after)})

    assert (found.retryable, found.retry_after, found.remembered) == (
        True, retry_after, retry_after,
    )  # fmt: skip


async def test_an_outage_is_not_called_bot_detection() -> None:
    time = FakeClock()
    site = Site(503, {"retry-after": "2"}, time.clock())
    service = ReadingService(site, PageCache(MemoryStore()), clock=time.clock())

    assert str(await failure_of(service)) == (
        f"Unavailable: {URL} returned HTTP 503 Service Unavailable. Retry in 2 seconds."
    )
