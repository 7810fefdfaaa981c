"""Researches a brand's identity, colors, logos, fonts and tone from its own pages."""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from webquarry.content.brand.brand_findings import BrandFindings, assemble_brand
from webquarry.content.ranking.known_sites import registrable_domain
from webquarry.errors import BlockedError, NetworkError, PageError, WebquarryError
from webquarry.models.brand import Brand, Depth
from webquarry.models.caller import Caller
from webquarry.models.model import Model
from webquarry.net.url import Url, parse
from webquarry.observe.progress import report_progress
from webquarry.services.brand.company_site import find_company_domain, guideline_pages
from webquarry.services.brand.homepage import read_homepage
from webquarry.services.brand.page_fetch import MAX_REQUESTS, BrandPageFetch, BrandPageFetcher
from webquarry.services.brand.portal_urls import HOSTS, MISSING_PATH, ProbeResult, probe
from webquarry.services.brand.portals import Portal, PortalFinder
from webquarry.services.searching.service import SearchService
from webquarry.storage.artifacts import Artifacts
from webquarry.storage.key_names import name_of
from webquarry.storage.store import Clock, Store

CACHE_TTL = 86_400.0
_VERSION = "2"  # of the cached value


class BrandQuery(Model):
    """A brand query; all fields are part of the cache key."""

    url: str = ""
    company: str = ""
    depth: Depth = "standard"
    tokens: bool = False


class _CachedBrand(Model):
    brand: Brand
    portal: str  # its text; each caller gets an artifact of it
    at: float


@dataclass(frozen=True)
class TierTimeouts:
    """Seconds for each tier; a tier that takes longer is reported as unchecked."""

    probing: float = 45.0
    searching: float = 25.0
    isolate: bool = False  # tenants do not share the cache


@dataclass
class _Search:
    """The state of one brand search."""

    fetcher: BrandPageFetcher
    tiers: list[BrandFindings]
    unchecked: list[str]
    portal: Portal | None = None

    @property
    def company_name(self) -> str:
        """The name on the homepage, or ""."""
        return next((tier.values.get("identity.name", "") for tier in self.tiers), "")


