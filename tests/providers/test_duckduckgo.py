"""DuckDuckGo's HTML page, replaying exchanges in `recorded/duckduckgo`."""

import pytest

from tests.providers.search_failures import FAILURES, assert_fails
from webquarry.errors import RateLimitError
from webquarry.models.search import WebQuery, WebResult
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.duckduckgo import DuckDuckGo

pytestmark = pytest.mark.anyio
OWLS = WebQuery(text="owls")


@pytest.mark.recording("duckduckgo/web")
async def test_every_filter_is_sent_and_advertisements_are_left_out(upstreams: Upstreams) -> None:
    found = await DuckDuckGo(upstreams, {}).search_web(
        WebQuery(
            text="owls",
            safe="high",
            country="gb",
            time_range="week",
            sites=("example.org", "example.net"),
            exact_terms="barn owl",
            exclude_terms="zoo",
        )
    )

    assert found == [
        WebResult(
            title="Barn owls & barns",
            url="https://example.org/barn?a=1&b=2",
            snippet="They hunt at night.",
        ),
        WebResult(title="Owl boxes", url="https://example.net/boxes"),
    ]


@pytest.mark.recording("duckduckgo/empty")
async def test_nothing_found_is_an_empty_list(upstreams: Upstreams) -> None:
    assert await DuckDuckGo(upstreams, {}).search_web(OWLS) == []


@pytest.mark.recording("duckduckgo/captcha")
async def test_a_captcha_is_a_rate_limit_and_keeps_us_away(upstreams: Upstreams) -> None:
    duckduckgo = DuckDuckGo(upstreams, {})

    for _ in range(2):  # the second time nobody is asked: one exchange was recorded
        with pytest.raises(RateLimitError) as caught:
            await duckduckgo.search_web(OWLS)
        assert caught.value.retry_after == 60
    assert upstreams.health()["duckduckgo"].state == "open"


@pytest.mark.recording("duckduckgo/captcha_202")
async def test_status_202_is_the_same(upstreams: Upstreams) -> None:
    with pytest.raises(RateLimitError):
        await DuckDuckGo(upstreams, {}).search_web(OWLS)


@pytest.mark.parametrize("case", FAILURES)
async def test_failures_are_told_apart(case: str) -> None:
    request = {"url": "https://html.duckduckgo.com/html/?q=owls"}

    await assert_fails(lambda u: DuckDuckGo(u, {}).search_web(OWLS), request, FAILURES[case])
