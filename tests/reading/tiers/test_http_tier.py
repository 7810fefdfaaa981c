"""The HTTP tiers against servers on loopback."""

import pytest

from tests.net.servers import Handler, ReceivedRequest, pages, serve
from tests.reading.loopback_tier import PROSE, http_tier
from webquarry.errors import NetworkError
from webquarry.models.page import PageMetadata, Removal
from webquarry.models.reading import Reading
from webquarry.net.policy import Policy
from webquarry.reading.tiers.http_tier import FetchLimits
from webquarry.reading.tiers.read_errors import UnreadableError

pytestmark = pytest.mark.anyio

MARKDOWN = b"# Owls\n\nThey **hunt** at night, see [this](https://a.test/b).\n"


def respond_with(status: int = 200, body: bytes = b"", **headers: str) -> Handler:
    async def handle(request: ReceivedRequest) -> None:
        await request.respond(status, body, **headers)

    return handle


async def read(handler: Handler, path: str = "/") -> Reading:
    async with serve(handler) as site, http_tier() as tier:
        return await tier.read(site.url(path), 20)


async def failure_of(handler: Handler, path: str = "/") -> UnreadableError:
    async with serve(handler) as site, http_tier() as tier:
        with pytest.raises(UnreadableError) as caught:
            await tier.read(site.url(path), 20)
    return caught.value


async def test_one_request_accepts_markdown_and_html() -> None:
    async with serve(pages({"/": PROSE})) as site, http_tier() as tier:
        reading = await tier.read(site.url(), 20)

    assert (reading.tier, reading.kind) == ("stealth", "html")
    assert "Owls hunt at night" in reading.markdown
    assert site.targets == ["/"]
    headers_sent = site.requests[0].headers
    assert headers_sent["accept"].startswith("text/markdown,text/html;q=0.9")
    assert "Chrome/" in headers_sent["user-agent"]


async def test_the_html_tier_uses_our_own_user_agent() -> None:
    async with serve(pages({"/": PROSE})) as site, http_tier("html") as tier:
        reading = await tier.read(site.url(), 20)

    assert reading.tier == "html"
    headers_sent = site.requests[0].headers
    assert headers_sent["accept"].startswith("text/html")
    assert headers_sent["user-agent"].startswith("webquarry/")


async def test_offered_markdown_is_used() -> None:
    reading = await read(respond_with(200, MARKDOWN, content_type="text/markdown"))

    assert reading == Reading(
        url=reading.url,
        final_url=reading.url,
        markdown=MARKDOWN.decode().strip(),
        kind="markdown",
        tier="markdown",
        metadata=PageMetadata(title="Owls"),
    )


async def test_plain_text_that_is_markdown_counts_as_markdown() -> None:
    reading = await read(respond_with(200, MARKDOWN, content_type="text/plain"), "/notes")

    assert (reading.kind, reading.tier) == ("markdown", "markdown")


async def test_invisible_characters_in_markdown_are_removed_and_reported() -> None:
    body = "# Owls\n\nThey hunt\u200b at night \U000e0041\U000e0042and sleep.\n".encode()
    reading = await read(respond_with(200, body, content_type="text/markdown; charset=utf-8"))

    assert reading.markdown == "# Owls\n\nThey hunt at night and sleep."
    assert reading.removed == (
        Removal(reason="tag character", count=2, chars=2),
        Removal(reason="zero-width character", count=1, chars=1),
    )


async def test_a_title_in_the_front_matter_is_the_title() -> None:
    body = b'---\ntitle: "All about owls"\n---\n# Heading\n\n- a\n- b\n'
    reading = await read(respond_with(200, body, content_type="text/markdown"))

    assert reading.metadata.title == "All about owls"


async def test_documents_are_recognised_without_a_file_extension() -> None:
    body = b"name,weight\nbarn owl,0.5\neagle owl,2.8\n"
    async with serve(respond_with(200, body, content_type="text/csv")) as site, http_tier() as tier:
        reading = await tier.read(site.url("/owls"), 20)

    assert (reading.kind, reading.tier) == ("csv", "")
    assert "| barn owl | 0.5 |" in reading.markdown


async def test_the_final_url_after_redirects_is_reported() -> None:
    answers = {"/old": (301, {"location": "/new"}), "/new": PROSE}
    async with serve(pages(answers)) as site, http_tier() as tier:
        reading = await tier.read(site.url("/old"), 20)

    assert (reading.url, reading.final_url) == (site.url("/old"), site.url("/new"))


