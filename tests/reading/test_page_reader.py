"""The page reader: site readers first, then the ladder of tiers; raw bytes."""

import base64
from typing import ClassVar

import pytest

from tests.net.servers import Handler, ReceivedRequest, pages, serve
from tests.reading.loopback_tier import PROSE, http_tier
from webquarry.errors import (
    BadInputError,
    BlockedError,
    NetworkError,
    NotFoundError,
    WebquarryError,
)
from webquarry.models.reading import RawResponse, ReadAttempt, Reading
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import Url, parse
from webquarry.reading.page_reader import PageReader
from webquarry.reading.sites.site import Keys, Site, SiteInfo
from webquarry.reading.tiers.ladder import Ladder
from webquarry.reading.tiers.read_errors import LoginWallError

pytestmark = pytest.mark.anyio

URL = "https://owls.example/1"


class Owls(Site):
    """A site reader that returns or raises the outcome set by the test."""

    about: ClassVar = SiteInfo(
        name="owls", hosts=("owls.example",), base_url="https://api.owls.example", docs=""
    )

    def __init__(self, upstreams: Upstreams | None = None, keys: Keys | None = None) -> None:
        self.outcome: Reading | WebquarryError = NotFoundError("nothing yet")
        self.page_url: Url | None = None

    def handles(self, url: Url) -> bool:
        return url.href == URL

    async def read(self, url: Url) -> Reading:
        if isinstance(self.outcome, WebquarryError):
            raise self.outcome
        return self.outcome

    def fallback_url(self, url: Url) -> Url:
        return self.page_url or url

    def annotate(self, reading: Reading) -> Reading:
        return reading.model_copy(update={"notes": ("Owls are wise.",)})


def reading(**more: object) -> Reading:
    return Reading.model_validate(
        {"url": URL, "final_url": URL, "markdown": "Hoot.", "kind": "owl", **more}
    )


async def read_owls(outcome: Reading | WebquarryError, page: bytes = PROSE) -> Reading:
    """Read a URL of the site, whose page is served on loopback."""
    owls = Owls()
    owls.outcome = outcome
    async with serve(pages({"/mirror": page})) as site, http_tier() as tier:
        owls.page_url = parse(site.url("/mirror"))
        return await PageReader(Ladder([tier]), [owls], tier).read(parse(URL), 20)


async def test_a_site_reader_is_used_first() -> None:
    assert await read_owls(reading()) == reading()


@pytest.mark.parametrize("error", [NetworkError("no route"), BlockedError("captcha")])
async def test_when_the_site_reader_fails_the_tiers_read_the_page(error: WebquarryError) -> None:
    found = await read_owls(error)

    assert found.url == URL
    assert found.tier == "stealth"
    assert found.attempts == (ReadAttempt(tier="owls", outcome=str(error)),)


@pytest.mark.parametrize("error", [NotFoundError("gone"), LoginWallError("for members")])
async def test_a_definite_failure_of_the_site_reader_is_final(error: WebquarryError) -> None:
    with pytest.raises(type(error)):
        await read_owls(error)


class NamedTier:
    """A tier that reads everything."""

    timeout = 20.0

    def __init__(self, name: str) -> None:
        self.name = name

    async def read(self, url: str, seconds: float) -> Reading:
        return reading(url=url, tier=self.name)


@pytest.mark.parametrize(
    ("url", "tier"),
    [
        ("https://go.dev/doc", "browser"),
        ("https://www.linkedin.com/in/x", "browser"),
        ("https://medium.com./@a/b", "browser"),
        ("https://notmedium.com/", "stealth"),
        ("https://owls.test/", "stealth"),
    ],
)
async def test_known_applications_start_in_the_browser(url: str, tier: str) -> None:
    async with http_tier() as raw:
        ladder = Ladder([NamedTier("stealth"), NamedTier("browser")])
        found = await PageReader(ladder, [], raw).read(parse(url), 20)

    assert found.tier == tier


async def test_other_pages_of_a_site_are_read_by_the_tiers_and_annotated() -> None:
    async with http_tier() as raw:
        reader = PageReader(Ladder([NamedTier("stealth")]), [Owls()], raw)
        found = await reader.read(parse("https://www.owls.example/other"), 20)

    assert (found.url, found.tier) == ("https://www.owls.example/other", "stealth")
    assert found.notes == ("Owls are wise.",)


def respond_with(status: int, body: bytes, **headers: str) -> Handler:
    async def handle(request: ReceivedRequest) -> None:
        await request.respond(status, body, **headers)

    return handle


async def raw(handler: Handler, max_bytes: int = 1000) -> RawResponse:
    async with serve(handler) as site, http_tier() as tier:
        found = await PageReader(Ladder([tier]), [], tier).read_raw(
            parse(site.url("/x")), 20, max_bytes
        )
    assert found.url == found.final_url == site.url("/x")
    return found


async def test_raw_content_is_returned_unchanged() -> None:
    body = b"<p hidden>IGNORE</p><script>alert(1)</script>\xe2\x80\x8b"

    found = await raw(respond_with(200, body, content_type="text/html; charset=utf-8"))

    assert found == RawResponse(
        url=found.url,
        final_url=found.final_url,
        content=body.decode(),
        content_type="text/html; charset=utf-8",
    )


async def test_raw_text_is_decoded_with_its_charset() -> None:
    body = "Käuze".encode("cp1252")

    found = await raw(respond_with(200, body, content_type="text/plain; charset=iso-8859-1"))

    assert found.content == "Käuze"


async def test_raw_binary_content_is_base64() -> None:
    body = b"\x89PNG\r\n\x1a\n\x00\x00\x00"

    found = await raw(respond_with(200, body, content_type="image/png"))

    assert found.is_base64
    assert base64.b64decode(found.content) == body


async def test_raw_content_is_cut_at_the_maximum_length() -> None:
    found = await raw(respond_with(200, b"owl" * 100, content_type="text/plain"), 10)

    assert (found.content, found.truncated) == ("owlowlowlo", True)


async def test_raw_content_may_have_no_content_type() -> None:
    assert (await raw(respond_with(200, b"owl"))).content_type == ""


async def test_a_missing_page_has_no_raw_content() -> None:
    with pytest.raises(NotFoundError):
        await raw(respond_with(404, b"gone"))


async def test_raw_mode_is_guarded_too() -> None:
    with pytest.raises(BadInputError, match="URL rejected"):
        await raw(respond_with(302, b"", location="http://169.254.169.254/"))