class BrandService:
    """Researches brands and caches them for a day."""

    def __init__(
        self,
        fetcher: BrandPageFetcher,
        searching: SearchService,
        store: Store,
        artifacts: Artifacts,
        *,
        timeouts: TierTimeouts | None = None,
        clock: Clock = time.time,
    ) -> None:
        self._fetcher = fetcher
        self._searching = searching
        self._store = store
        self._artifacts = artifacts
        self._timeouts = timeouts or TierTimeouts()
        self._clock = clock

    async def research(self, query: BrandQuery, caller: Caller) -> Brand:
        """Return the brand, from the cache if it was researched within a day."""
        scope = caller.tenant if self._timeouts.isolate else ""
        key = name_of("brand", scope, _VERSION, query.model_dump_json())
        entry = await self._store.get(key)
        cached = _CachedBrand.model_validate_json(entry.value) if entry else None
        if cached is None:
            cached = await self._research(query, self._fetcher.for_owner(caller))
            if cached.brand.sources and not cached.brand.unchecked:
                await self._store.set(key, cached.model_dump_json().encode(), ttl=CACHE_TTL)
        age = max(0, int(self._clock() - cached.at)) if entry else 0
        return cached.brand.model_copy(
            update={
                "cache_age": age,
                "brand_portal_resource": await self._portal_artifact(cached, caller),
            }
        )

    async def _portal_artifact(self, cached: _CachedBrand, caller: Caller) -> str | None:
        if not cached.portal:
            return None
        artifact = await self._artifacts.put(
            cached.portal.encode("utf-8", "replace"),
            mime="text/markdown",
            tenant=caller.tenant,
            owner=caller.user,
        )
        return artifact.uri

    async def _research(self, query: BrandQuery, fetcher: BrandPageFetcher) -> _CachedBrand:
        site = query.url or await find_company_domain(self._searching, query.company)
        await report_progress(0, 3, "reading the homepage")
        search = _Search(fetcher, tiers=[], unchecked=[])
        home, failure = await self._homepage(search, site)
        url = parse(home.url) if home else _homepage_url(site)
        domain = registrable_domain(url.site) or url.host
        if home is None and query.depth == "quick":
            raise failure or PageError(f"{site} could not be read.")
        if home:
            is_deep = query.depth != "quick"
            home, probed = await self._read_homepage(search, home, domain, deep=is_deep)
        else:
            search.unchecked.append(f"homepage: {failure}")
            probed = await probe(fetcher, url)
        company = query.company or search.company_name or domain.partition(".")[0]
        portals = PortalFinder(fetcher, company, domain)
        if probed:
            await self._read_portal(search, portals, probed, home, url)
        if query.depth == "full":
            await self._search_guidelines(search, portals, company, domain)
        if not search.tiers and failure:
            raise failure
        portal_text = search.portal.text if search.portal else ""
        brand = _brand(search, domain, url, query)
        return _CachedBrand(brand=brand, portal=portal_text, at=self._clock())

    async def _homepage(
        self, search: _Search, site: str
    ) -> tuple[BrandPageFetch | None, WebquarryError | None]:
        """Return the homepage, or why it cannot be read."""
        url = _homepage_url(site)
        try:
            page = await self._fetch_homepage(search, url, is_scheme_given="://" in site)
        except (NetworkError, PageError) as error:
            return None, error
        if page.status >= 400 or page.wall in ("captcha", "blocked", "not_found"):
            reason = f"HTTP {page.status}" if page.status >= 400 else f"got a {page.wall} page"
            return None, BlockedError(f"The homepage {url.href} could not be read: {reason}.")
        return page, None

    async def _fetch_homepage(
        self, search: _Search, url: Url, *, is_scheme_given: bool
    ) -> BrandPageFetch:
        try:
            return await search.fetcher.page(url.href)
        except NetworkError:
            if is_scheme_given or url.scheme != "https":
                raise
        return await search.fetcher.page(url.href.replace("https://", "http://", 1))

    async def _read_homepage(
        self, search: _Search, home: BrandPageFetch, domain: str, *, deep: bool
    ) -> tuple[BrandPageFetch, ProbeResult | None]:
        """Read the homepage and probe for portals at the same time."""
        probing = asyncio.create_task(probe(search.fetcher, parse(home.url))) if deep else None
        try:
            if deep and home.is_empty:
                home = await search.fetcher.rendered_page(home.url) or home
            found = await read_homepage(search.fetcher, home, domain, styles=deep)
            search.tiers.append(found)
            return home, await probing if probing else None
        finally:
            if probing:
                probing.cancel()

    async def _read_portal(
        self,
        search: _Search,
        portals: PortalFinder,
        probed: ProbeResult,
        home: BrandPageFetch | None,
        url: Url,
    ) -> None:
        await report_progress(1, 3, "reading brand pages")
        async with _time_limit(search, "brand pages", self._timeouts.probing):
            excluded = {home.fingerprint} if home else set[str]()
            if probed.accepts_any_path:
                excluded |= await self._missing_page(search, url)
            portal = await portals.find(
                probed.live, frozenset(excluded), accepts_any_path=probed.accepts_any_path
            )
            search.portal = portal
            if portal:
                search.tiers += await portals.read("brand_page", portal)
            else:
                search.unchecked += probed.uncertain

    async def _missing_page(self, search: _Search, url: Url) -> set[str]:
        """Return the fingerprint of the page that the site shows for a missing path."""
        try:
            return {(await search.fetcher.page(url.origin + MISSING_PATH)).fingerprint}
        except WebquarryError:
            return set()

    async def _search_guidelines(
        self, search: _Search, portals: PortalFinder, company: str, domain: str
    ) -> None:
        await report_progress(2, 3, "searching the web")
        async with _time_limit(search, "web search", self._timeouts.searching):
            try:
                urls = await guideline_pages(self._searching, company, domain)
            except WebquarryError as error:
                search.unchecked.append(f"web search: {error}")
                return
            known = {page.url for page in search.portal.pages} if search.portal else set[str]()
            new = [url for url in urls if url not in known]
            portal = await portals.find(new, frozenset(), accepts_any_path=True)
            if portal and portal.pages:
                search.tiers += await portals.read("web_search", portal)
                if search.portal is None or not search.portal.pages:
                    search.portal = portal


@asynccontextmanager
async def _time_limit(search: _Search, what: str, seconds: float) -> AsyncGenerator[None]:
    """Cancel the block after `seconds`, and report it as unchecked."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError:
        search.unchecked.append(f"{what}: not finished within {seconds:g} seconds")


def _brand(search: _Search, domain: str, url: Url, query: BrandQuery) -> Brand:
    brand = assemble_brand(search.tiers, domain, with_tokens=query.tokens)
    portal = search.portal
    if search.fetcher.refused:
        search.unchecked.append(f"further pages: the limit of {MAX_REQUESTS} requests was reached")
    return brand.model_copy(
        update={
            "guidelines_url": portal.url if portal else None,
            "suggestion": _suggestion(portal, url, query.depth),
            "requests": search.fetcher.requests,
            "unchecked": tuple(search.unchecked) or None,
        }
    )


def _suggestion(portal: Portal | None, url: Url, depth: Depth) -> str | None:
    if portal is None and depth == "quick":
        return "Only the homepage was read. Use depth=standard to look for a brand portal."
    if portal is None:
        return (
            f"No brand portal was found. Use scrape_page on {url.href} to read the rendered "
            "homepage."
        )
    if not portal.pages:
        return (
            f"A brand portal was found, but its content could not be read. Use scrape_page on "
            f"{portal.url}."
        )
    return None


def _homepage_url(site: str) -> Url:
    """Return the homepage of a domain, a page, or a brand host such as brand.example.com."""
    given = parse(site if "://" in site else f"https://{site}")
    first, _, rest = given.host.partition(".")
    if first in HOSTS and registrable_domain(given.site) == rest:
        return parse(given.origin.replace(f"//{first}.", "//", 1))
    return parse(given.origin)