async def test_a_meta_refresh_is_followed() -> None:
    refresh = b'<meta http-equiv="refresh" content="0; url=/new"><p>Moved.</p>'
    async with serve(pages({"/old": refresh, "/new": PROSE})) as site, http_tier() as tier:
        reading = await tier.read(site.url("/old"), 20)

    assert reading.final_url == site.url("/new")
    assert "Owls hunt at night" in reading.markdown


async def test_a_meta_refresh_to_the_same_page_is_not_followed() -> None:
    refresh = b'<meta http-equiv="refresh" content="5; url=/">' + PROSE
    async with serve(pages({"/": refresh})) as site, http_tier() as tier:
        await tier.read(site.url(), 20)

    assert site.targets == ["/"]


async def test_a_loop_of_meta_refreshes_ends() -> None:
    def refresh(path: str) -> bytes:
        return f'<meta http-equiv="refresh" content="0;url={path}">'.encode() + PROSE

    async with (
        serve(pages({"/a": refresh("/b"), "/b": refresh("/a")})) as site,
        http_tier() as tier,
    ):
        reading = await tier.read(site.url("/a"), 20)

    assert site.targets == ["/a", "/b", "/a", "/b"]
    assert "Owls hunt at night" in reading.markdown


async def test_the_frames_of_a_frameset_are_read() -> None:
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
    ],
)
async def test_each_error_status_has_its_error_kind(status: int, kind: str, *, final: bool) -> None:
    failure = await failure_of(respond_with(status, PROSE, content_type="text/html"))

    assert (failure.kind, failure.reason, failure.final) == (kind, f"HTTP {status}", final)


@pytest.mark.parametrize(
    ("status", "kind", "reason"),
    [
        (406, "server_refused", "HTTP 406 Not Acceptable"),
        (451, "server_refused", "HTTP 451 Unavailable For Legal Reasons"),
        (503, "server_failed", "HTTP 503 Service Unavailable"),
        (500, "server_failed", "HTTP 500 Internal Server Error"),
        (520, "server_failed", "HTTP 520"),
    ],
)
async def test_an_error_of_the_server_is_named(status: int, kind: str, reason: str) -> None:
    failure = await failure_of(respond_with(status, PROSE, content_type="text/html"))

    assert (failure.kind, failure.reason, failure.final) == (kind, reason, False)


async def test_an_outage_with_retry_after_is_final() -> None:
    failure = await failure_of(respond_with(503, b"", retry_after="2"))

    assert (failure.kind, failure.final, failure.retry_after) == ("server_failed", True, 2)


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (b"<title>Just a moment...</title><p>Checking your browser</p>", {}),
        (b"<script src='/cdn-cgi/challenge-platform/h/b/x.js'></script>", {}),
        (b"<p>Wait.</p>", {"cf_mitigated": "challenge"}),
    ],
)
@pytest.mark.parametrize("status", [405, 406, 503])
async def test_a_page_of_bot_protection_is_a_block(
    status: int, body: bytes, headers: dict[str, str]
) -> None:
    failure = await failure_of(respond_with(status, body, content_type="text/html", **headers))

    assert failure.kind == "blocked"


async def test_a_rate_limit_with_retry_after_is_final() -> None:
    failure = await failure_of(respond_with(429, b"", retry_after="30"))

    assert (failure.kind, failure.final, failure.retry_after) == ("rate_limited", True, 30)


async def test_a_rate_limit_without_retry_after_is_not_final() -> None:
    failure = await failure_of(respond_with(429))

    assert (failure.kind, failure.final, failure.retry_after) == ("rate_limited", False, None)


@pytest.mark.parametrize(
    ("body", "kind", "reason"),
    [
        (b"<title>Just a moment...</title><p>Checking your browser</p>", "blocked", "a captcha"),
        (b"<h1>Please sign in to continue</h1><form></form>", "auth_required", "a login page"),
        (b"<title>Page not found</title><p>Oops!</p>", "not_found", "a not-found page"),
        (b"<noscript>You need to enable JavaScript</noscript><script>1</script>", "content_empty",
         "empty until its script runs"),
        (b"<div id=root></div><script>1</script>", "content_empty", "0 bytes"),
    ],
)  # fmt: skip
async def test_walls_and_empty_pages_are_not_accepted(body: bytes, kind: str, reason: str) -> None:
    failure = await failure_of(respond_with(200, body, content_type="text/html"))

    assert failure.kind == kind
    assert failure.reason.startswith(reason)


