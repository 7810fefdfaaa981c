"""Brand research beyond single sites: probes, names, searches and what fails."""

import asyncio
from typing import Any

import pytest

from tests.brand_sites import BrandSite, Part
from tests.net.fetching import fetching
from tests.net.servers import ReceivedRequest, serve
from tests.reading.chromium import needs_chromium, open_browser
from tests.services.brand.serving import Research, researching
from tests.services.searching.fakes import broken, page, provider
from tests.support import ALICE, NoNetwork
from webquarry.crawl.rendering import CrawlRenderer
from webquarry.errors import NotFoundError, RateLimitError, WebquarryError
from webquarry.models.caller import Caller
from webquarry.models.search import WebQuery, WebResult
from webquarry.net.url import parse
from webquarry.services.brand import page_fetch
from webquarry.services.brand.page_fetch import BrandPageFetch, BrandPageFetcher
from webquarry.services.brand.portal_urls import HOSTS, PATHS, candidates
from webquarry.services.brand.service import BrandQuery, BrandService, TierTimeouts
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.services.searching.service import SearchService
from webquarry.storage.artifacts import Artifacts
from webquarry.storage.memory_store import MemoryStore

pytestmark = pytest.mark.anyio
WORDS = "Nothing here but words that fill the page, " * 6
PORTAL = (
    "<title>Brand guidelines</title><h1>Brand guidelines</h1><p>Our logo and colors.</p>"
    "<h2>Colors</h2><p>Primary: #336699</p>"
)


def site(name: str, **parts: str) -> BrandSite:
    """A site with a homepage and these pages, by host and path."""
    home = f'<meta property="og:site_name" content="{name.title()}"><p>{WORDS}</p>'
    pages = {f"{name}.test/": home, **parts}
    made = {where: Part(body.encode(), {}) for where, body in pages.items()}
    return BrandSite(name, parts=made)


async def found(research: Research, **asked: Any) -> dict[str, Any]:
    if "url" in asked:
        asked["url"] = research.town.live(asked["url"])
    return research.plain(await research.brands.research(BrandQuery(**asked), ALICE))


def test_there_are_five_hosts_and_twenty_one_paths_and_hosts_come_first() -> None:
    tried = candidates(parse("https://www.kite.co.uk/de"))

    assert (len(HOSTS), len(PATHS), len(set(tried))) == (5, 21, 26)
    assert tried[0] == "https://brand.kite.co.uk/"
    assert tried[5] == "https://www.kite.co.uk/brand"
    assert not any("/de/" in url for url in tried)


@pytest.mark.parametrize("path", PATHS)
async def test_every_path_can_match(path: str) -> None:
    async with researching(site("kite", **{f"kite.test{path}": PORTAL})) as research:
        told = await found(research, url="http://kite.test/")

    assert told["guidelines_url"] == f"http://kite.test{path}"
    assert told["colors"]["primary"] == "#336699"


@pytest.mark.parametrize("host", HOSTS)
async def test_every_host_can_match(host: str) -> None:
    async with researching(site("kite", **{f"{host}.kite.test/": PORTAL})) as research:
        told = await found(research, url="http://kite.test/")

    assert told["guidelines_url"] == f"http://{host}.kite.test/"


async def test_a_host_for_the_brand_beats_a_path() -> None:
    parts = {"brand.kite.test/": PORTAL, "kite.test/brand": PORTAL.replace("336699", "000000")}
    async with researching(site("kite", **parts)) as research:
        told = await found(research, url="http://kite.test/")

    assert told["colors"]["primary"] == "#336699"


async def test_probes_use_head_requests() -> None:
    async with researching(site("kite")) as research:
        await found(research, url="http://kite.test/")
        asked = research.town.server.requests

    heads = {a.headers["host"].split(":")[0] + a.target for a in asked if a.method == "HEAD"}
    assert {f"{host}.kite.test/" for host in HOSTS} <= heads
    assert {f"kite.test{path}" for path in PATHS} <= heads


async def test_a_server_with_head_is_asked_once_for_each_path() -> None:
    async with researching(site("kite")) as research:
        told = await found(research, url="http://kite.test/")
        asked = [a for a in research.town.server.requests if a.headers["host"].startswith("kite.")]

    missing = [a.target for a in asked if a.target in PATHS]
    assert sorted(missing) == sorted(PATHS)
    assert told["requests"] == len(research.town.server.requests) <= 40


async def test_requests_for_one_brand_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_fetch, "MAX_REQUESTS", 10)
    async with researching(site("kite", **{"kite.test/brand": PORTAL})) as research:
        told = await found(research, url="http://kite.test/")
        sent = len(research.town.server.requests)

    assert told["requests"] == sent == 10
    assert any("limit" in each for each in told["unchecked"])


async def test_quick_does_not_say_that_there_is_no_portal() -> None:
    async with researching(site("kite", **{"kite.test/brand": PORTAL})) as research:
        told = await found(research, url="http://kite.test/", depth="quick")

    assert told["suggestion"] == (
        "Only the homepage was read. Use depth=standard to look for a brand portal."
    )


async def test_published_guidelines_count_more_than_style_sheets() -> None:
    style = "<style>:root { --brand-primary: #111111; --brand-accent: #222222 }</style>"
    parts = {
        "kite.test/": f'{style}<meta property="og:site_name" content="Kite"><p>{WORDS}</p>',
        "kite.test/brand": f"{style}{PORTAL.replace('Primary: #336699', '')}"
        '<a href="/brand/colors">Colors</a>',
        "kite.test/brand/colors": PORTAL,
    }
    async with researching(site("kite", **parts)) as research:
        told = await found(research, url="http://kite.test/")

    assert told["colors"]["primary"] == "#336699"
    assert told["colors"]["accent"] == "#222222"
    named = {source["url"]: source["fields"] for source in told["sources"]}
    assert "colors.primary" in named["http://kite.test/brand/colors"]


