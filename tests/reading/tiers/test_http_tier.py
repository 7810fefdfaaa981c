"""Reading over plain HTTP, from real servers on loopback."""

import pytest

from tests.net.servers import Asked, Handler, pages, serve
from tests.reading.reading import PROSE, http_tier
from webquarry.models.page import PageMetadata, Removal
from webquarry.models.reading import Reading
from webquarry.net.policy import Policy
from webquarry.reading.tiers.http_tier import FetchLimits
from webquarry.reading.tiers.read_errors import UnreadableError

pytestmark = pytest.mark.anyio

MARKDOWN = b"# Owls\n\nThey **hunt** at night, see [this](https://a.test/b).\n"


def always(status: int = 200, body: bytes = b"", **headers: str) -> Handler:
    async def handle(asked: Asked) -> None:
        await asked.answer(status, body, **headers)

    return handle


async def read(handler: Handler, path: str = "/") -> Reading:
    async with serve(handler) as site, http_tier() as tier:
        return await tier.read(site.url(path), 20)


async def miss_of(handler: Handler, path: str = "/") -> UnreadableError:
    async with serve(handler) as site, http_tier() as tier:
        with pytest.raises(UnreadableError) as caught:
            await tier.read(site.url(path), 20)
    return caught.value


async def test_one_request_asks_for_markdown_and_takes_the_page() -> None:
    async with serve(pages({"/": PROSE})) as site, http_tier() as tier:
        reading = await tier.read(site.url(), 20)

    assert (reading.tier, reading.kind) == ("stealth", "html")
    assert "Owls hunt at night" in reading.markdown
    assert site.targets == ["/"]
    asked = site.asked[0].headers
    assert asked["accept"].startswith("text/markdown,text/html;q=0.9")
    assert "Chrome/" in asked["user-agent"]


async def test_our_own_name_asks_for_html() -> None:
    async with serve(pages({"/": PROSE})) as site, http_tier("html") as tier:
        reading = await tier.read(site.url(), 20)

    assert reading.tier == "html"
    asked = site.asked[0].headers
    assert asked["accept"].startswith("text/html")
    assert asked["user-agent"].startswith("webquarry/")


async def test_markdown_that_is_offered_is_taken() -> None:
    reading = await read(always(200, MARKDOWN, content_type="text/markdown"))

    assert reading == Reading(
        url=reading.url,
        address=reading.url,
        markdown=MARKDOWN.decode().strip(),
        kind="markdown",
        tier="markdown",
        metadata=PageMetadata(title="Owls"),
    )


async def test_plain_text_that_is_markdown_counts_as_markdown() -> None:
    reading = await read(always(200, MARKDOWN, content_type="text/plain"), "/notes")

    assert (reading.kind, reading.tier) == ("markdown", "markdown")


async def test_invisible_characters_in_markdown_are_taken_out_and_reported() -> None:
    body = "# Owls\n\nThey hunt\u200b at night \U000e0041\U000e0042and sleep.\n".encode()
    reading = await read(always(200, body, content_type="text/markdown; charset=utf-8"))

    assert reading.markdown == "# Owls\n\nThey hunt at night and sleep."
    assert reading.removed == (
        Removal(reason="tag character", count=2, chars=2),
        Removal(reason="zero-width character", count=1, chars=1),
    )


async def test_a_title_in_the_front_matter_is_the_title() -> None:
    body = b'---\ntitle: "All about owls"\n---\n# Heading\n\n- a\n- b\n'
    reading = await read(always(200, body, content_type="text/markdown"))

    assert reading.metadata.title == "All about owls"


async def test_documents_are_read_whatever_they_are_called() -> None:
    body = b"name,weight\nbarn owl,0.5\neagle owl,2.8\n"
    async with serve(always(200, body, content_type="text/csv")) as site, http_tier() as tier:
        reading = await tier.read(site.url("/owls"), 20)

    assert (reading.kind, reading.tier) == ("csv", "")
    assert "| barn owl | 0.5 |" in reading.markdown


async def test_the_address_after_redirects_is_kept() -> None:
    answers = {"/old": (301, {"location": "/new"}), "/new": PROSE}
    async with serve(pages(answers)) as site, http_tier() as tier:
        reading = await tier.read(site.url("/old"), 20)

    assert (reading.url, reading.address) == (site.url("/old"), site.url("/new"))


async def test_a_meta_refresh_is_followed() -> None:
    turn = b'<meta http-equiv="refresh" content="0; url=/new"><p>Moved.</p>'
    async with serve(pages({"/old": turn, "/new": PROSE})) as site, http_tier() as tier:
        reading = await tier.read(site.url("/old"), 20)

    assert reading.address == site.url("/new")
    assert "Owls hunt at night" in reading.markdown


async def test_a_meta_refresh_to_itself_is_not() -> None:
    turn = b'<meta http-equiv="refresh" content="5; url=/">' + PROSE
    async with serve(pages({"/": turn})) as site, http_tier() as tier:
        await tier.read(site.url(), 20)

    assert site.targets == ["/"]


async def test_refreshes_in_a_circle_end() -> None:
    def turn(path: str) -> bytes:
        return f'<meta http-equiv="refresh" content="0;url={path}">'.encode() + PROSE

    async with serve(pages({"/a": turn("/b"), "/b": turn("/a")})) as site, http_tier() as tier:
        reading = await tier.read(site.url("/a"), 20)

    assert site.targets == ["/a", "/b", "/a", "/b"]
    assert "Owls hunt at night" in reading.markdown


