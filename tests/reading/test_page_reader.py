"""Any address: by its site's own interface, up the ladder, or as it is."""

import base64
import json
from typing import ClassVar

import pytest

from tests.net.servers import Asked, Handler, pages, serve
from tests.reading.reading import PROSE, http_tier
from webquarry.errors import (
    BadInputError,
    BlockedError,
    NetworkError,
    NotFoundError,
    WebquarryError,
)
from webquarry.models.reading import ForumSignals, RawResponse, ReadAttempt, Reading
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import Url, parse
from webquarry.reading.page_reader import PageReader, with_signals
from webquarry.reading.sites.site import Keys, Site, SiteInfo
from webquarry.reading.tiers.ladder import Ladder
from webquarry.reading.tiers.read_errors import LoginWallError

pytestmark = pytest.mark.anyio

URL = "https://owls.example/1"


class Owls(Site):
    """A site whose interface answers or fails as the test says."""

    about: ClassVar = SiteInfo(name="owls", base_url="https://api.owls.example", docs="")

    def __init__(self, upstreams: Upstreams | None = None, keys: Keys | None = None) -> None:
        self.outcome: Reading | WebquarryError = NotFoundError("nothing yet")
        self.elsewhere: Url | None = None

    def handles(self, url: Url) -> bool:
        return url.host == "owls.example"

    async def read(self, url: Url) -> Reading:
        if isinstance(self.outcome, WebquarryError):
            raise self.outcome
        return self.outcome

    def page(self, url: Url) -> Url:
        return self.elsewhere or url


def reading(**more: object) -> Reading:
    return Reading.model_validate(
        {"url": URL, "address": URL, "markdown": "Hoot.", "kind": "owl", **more}
    )


async def read_owls(outcome: Reading | WebquarryError, page: bytes = PROSE) -> Reading:
    """Read an address of the site, whose page is served on loopback."""
    owls = Owls()
    owls.outcome = outcome
    async with serve(pages({"/mirror": page})) as site, http_tier() as tier:
        owls.elsewhere = parse(site.url("/mirror"))
        return await PageReader(Ladder([tier]), [owls], tier).read(parse(URL), 20)


async def test_a_sites_own_interface_comes_first() -> None:
    assert await read_owls(reading()) == reading()


@pytest.mark.parametrize("error", [NetworkError("no route"), BlockedError("captcha")])
async def test_when_it_does_not_answer_the_page_is_read(error: WebquarryError) -> None:
    found = await read_owls(error)

    assert found.url == URL
    assert found.tier == "stealth"
    assert found.attempts == (ReadAttempt(tier="owls", outcome=str(error)),)


@pytest.mark.parametrize("error", [NotFoundError("gone"), LoginWallError("for members")])
async def test_what_it_knows_for_sure_is_final(error: WebquarryError) -> None:
    with pytest.raises(type(error)):
        await read_owls(error)


async def test_a_forums_page_says_how_a_post_was_received() -> None:
    node = {
        "@type": "DiscussionForumPosting",
        "author": {"name": "ada"},
        "commentCount": 3,
        "interactionStatistic": {"interactionType": "LikeAction", "userInteractionCount": 40},
    }
    html = f'<script type="application/ld+json">{json.dumps(node)}</script>'.encode() + PROSE
    async with serve(pages({"/r/owls/": html})) as site, http_tier() as tier:
        reader = PageReader(Ladder([tier]), [], tier)
        port = site.port
        on_reddit = await reader.read(parse(f"http://redd.it.test:{port}/r/owls/"), 20)
        assert on_reddit.forum is None  # only looks like it

        found = on_reddit.model_copy(update={"url": "https://www.reddit.com/r/owls/"})
        assert with_signals(found).forum == ForumSignals(
            platform="reddit", upvotes=40, comments=3, authorName="ada"
        )
        untold = found.model_copy(update={"tier": "markdown"})
        assert with_signals(untold).forum is None


def answering(status: int, body: bytes, **headers: str) -> Handler:
    async def handle(asked: Asked) -> None:
        await asked.answer(status, body, **headers)

    return handle


async def raw(handler: Handler, most: int = 1000) -> RawResponse:
    async with serve(handler) as site, http_tier() as tier:
        found = await PageReader(Ladder([tier]), [], tier).read_raw(parse(site.url("/x")), 20, most)
    assert found.url == found.address == site.url("/x")
    return found


async def test_raw_bytes_come_as_they_are() -> None:
    body = b"<p hidden>IGNORE</p><script>alert(1)</script>\xe2\x80\x8b"

    found = await raw(answering(200, body, content_type="text/html; charset=utf-8"))

    assert found == RawResponse(
        url=found.url,
        address=found.address,
        content=body.decode(),
        content_type="text/html; charset=utf-8",
    )


async def test_raw_text_is_read_in_its_own_charset() -> None:
    body = "Käuze".encode("cp1252")

    found = await raw(answering(200, body, content_type="text/plain; charset=iso-8859-1"))

    assert found.content == "Käuze"


async def test_raw_bytes_that_are_no_text_are_encoded() -> None:
    body = b"\x89PNG\r\n\x1a\n\x00\x00\x00"

    found = await raw(answering(200, body, content_type="image/png"))

    assert found.encoded
    assert base64.b64decode(found.content) == body


async def test_raw_bytes_are_cut_at_the_length_asked_for() -> None:
    found = await raw(answering(200, b"owl" * 100, content_type="text/plain"), 10)

    assert (found.content, found.truncated) == ("owlowlowlo", True)


async def test_raw_bytes_may_have_no_type() -> None:
    assert (await raw(answering(200, b"owl"))).content_type == ""


async def test_what_is_not_there_has_no_bytes() -> None:
    with pytest.raises(NotFoundError):
        await raw(answering(404, b"gone"))


async def test_raw_mode_is_guarded_too() -> None:
    with pytest.raises(BadInputError, match="URL rejected"):
        await raw(answering(302, b"", location="http://169.254.169.254/"))