async def test_a_name_is_found_by_the_site_that_bears_it() -> None:
    results = [
        page(1, url="https://en.wikipedia.org/wiki/Kite"),
        page(2, url="https://kite-reviews.test/"),
        page(3, url="http://kite.test/about"),
    ]
    search = provider("finder", results)
    async with researching(site("kite"), providers=(search,)) as research:
        with pytest.raises(WebquarryError) as caught:  # the port of a test is not the usual one
            await found(research, company="Kite, Inc.")

    assert search.queries[0].text == "Kite, Inc. official website"
    assert "kite.test" in str(caught.value)


async def test_a_company_name_without_a_matching_domain_is_not_found() -> None:
    search = provider("finder", [page(1, url="https://kite-reviews.test/")])
    async with researching(site("kite"), providers=(search,)) as research:
        with pytest.raises(NotFoundError, match="Give url instead"):
            await found(research, company="Kite")


async def test_a_full_search_reads_the_company_s_own_pages_and_those_at_portal_vendors() -> None:
    parts = {"kite.test/about/how-we-look": PORTAL, "other.test/brand": PORTAL}
    results: list[WebResult] = []

    def answer(_: WebQuery) -> list[WebResult]:
        return results

    search = provider("finder", answer)
    async with researching(site("kite", **parts), providers=(search,)) as research:
        live = research.town.live
        results += [
            page(1, url=live("http://other.test/brand"), title="Kite brand guidelines"),
            page(2, url="https://acme.frontify.com/d/1", title="Acme brand"),
            page(3, url=live("http://kite.test/about/how-we-look")),
        ]
        told = await found(research, url="http://kite.test/", depth="full")

    assert search.queries[0].text == "Kite brand guidelines"
    assert told["guidelines_url"] == "http://kite.test/about/how-we-look"
    assert told["sources"][-1] == {
        "name": "web_search",
        "url": "http://kite.test/about/how-we-look",
        "fields": ["colors.primary", "colors.palette"],
    }


async def test_a_failed_search_is_reported_and_not_cached() -> None:
    search = provider("finder", broken("finder", RateLimitError))
    async with researching(site("kite"), providers=(search,)) as research:
        told = await found(research, url="http://kite.test/", depth="full")
        await found(research, url="http://kite.test/", depth="full")

    assert len(told["unchecked"]) == 1
    assert told["unchecked"][0].startswith("web search: ")
    assert len(search.queries) == 2


async def test_a_homepage_that_refuses_us_leaves_the_portal() -> None:
    town = site("kite", **{"kite.test/brand": PORTAL})
    town.parts["kite.test/"] = Part(b"no", {"status": "403"})
    async with researching(town) as research:
        told = await found(research, url="http://kite.test/")

    assert told["colors"]["primary"] == "#336699"
    assert "HTTP 403" in told["unchecked"][0]


async def test_a_homepage_that_refuses_us_and_nothing_else_is_a_failure() -> None:
    town = site("kite")
    town.parts["kite.test/"] = Part(b"no", {"status": "403"})
    async with researching(town) as research:
        with pytest.raises(WebquarryError, match="HTTP 403"):
            await found(research, url="http://kite.test/")


async def test_without_a_network_the_reason_is_reported() -> None:
    store = MemoryStore()
    looking = BrandPageFetcher(NoNetwork(), Nobody())
    brands = BrandService(looking, SearchService(ProviderDirectory()), store, Artifacts(store))

    with pytest.raises(WebquarryError, match=r"cannot fetch http://kite\.test/"):
        await brands.research(BrandQuery(url="kite.test"), ALICE)


async def test_what_takes_too_long_is_named_and_the_rest_returned() -> None:
    class Slow(BrandPageFetcher):
        async def page(self, url: str) -> BrandPageFetch:
            if url.endswith("/brand"):
                await asyncio.Event().wait()
            return await super().page(url)

    async with researching(site("kite", **{"kite.test/brand": PORTAL})) as research:
        store, town = MemoryStore(), research.town
        async with fetching() as fetcher:
            looking = Slow(fetcher, town, town)
            bounds = TierTimeouts(probing=0.05)
            brands = BrandService(
                looking,
                SearchService(ProviderDirectory()),
                store,
                Artifacts(store),
                timeouts=bounds,
            )
            told = await brands.research(BrandQuery(url=town.live("http://kite.test/")), ALICE)

    assert told.identity.name == "Kite"
    assert told.unchecked == ("brand pages: not finished within 0.05 seconds",)


@needs_chromium
async def test_a_portal_that_needs_its_script_is_shown_by_a_browser() -> None:
    script = (
        "<script>document.body.innerHTML = '<h1>Brand guidelines</h1><p>Our logo and colors.</p>"
        "<h2>Colors</h2><p>Primary: #336699</p>'; document.title = 'Brand guidelines'</script>"
    )
    shell = f"<html><head><title>…</title></head><body>{script}</body></html>"

    async def answer(asked: ReceivedRequest) -> None:
        await asked.respond(200, shell.encode(), content_type="text/html; charset=utf-8")

    async with serve(answer) as server, open_browser() as (_, tier):
        looking = BrandPageFetcher(NoNetwork(), Nobody(), CrawlRenderer(tier))
        look = await asyncio.wait_for(looking.rendered_page(server.url("/", "brand.example")), 60)

    assert look is not None
    assert look.rendered
    assert "Primary: #336699" in look.text


class Nobody:
    """Reads no document."""

    async def read(self, url: str, *, seconds: float, max_bytes: int, owner: Caller | None) -> Any:
        raise NotFoundError(f"no {url} here")