async def test_frames_that_hold_everything_are_read() -> None:
    outer = b"<title>Owls</title><frameset><frame src=/menu><frame src=/main></frameset>"
    answers = {"/": outer, "/menu": b"<p>Menu</p>", "/main": PROSE}
    async with serve(pages(answers)) as site, http_tier() as tier:
        reading = await tier.read(site.url(), 20)

    assert "Owls hunt at night" in reading.markdown
    assert reading.metadata.title == "Owls"


@pytest.mark.parametrize(
    ("status", "kind", "final"),
    [
        (404, "not_found", True),
        (410, "not_found", True),
        (401, "auth_required", True),
        (403, "blocked", False),
        (406, "blocked", False),
        (451, "blocked", False),
        (503, "blocked", False),
        (500, "network", False),
        (502, "network", False),
    ],
)
async def test_each_status_means_something(status: int, kind: str, *, final: bool) -> None:
    miss = await miss_of(always(status, PROSE, content_type="text/html"))

    assert (miss.kind, miss.words, miss.final) == (kind, f"HTTP {status}", final)


async def test_who_says_when_to_come_back_is_not_asked_again() -> None:
    miss = await miss_of(always(429, b"", retry_after="30"))

    assert (miss.kind, miss.final, miss.retry_after) == ("rate_limited", True, 30)


async def test_who_only_says_too_many_may_be_asked_by_a_browser() -> None:
    miss = await miss_of(always(429))

    assert (miss.kind, miss.final, miss.retry_after) == ("rate_limited", False, None)


@pytest.mark.parametrize(
    ("body", "kind", "words"),
    [
        (b"<title>Just a moment...</title><p>Checking your browser</p>", "blocked", "a captcha"),
        (b"<h1>Please sign in to continue</h1><form></form>", "auth_required", "a login page"),
        (b"<title>Page not found</title><p>Oops!</p>", "not_found", "a not-found page"),
        (b"<noscript>You need to enable JavaScript</noscript><script>1</script>", "content_empty",
         "empty until its script runs"),
        (b"<div id=root></div><script>1</script>", "content_empty", "0 bytes"),
    ],
)  # fmt: skip
async def test_what_stands_in_front_of_a_page_is_not_the_page(
    body: bytes, kind: str, words: str
) -> None:
    miss = await miss_of(always(200, body, content_type="text/html"))

    assert miss.kind == kind
    assert miss.words.startswith(words)


async def test_a_short_page_with_a_script_may_have_more_to_show() -> None:
    miss = await miss_of(pages({"/": b"<p>Loading the owls</p><script>1</script>"}))

    assert miss.kind == "content_empty"
    assert miss.candidate is not None
    assert miss.candidate.markdown == "Loading the owls"


async def test_a_short_page_without_a_script_is_all_there_is() -> None:
    async with serve(pages({"/": b"<p>Hello, owls.</p>"})) as site, http_tier() as tier:
        reading = await tier.read(site.url(), 20)

    assert (reading.markdown, reading.complete) == ("Hello, owls.", True)


async def test_a_page_behind_a_paywall_is_read_as_far_as_it_goes() -> None:
    body = PROSE + b"<p>Subscribe to continue reading this story.</p>"
    async with serve(pages({"/": body})) as site, http_tier() as tier:
        reading = await tier.read(site.url(), 20)

    assert (reading.complete, reading.wall) == (False, "paywall")
    assert reading.notes == ("The page shows this much and asks for a subscription for the rest.",)


async def test_an_address_inside_is_refused_for_good() -> None:
    async with serve(pages({"/": PROSE})) as site, http_tier(policy=Policy()) as tier:
        with pytest.raises(UnreadableError) as caught:
            await tier.read(site.url(), 20)

    assert (caught.value.kind, caught.value.final) == ("validation", True)
    assert caught.value.words.startswith(f"URL rejected for {site.url()}:")
    assert site.asked == []


async def test_a_redirect_inside_is_refused_for_good() -> None:
    async def handle(asked: Asked) -> None:
        await asked.answer(302, b"", location="http://169.254.169.254/latest/")

    miss = await miss_of(handle)

    assert (miss.kind, miss.final) == ("validation", True)


async def test_a_host_that_is_not_there_is_final() -> None:
    async with http_tier() as tier:
        with pytest.raises(UnreadableError) as caught:
            await tier.read("http://no.such.host/", 20)

    assert (caught.value.kind, caught.value.final) == ("network", True)
    assert caught.value.words == "there is no host named no.such.host"


async def test_a_connection_that_breaks_may_work_in_a_browser() -> None:
    async def handle(asked: Asked) -> None:
        asked.hang_up()

    miss = await miss_of(handle)

    assert (miss.kind, miss.final) == ("network", False)


async def test_a_page_larger_than_the_cap_is_cut() -> None:
    bounds = FetchLimits(page_bytes=2_000)
    async with serve(pages({"/": PROSE * 100})) as site, http_tier(bounds=bounds) as tier:
        reading = await tier.read(site.url(), 20)

    assert reading.cut
    assert len(reading.markdown) <= 2_000
