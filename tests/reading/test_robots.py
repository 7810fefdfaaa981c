"""What sites ask of robots, from real servers on loopback."""

import pytest

from tests.net.fetching import fetching
from tests.net.servers import Asked, Handler, serve
from webquarry.errors import BlockedError
from webquarry.net.url import parse
from webquarry.reading.robots import Robots

pytestmark = pytest.mark.anyio

RULES = b"\xef\xbb\xbfUser-agent: webquarry\nDisallow: /private\n\nUser-agent: *\nDisallow: /\n"


def answering(status: int, body: bytes = b"") -> Handler:
    async def handle(asked: Asked) -> None:
        await asked.answer(status, body, content_type="text/plain")

    return handle


async def allowed(handler: Handler, *paths: str, asked: int = 1) -> list[bool]:
    async with serve(handler) as site, fetching() as fetcher:
        robots = Robots(fetcher)
        found: list[bool] = []
        for path in paths:
            try:
                await robots.check(parse(site.url(path)))
            except BlockedError:
                found.append(False)
            else:
                found.append(True)
    assert site.targets == ["/robots.txt"] * asked  # however many pages
    return found


async def test_our_name_has_rules_of_its_own() -> None:
    paths = ("/", "/private/a", "/public")

    assert await allowed(answering(200, RULES), *paths) == [True, False, True]


@pytest.mark.parametrize(
    ("status", "may"), [(404, True), (403, True), (401, True), (500, False), (503, False)]
)
async def test_no_rules_allow_everything_and_no_answer_nothing(status: int, *, may: bool) -> None:
    assert await allowed(answering(status, RULES), "/a") == [may]


async def test_who_cannot_be_asked_has_not_agreed() -> None:
    async def hang_up(asked: Asked) -> None:
        asked.hang_up()

    # silence is not taken at once for an answer
    assert await allowed(hang_up, "/a", "/b", asked=2) == [False, False]


async def test_a_refusal_says_who_asked_for_it() -> None:
    async with serve(answering(200, RULES)) as site, fetching() as fetcher:
        url = site.url("/private")
        with pytest.raises(BlockedError) as caught:
            await Robots(fetcher).check(parse(url))

    assert str(caught.value) == (
        f"Blocked: robots.txt of 127.0.0.1 asks robots not to read {url}. Try an alternative "
        "source, or set RESPECT_ROBOTS=false for reads of single pages."
    )