async def test_a_short_page_with_a_script_is_only_a_candidate() -> None:
    failure = await failure_of(pages({"/": b"<p>Loading the owls</p><script>1</script>"}))

    assert failure.kind == "content_empty"
    assert failure.candidate is not None
    assert failure.candidate.markdown == "Loading the owls"


async def test_a_short_page_without_a_script_is_complete() -> None:
    async with serve(pages({"/": b"<p>Hello, owls.</p>"})) as site, http_tier() as tier:
        reading = await tier.read(site.url(), 20)

    assert (reading.markdown, reading.complete) == ("Hello, owls.", True)


async def test_the_visible_part_of_a_paywalled_page_is_read() -> None:
    body = PROSE + b"<p>Subscribe to continue reading this story.</p>"
    async with serve(pages({"/": body})) as site, http_tier() as tier:
        reading = await tier.read(site.url(), 20)

    assert not reading.complete
    assert reading.wall
    assert reading.wall.kind == "paywall"
    assert reading.notes == ("The page shows this much and asks for a subscription for the rest.",)


async def test_an_internal_address_is_a_final_refusal() -> None:
    async with serve(pages({"/": PROSE})) as site, http_tier(policy=Policy()) as tier:
        with pytest.raises(UnreadableError) as caught:
            await tier.read(site.url(), 20)

    assert (caught.value.kind, caught.value.final) == ("validation", True)
    assert caught.value.reason.startswith(f"URL rejected for {site.url()}:")
    assert site.requests == []


async def test_a_redirect_to_an_internal_address_is_a_final_refusal() -> None:
    async def handle(request: ReceivedRequest) -> None:
        await request.respond(302, b"", location="http://169.254.169.254/latest/")

    failure = await failure_of(handle)

    assert (failure.kind, failure.final) == ("validation", True)


async def test_an_unknown_host_is_a_final_failure() -> None:
    async with http_tier() as tier:
        with pytest.raises(UnreadableError) as caught:
            await tier.read("http://no.such.host/", 20)

    assert (caught.value.kind, caught.value.final) == ("no_such_host", True)
    assert caught.value.reason == "there is no host named no.such.host"


async def test_a_closed_connection_is_not_a_final_failure() -> None:
    async def handle(request: ReceivedRequest) -> None:
        request.close()

    failure = await failure_of(handle)

    assert (failure.kind, failure.final) == ("network", False)


async def test_a_page_larger_than_the_size_limit_is_cut() -> None:
    limits = FetchLimits(page_bytes=2_000)
    async with serve(pages({"/": PROSE * 100})) as site, http_tier(limits=limits) as tier:
        reading = await tier.read(site.url(), 20)

    assert reading.truncated
    assert len(reading.markdown) <= 2_000


@pytest.mark.parametrize(
    ("head", "received"),
    [("content-length: 20000", "of 20,000 bytes"), ("transfer-encoding: chunked", "bytes")],
)
async def test_a_page_that_is_cut_off_is_returned_as_partial(head: str, received: str) -> None:
    body = b"<html><body>" + PROSE * 30
    sent = b"%x\r\n%s\r\n" % (len(body), body) if "chunked" in head else body

    async def handle(request: ReceivedRequest) -> None:
        start = f"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n{head}\r\n\r\n"
        await request.send_raw(start.encode() + sent)
        request.close()

    reading = await read(handle)

    assert "Owls hunt at night" in reading.markdown
    assert (reading.complete, reading.cut_off, reading.truncated) == (False, True, True)
    assert reading.notes[0].startswith("Incomplete: the transfer broke off after ")
    assert reading.notes[0].endswith(f"{received}.")


async def test_a_document_that_is_cut_off_is_a_network_error() -> None:
    async def handle(request: ReceivedRequest) -> None:
        head = b"HTTP/1.1 200 OK\r\ncontent-type: application/pdf\r\ncontent-length: 9000\r\n\r\n"
        await request.send_raw(head + b"%PDF-1.7\n" + b"\x01\x02\x03" * 100)
        request.close()

    with pytest.raises(NetworkError, match="broke off after 309 of 9,000 bytes"):
        await read(handle)
