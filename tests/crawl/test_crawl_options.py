"""The options of a crawl, on a site that logs what it receives."""

import asyncio
import shutil
from pathlib import Path

import pytest

from tests.crawl.crawl_service import ALICE, open_crawl_service, run_crawl
from tests.crawl.site import Reply, running_site
from webquarry.crawl.scope import Scope
from webquarry.crawl.urls import CrawlUrl
from webquarry.errors import BadInputError
from webquarry.models.crawl import CrawlRequest
from webquarry.models.page_options import PageOptions

pytestmark = pytest.mark.anyio

_SECRETS = PageOptions(headers={"X-Key": "k1"}, cookies={"sid": "c1"}, locale="de-DE")


def _links(*urls: str) -> Reply:
    anchors = "".join(f'<a href="{url}">{url}</a>' for url in urls)
    return Reply(f"<title>{urls}</title><p>{' '.join(urls)}</p>{anchors}".encode())


async def test_headers_and_cookies_go_to_the_site_and_to_no_other(tmp_path: Path) -> None:
    received: dict[str, dict[str, str]] = {}

    def foreign(path: str, headers: dict[str, str]) -> Reply:
        received[f"foreign{path}"] = headers
        return Reply(b"<p>foreign</p>")

    with running_site(foreign) as other:

        def own(path: str, headers: dict[str, str]) -> Reply:
            received[path] = headers
            if path == "/moved":
                location = ("location", f"{other.url}/target")
                return Reply(status=302, headers=(location,))
            return _links("/moved", f"{other.url}/linked")

        with running_site(own) as site:
            request = CrawlRequest(url=f"{site.url}/", same_domain=False, page_options=_SECRETS)
            async with open_crawl_service(tmp_path) as crawling:
                job = await run_crawl(crawling, request)

    assert job.progress.pagesCrawled == 2  # both foreign pages are the same
    for path in ("/", "/moved"):
        assert (received[path]["x-key"], received[path]["cookie"]) == ("k1", "sid=c1")
    for path in ("foreign/target", "foreign/linked"):
        assert not {"x-key", "cookie"} & received[path].keys()
        assert received[path]["accept-language"] == "de-DE, de;q=0.9, en;q=0.8"
    assert "k1" not in job.model_dump_json(exclude={"request"})


async def test_a_browser_sends_headers_and_cookies_to_the_site_only(tmp_path: Path) -> None:
    if not shutil.which("chromium"):
        pytest.skip("chromium is not installed")
    received: dict[str, dict[str, str]] = {}

    def foreign(path: str, headers: dict[str, str]) -> Reply:
        received[f"foreign{path}"] = headers
        return Reply(b"let a = 1", headers=(("content-type", "text/javascript"),))

    with running_site(foreign) as other:
        # another host name, as cookies are shared by all ports of a host
        script = f"http://localhost:{other.port}"

        def own(path: str, headers: dict[str, str]) -> Reply:
            received[path] = headers
            if path == "/redirect.js":
                return Reply(status=302, headers=(("location", f"{script}/redirected.js"),))
            scripts = "".join(
                f'<script src="{url}"></script>' for url in (f"{script}/linked.js", "/redirect.js")
            )
            place = "navigator.geolocation.getCurrentPosition(p => document.body.append("
            text = "`${p.coords.latitude} ${navigator.language} ${innerWidth}`"
            width = '<meta name="viewport" content="width=device-width">'
            return Reply(f"{width}<body>{scripts}<script>{place}{text}))</script>".encode())

        with running_site(own) as site:
            options = _SECRETS.model_copy(update={"location": "48.5,11.5", "mobile": True})
            request = CrawlRequest(
                url=f"{site.url}/", render=True, max_pages=1, page_options=options,
                formats=("text",),
            )  # fmt: skip
            async with open_crawl_service(tmp_path) as crawling:
                job = await run_crawl(crawling, request)
                ((page,), _) = await crawling.pages(job.id, ALICE)

    assert page.content["text"] == "48.5 de-DE 412"
    assert (received["/"]["x-key"], received["/"]["cookie"]) == ("k1", "sid=c1")
    assert "Mobile" in received["/"]["user-agent"]
    for path in ("foreign/linked.js", "foreign/redirected.js"):
        assert not {"x-key", "cookie"} & received[path].keys()


