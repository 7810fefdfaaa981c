"""Fetching pages, from real servers on loopback through a real guard."""

import asyncio

import pytest

from tests.net.fetching import LoopbackConnector, failure_of, fetching
from tests.net.servers import ReceivedRequest, listen, pages, serve
from webquarry.errors import BadInputError, BlockedError, NetworkError, WebquarryError
from webquarry.net.client.response import FetchedResponse, RedirectHop
from webquarry.net.fetch import Fetcher, FetchRequest
from webquarry.net.guard.resolver import Resolver
from webquarry.net.guard.server import Guard
from webquarry.net.policy import Policy

pytestmark = pytest.mark.anyio


async def test_a_page_is_returned_as_sent() -> None:
    async with serve(pages({"/a": b"<p>hello</p>"})) as site, fetching() as fetcher:
        fetched = await fetcher.fetch(FetchRequest(url=site.url("/a?b=c#d", "page.test")))

    assert fetched == FetchedResponse(
        url=site.url("/a?b=c", "page.test"),
        status=200,
        headers=fetched.headers,
        content=b"<p>hello</p>",
    )
    assert fetched.headers["content-type"] == "text/html"


async def test_requests_look_like_a_browser_unless_own_user_agent_is_set() -> None:
    async with serve(pages({"/": b"x"})) as site, fetching() as fetcher:
        await fetcher.fetch(FetchRequest(url=site.url()))
        await fetcher.fetch(FetchRequest(url=site.url(), own_user_agent=True))

    browser, plain = (request.headers for request in site.requests)
    assert "Chrome/" in browser["user-agent"]
    assert browser["sec-fetch-mode"] == "navigate"
    assert plain["user-agent"].startswith("webquarry/")


async def test_preferences_and_conditions_are_sent() -> None:
    answers = {"/": (304, {"etag": '"1"'})}
    async with serve(pages(answers)) as site, fetching() as fetcher:
        fetched = await fetcher.fetch(
            FetchRequest(
                url=site.url(),
                accept="text/markdown, text/html;q=0.9",
                headers={"If-None-Match": '"1"'},
            )
        )

    sent = site.requests[0].headers
    assert (sent["accept"], sent["if-none-match"]) == (
        "text/markdown, text/html;q=0.9",
        '"1"',
    )
    assert (fetched.status, fetched.content) == (304, b"")


async def test_a_page_is_requested_again_if_the_connection_closes_without_a_response() -> None:
    async def answer(request: ReceivedRequest) -> None:
        if len(site.requests) == 2:
            request.close()  # as a server does that was about to close an idle connection
        else:
            await request.respond(200, b"owls")

    async with serve(answer) as site, fetching() as fetcher:
        found = [(await fetcher.fetch(FetchRequest(url=site.url()))).content for _ in range(2)]

    assert (found, site.targets) == ([b"owls", b"owls"], ["/", "/", "/"])


@pytest.mark.parametrize(("method", "times"), [("GET", 2), ("POST", 1)])
async def test_a_second_missing_response_is_an_error_and_a_post_is_never_repeated(
    method: str, times: int
) -> None:
    async def rude(request: ReceivedRequest) -> None:
        request.close()

    async with serve(rude) as site, fetching() as fetcher:
        with pytest.raises(NetworkError, match="closed without a response"):
            await fetcher.fetch(FetchRequest(url=site.url(), method=method))

    assert len(site.requests) == times


@pytest.mark.parametrize("status", [200, 404, 403, 500])
async def test_any_status_is_returned(status: int) -> None:
    async with serve(pages({"/": (status, {})})) as site, fetching() as fetcher:
        assert (await fetcher.fetch(FetchRequest(url=site.url()))).status == status


async def test_redirects_are_followed_and_recorded() -> None:
    answers = {
        "/a": (301, {"location": "b"}),
        "/b": (302, {"location": "/c d?e=é"}),
        "/c%20d": b"there",
    }
    async with serve(pages(answers)) as site, fetching() as fetcher:
        fetched = await fetcher.fetch(FetchRequest(url=site.url("/a")))

    assert fetched.content == b"there"
    assert fetched.hops == (
        RedirectHop(url=site.url("/a"), status=301),
        RedirectHop(url=site.url("/b"), status=302),
    )


async def test_a_location_header_with_raw_utf8_is_followed() -> None:
    async def handle(request: ReceivedRequest) -> None:
        if request.target == "/":
            await request.send_raw("HTTP/1.1 302 X\r\nlocation: /ü\r\n\r\n".encode())
        await request.respond(200, b"there")

    async with serve(handle) as site, fetching() as fetcher:
        assert (await fetcher.fetch(FetchRequest(url=site.url()))).url == site.url("/%C3%BC")


