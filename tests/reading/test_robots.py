"""robots.txt of servers on loopback."""

from typing import cast

import pytest
from protego import Protego

from tests.net.fetching import fetching
from tests.net.servers import Handler, ReceivedRequest, serve
from webquarry.errors import BlockedError
from webquarry.net.url import parse
from webquarry.reading.robots import LimitedRobotsRules, Robots

pytestmark = pytest.mark.anyio

RULES = b"\xef\xbb\xbfUser-agent: webquarry\nDisallow: /private\n\nUser-agent: *\nDisallow: /\n"


def respond_with(status: int, body: bytes = b"") -> Handler:
    async def handle(request: ReceivedRequest) -> None:
        await request.respond(status, body, content_type="text/plain")

    return handle


async def allowed(handler: Handler, *paths: str, requests: int = 1) -> list[bool]:
    async with serve(handler) as site, fetching() as fetcher:
        robots = Robots(fetcher)
        results: list[bool] = []
        for path in paths:
            try:
                await robots.check(parse(site.url(path)))
            except BlockedError:
                results.append(False)
            else:
                results.append(True)
    assert site.targets == ["/robots.txt"] * requests  # independent of the number of pages
    return results


async def test_rules_for_our_user_agent_take_precedence() -> None:
    paths = ("/", "/private/a", "/public")

    assert await allowed(respond_with(200, RULES), *paths) == [True, False, True]


@pytest.mark.parametrize(
    ("status", "expected"), [(404, True), (403, True), (401, True), (500, False), (503, False)]
)
async def test_missing_rules_allow_everything_and_server_errors_allow_nothing(
    status: int, *, expected: bool
) -> None:
    assert await allowed(respond_with(status, RULES), "/a") == [expected]


async def test_an_unreachable_robots_txt_allows_nothing() -> None:
    async def close(request: ReceivedRequest) -> None:
        request.close()

    # the failure is not cached, so each page requests robots.txt again
    assert await allowed(close, "/a", "/b", requests=2) == [False, False]


async def test_a_refusal_names_robots_txt_and_the_setting() -> None:
    async with serve(respond_with(200, RULES)) as site, fetching() as fetcher:
        url = site.url("/private")
        with pytest.raises(BlockedError) as caught:
            await Robots(fetcher).check(parse(url))

    assert str(caught.value) == (
        f"Blocked: robots.txt of 127.0.0.1 disallows {url}. Try an alternative "
        "source, or set RESPECT_ROBOTS=false for reads of single pages."
    )


class SlowRules:
    """Rules that never finish matching a long URL."""

    def can_fetch(self, url: str, agent: str) -> bool:
        del agent
        while len(url) > 100:
            pass
        return True


def test_rules_that_take_long_to_match_allow_nothing() -> None:
    rules = LimitedRobotsRules(cast("Protego", SlowRules()))
    urls = ("https://a.test/short", f"https://a.test/{'a' * 200}", "https://a.test/short")

    assert [rules.can_fetch(url, "webquarry") for url in urls] == [True, False, False]