async def test_pages_are_fetched_through_the_proxies_in_turn(tmp_path: Path) -> None:
    tunnels: list[str] = []

    async def tunnel(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        tunnels.append(head.split()[1])
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        request = (await reader.readuntil(b"\r\n\r\n")).decode()
        body = b"" if "robots" in request else b"<title>t</title><p>through a proxy</p>"
        writer.write(
            f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n"
            f"Content-Length: {len(body)}\r\n\r\n".encode()
            + body
        )
        await writer.drain()
        writer.close()

    servers = [await asyncio.start_server(tunnel, "127.0.0.1", 0) for _ in range(2)]
    urls = tuple(f"http://127.0.0.1:{s.sockets[0].getsockname()[1]}" for s in servers)
    request = CrawlRequest(
        url="http://127.0.0.9:8080/", max_depth=1, formats=("text",),
        page_options=PageOptions(proxies=urls),
    )  # fmt: skip
    async with open_crawl_service(tmp_path) as crawling:
        job = await run_crawl(crawling, request)
        ((page,), _) = await crawling.pages(job.id, ALICE)
    for server in servers:
        server.close()
        await server.wait_closed()

    assert page.content["text"] == "through a proxy"
    assert tunnels == ["127.0.0.9:8080", "127.0.0.9:8080"]


async def test_a_proxy_in_a_private_network_is_refused(tmp_path: Path) -> None:
    request = CrawlRequest(
        url="http://93.184.216.34/", max_depth=1,
        page_options=PageOptions(proxies=("socks5://127.0.0.1:1080",)),
    )  # fmt: skip
    async with open_crawl_service(tmp_path, {"ALLOW_PRIVATE_IPS": "false"}) as crawling:
        job = await run_crawl(crawling, request)

    assert job.state == "failed"
    assert job.error == (
        "no page could be read: refused (private or disallowed address; see ALLOW_PRIVATE_IPS)"
    )


async def test_sitemap_only_reads_the_sitemap_and_follows_no_links(tmp_path: Path) -> None:
    def handler(path: str, _: dict[str, str]) -> Reply:
        if path == "/sitemap.xml":
            return Reply(
                f"<urlset><url><loc>{site.url}/listed</loc></url></urlset>".encode(),
                headers=(("content-type", "text/xml"),),
            )
        return _links(f"/linked-from{path}")

    with running_site(handler) as site:
        async with open_crawl_service(tmp_path) as crawling:
            await run_crawl(crawling, CrawlRequest(url=f"{site.url}/", sitemap_only=True))
        paths = set(site.request_counts())

    assert paths == {"/", "/listed", "/sitemap.xml", "/robots.txt"}


def _scope(**options: object) -> Scope:
    request = CrawlRequest.model_validate({"url": "http://a.test/", **options})
    return Scope(request, "a.test")


@pytest.mark.parametrize(
    ("paths", "path", "excluded"),
    [
        (("/blog",), "/blog", ""),
        (("/blog",), "/blog/2024?x=/other", ""),
        (("/blog",), "/blogs", "excluded"),
        (("/blog/*",), "/blog/a/b", ""),
        (("/blog/*",), "/blog", "excluded"),
        (("/*/news", "/docs"), "/en/news/1", ""),
        (("*.html",), "/a/b.html", ""),
        (("*.html",), "/a/b.htmlx", "excluded"),
        (("/a.c",), "/abc", "excluded"),
    ],
)
def test_paths_are_chosen_by_globs(paths: tuple[str, ...], path: str, excluded: str) -> None:
    assert _scope(include_paths=paths).exclusion_reason(f"http://a.test{path}") == excluded
    other = "" if excluded else "excluded"
    assert _scope(exclude_paths=paths).exclusion_reason(f"http://a.test{path}") == other


def test_a_path_without_a_slash_is_refused() -> None:
    with pytest.raises(BadInputError, match="paths start with /"):
        _scope(include_paths=("blog",))


@pytest.mark.parametrize(
    ("options", "query", "kept"),
    [
        ({"keep_parameters": ()}, "?a=1&b=2", ""),
        ({"keep_parameters": ("b",)}, "?a=1&b=2&b=3", "?b=2&b=3"),
        ({"strip_parameters": ("a b",)}, "?a+b=1&c", "?c"),
        ({"strip_parameters": ("a",)}, "", ""),
    ],
)
def test_query_parameters_are_kept_or_removed(
    options: dict[str, tuple[str, ...]], query: str, kept: str
) -> None:
    scope = _scope(**options)
    url = CrawlUrl(f"http://a.test/p{query}", "a.test", "a.test")

    assert scope.strips_parameters
    assert scope.without_parameters(url).href == f"http://a.test/p{kept}"


async def test_a_crawl_without_parameters_reads_a_path_once(tmp_path: Path) -> None:
    def handler(path: str, _: dict[str, str]) -> Reply:
        return _links("/p?sort=1", "/p?sort=2", "/p")

    with running_site(handler) as site:
        request = CrawlRequest(url=f"{site.url}/", keep_parameters=())
        async with open_crawl_service(tmp_path) as crawling:
            await run_crawl(crawling, request)
        assert site.request_counts() == {"/robots.txt": 1, "/": 1, "/p": 1}
