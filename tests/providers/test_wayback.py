"""The Wayback Machine: which copies are believed, and which failures are told."""

import pytest

from tests.replay import Replay
from webquarry.errors import (
    NetworkError,
    PayloadError,
    ProviderError,
    RateLimitError,
    WebquarryError,
)
from webquarry.models.links import Snapshot
from webquarry.net.upstream.status_errors import RequestRefusedError
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.wayback import Wayback

pytestmark = pytest.mark.anyio

GONE = "https://gone.example/a?b=1"


async def find(upstreams: Upstreams, near: str | None = None) -> Snapshot | None:
    return await Wayback(upstreams, {}).snapshot(GONE, near)


@pytest.mark.recording("wayback/closest")
async def test_the_latest_copy_has_a_secure_address_and_its_time(upstreams: Upstreams) -> None:
    assert await find(upstreams) == Snapshot(
        url="https://web.archive.org/web/20240131084512/https://gone.example/a?b=1",
        takenAt="2024-01-31T08:45:12Z",
    )


@pytest.mark.recording("wayback/near")
async def test_a_copy_near_a_day_can_be_asked_for(upstreams: Upstreams) -> None:
    assert await find(upstreams, "2019-07-04") == Snapshot(
        url="https://web.archive.org/web/20190701000000/https://gone.example/a?b=1",
        takenAt="2019-07-01T00:00:00Z",
    )


@pytest.mark.recording("wayback/none")
async def test_no_copy_is_an_answer(upstreams: Upstreams) -> None:
    assert await find(upstreams) is None


@pytest.mark.recording("wayback/copy_of_an_error")
async def test_the_copy_of_an_error_is_no_copy_of_the_page(upstreams: Upstreams) -> None:
    assert await find(upstreams) is None


@pytest.mark.recording("wayback/unavailable_copy")
async def test_a_copy_that_cannot_be_had_is_none(upstreams: Upstreams) -> None:
    assert await find(upstreams) is None


async def _raises(upstreams: Upstreams, kind: type[WebquarryError]) -> WebquarryError:
    with pytest.raises(kind) as caught:
        await find(upstreams)
    assert caught.value.provider == "wayback"
    return caught.value


@pytest.mark.recording("wayback/no_address")
async def test_a_copy_without_address_is_refused(upstreams: Upstreams) -> None:
    await _raises(upstreams, PayloadError)


@pytest.mark.recording("wayback/odd_time")
async def test_a_copy_with_an_impossible_time_is_refused(upstreams: Upstreams) -> None:
    await _raises(upstreams, PayloadError)


@pytest.mark.recording("wayback/forbidden")
async def test_a_refusal_is_told(upstreams: Upstreams) -> None:
    error = await _raises(upstreams, RequestRefusedError)

    assert str(error) == f"The archive shows no copies of {GONE}: HTTP 403."


async def test_an_excluded_site_is_no_problem_of_a_key() -> None:
    params = "url=https%3A%2F%2Fgone.example%2Fa%3Fb%3D1"
    url = f"https://archive.org/wayback/available?{params}"
    text = "<html><h1>Blocked Site Error</h1></html>"
    replay = Replay(
        [{"origin": "handwritten", "request": {"url": url}, "status": 403, "text": text}]
    )

    error = await _raises(Upstreams(replay), RequestRefusedError)

    assert str(error) == f"The archive shows no copies of {GONE}: the site is excluded from it."
    assert error.block()["retryable"] is False


@pytest.mark.recording("wayback/too_many")
async def test_rate_limit_says_when_to_retry(upstreams: Upstreams) -> None:
    assert (await _raises(upstreams, RateLimitError)).retry_after == 30


@pytest.mark.recording("wayback/broken")
async def test_an_archive_that_is_down_is_told_after_three_tries(upstreams: Upstreams) -> None:
    await _raises(upstreams, ProviderError)


@pytest.mark.recording("wayback/wrong_shape")
async def test_another_shape_is_told(upstreams: Upstreams) -> None:
    await _raises(upstreams, PayloadError)


@pytest.mark.recording("wayback/html")
async def test_a_page_instead_of_data_is_told(upstreams: Upstreams) -> None:
    await _raises(upstreams, PayloadError)


@pytest.mark.recording("wayback/timeout")
async def test_no_answer_is_told(upstreams: Upstreams) -> None:
    await _raises(upstreams, NetworkError)