async def test_more_than_ten_redirects_are_an_error() -> None:
    async def handle(request: ReceivedRequest) -> None:
        await request.respond(302, location=f"/{int(request.target[1:] or 0) + 1}")

    async with serve(handle) as site, fetching() as fetcher:
        failure = await failure_of(fetcher, site.url("/"))

    assert isinstance(failure, NetworkError)
    assert "it redirects more than 10 times" in str(failure)
    assert len(site.requests) == 11


async def test_a_redirect_loop_ends_the_fetch() -> None:
    answers = {"/a": (302, {"location": "/b"}), "/b": (302, {"location": "/a"})}
    async with serve(pages(answers)) as site, fetching() as fetcher:
        assert "form a loop" in str(await failure_of(fetcher, site.url("/a")))

    assert site.targets == ["/a", "/b"]


async def test_cookies_are_kept_within_a_redirect_chain_only() -> None:
    async def handle(request: ReceivedRequest) -> None:
        if "cookie" in request.headers:
            await request.respond(200, request.headers["cookie"].encode())
        else:
            await request.respond(302, location="/", set_cookie="seen=1; Path=/")

    async with serve(handle) as site, fetching() as fetcher:
        first = await fetcher.fetch(FetchRequest(url=site.url("/")))
        await fetcher.fetch(FetchRequest(url=site.url("/")))

    assert first.content == b"seen=1"
    assert ["cookie" in request.headers for request in site.requests] == [False, True, False, True]


async def test_credentials_and_cookies_are_not_sent_to_another_host() -> None:
    async with serve(pages({"/": b"x"})) as other:
        answers = {"/": (302, {"location": other.url("/", "other.test"), "set_cookie": "a=1"})}
        async with serve(pages(answers)) as site, fetching() as fetcher:
            await fetcher.fetch(
                FetchRequest(url=site.url("/", "page.test"), headers={"Authorization": "x"})
            )

    request = other.requests[0].headers
    assert ("authorization" in request, "cookie" in request) == (False, False)


@pytest.mark.parametrize(
    ("location", "error", "why"),
    [
        ("http://127.0.0.1/", BlockedError, "127.0.0.1 is a private address (Loopback)"),
        ("//[::1]/", BlockedError, "::1 is a private address"),
        ("http://metadata.google.internal/", BlockedError, "is a metadata service"),
        ("http://inside.test:6379/", BlockedError, "port 6379 is not for web pages"),
        ("http://inside.test/", BlockedError, "the address of inside.test is a private address"),
        ("file:///etc/passwd", BadInputError, "the scheme 'file' is not http or https"),
        ("http://missing.example/", NetworkError, "there is no host named missing.example"),
    ],
)
async def test_every_redirect_is_checked(
    location: str, error: type[WebquarryError], why: str
) -> None:
    async def lookup(host: str) -> tuple[str, ...]:
        return {"start.test": ("93.184.216.34",), "inside.test": ("10.0.0.5",)}.get(host, ())

    async with serve(pages({"/": (302, {"location": location})})) as site:
        resolver = Resolver(Policy(allowed_ports=(80, 443, site.port)), lookup=lookup)
        async with Guard(resolver, connector=LoopbackConnector()) as guard:
            fetcher = Fetcher(guard)
            failure = await failure_of(fetcher, site.url("/", "start.test"))
            fetcher.close()

    assert isinstance(failure, error)
    assert why in str(failure)


async def test_allowed_domains_are_checked_on_every_redirect() -> None:
    policy = Policy(allow_private=True, allowed_domains=("page.test",))
    async with serve(pages({})) as other:
        answers = {"/": (302, {"location": other.url("/", "other.test")})}
        async with serve(pages(answers)) as site, fetching(policy) as fetcher:
            failure = await failure_of(fetcher, site.url("/", "www.page.test"))

    assert "other.test is not one of the allowed domains" in str(failure)
    assert other.requests == []


async def test_an_unknown_host_is_reported() -> None:
    async with fetching() as fetcher:
        failure = await failure_of(fetcher, "http://missing.example/x")

    assert str(failure) == (
        "Network error on http://missing.example/x: there is no host named missing.example. "
        "Check the URL."
    )
    assert failure.block()["detail"] == "dns_no_such_name"


async def test_a_closed_port_is_reported() -> None:
    async with serve(pages({})) as site:
        pass
    async with fetching() as fetcher:
        failure = await failure_of(fetcher, site.url("/"))

    assert "127.0.0.1 refused the connection. Check connectivity." in str(failure)


async def test_a_server_without_tls_is_reported() -> None:
    async def handle_connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(b"HTTP/1.1 400 Speak plainly\r\n\r\n")

    async with listen(handle_connection) as port, fetching() as fetcher:
        failure = await failure_of(fetcher, f"https://127.0.0.1:{port}/")

    assert "the TLS handshake failed" in str(failure)
    assert failure.block()["detail"] == "tls"
