"""Finds out how a brand looks and speaks, from what its owner publishes and nothing else."""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from webquarry.content.brand.brand_findings import BrandFindings, assembled
from webquarry.content.ranking.known_sites import registrable_domain
from webquarry.errors import BlockedError, NetworkError, PageError, WebquarryError
from webquarry.models.brand import Brand, Depth
from webquarry.models.caller import Caller
from webquarry.models.model import Model
from webquarry.net.url import Url, parse
from webquarry.observe.progress import tell
from webquarry.services.brand.company_site import guideline_pages, site_of_company
from webquarry.services.brand.homepage import read_homepage
from webquarry.services.brand.page_fetch import BrandPageFetch, BrandPageFetcher
from webquarry.services.brand.portal_urls import HOSTS, NOWHERE, ProbedUrl, probe
from webquarry.services.brand.portals import Portal, Portals
from webquarry.services.searching.service import SearchService
from webquarry.storage.artifacts import Artifacts
from webquarry.storage.key_names import name_of
from webquarry.storage.store import Clock, Store

KEPT = 86_400.0
_VERSION = "1"  # of what is kept
_NOT_THERE = (404, 410)


class BrandQuery(Model):
    """What is asked for; all of it is in the key of what is kept."""

    url: str = ""
    company: str = ""
    depth: Depth = "standard"
    tokens: bool = False


class _Kept(Model):
    brand: Brand
    portal: str  # its text, from which every caller gets an artifact of their own
    at: float


@dataclass(frozen=True)
class TierTimeouts:
    """How many seconds each tier may take; what is late is named, the rest is returned."""

    probing: float = 45.0
    searching: float = 25.0
    isolate: bool = False  # tenants do not share what is remembered


@dataclass
class _Search:
    """One search on its way."""

    tiers: list[BrandFindings]
    unchecked: list[str]
    portal: Portal | None = None


class BrandService:
    """Researches brands and remembers them for a day."""

    def __init__(
        self,
        looking: BrandPageFetcher,
        searching: SearchService,
        store: Store,
        artifacts: Artifacts,
        *,
        bounds: TierTimeouts | None = None,
        clock: Clock = time.time,
    ) -> None:
        self._looking = looking
        self._searching = searching
        self._store = store
        self._artifacts = artifacts
        self._bounds = bounds or TierTimeouts()
        self._clock = clock

    async def research(self, asked: BrandQuery, caller: Caller) -> Brand:
        """Return the brand, from memory if it was researched within a day."""
        scope = caller.tenant if self._bounds.isolate else ""
        key = name_of("brand", scope, _VERSION, asked.model_dump_json())
        entry = await self._store.get(key)
        kept = _Kept.model_validate_json(entry.value) if entry else None
        if kept is None:
            kept = await self._fresh(asked)
            if kept.brand.sources and not kept.brand.unchecked:
                await self._store.set(key, kept.model_dump_json().encode(), ttl=KEPT)
        age = max(0, int(self._clock() - kept.at)) if entry else 0
        return kept.brand.model_copy(
            update={"cache_age": age, "brand_portal_resource": await self._shelved(kept, caller)}
        )

    async def _shelved(self, kept: _Kept, caller: Caller) -> str | None:
        if not kept.portal:
            return None
        shelved = await self._artifacts.put(
            kept.portal.encode("utf-8", "replace"),
            mime="text/markdown",
            tenant=caller.tenant,
            owner=caller.user,
        )
        return shelved.uri

    async def _fresh(self, asked: BrandQuery) -> _Kept:
        site = asked.url or await site_of_company(self._searching, asked.company)
        await tell(0, 3, "reading the homepage")
        home, failure = await self._home(site)
        where = parse(home.url) if home else _address(site)
        domain = registrable_domain(where.site) or where.host
        search = _Search(tiers=[], unchecked=[])
        if home is None and asked.depth == "quick":
            raise failure or PageError(f"{site} could not be read.")
        if home:
            is_deep = asked.depth != "quick"
            home, probed = await self._tier_two(search, home, domain, deep=is_deep)
        else:
            search.unchecked.append(f"homepage: {failure}")
            probed = await probe(self._looking, where)
        company = asked.company or _name_in(search) or domain.partition(".")[0]
        portals = Portals(self._looking, company, domain)
        if probed:
            await tell(1, 3, "reading brand pages")
            async with _in_time(search, "brand pages", self._bounds.probing):
                await self._tier_four(search, portals, probed, home, where)
        if asked.depth == "full":
            await tell(2, 3, "searching the web")
            async with _in_time(search, "web search", self._bounds.searching):
                await self._tier_five(search, portals, company, domain)
        if not search.tiers and failure:
            raise failure
        return _Kept(
            brand=_brand(search, domain, where, asked), portal=_text_of(search), at=self._clock()
        )

    async def _home(self, site: str) -> tuple[BrandPageFetch | None, WebquarryError | None]:
        """Return the homepage, or why it cannot be read."""
        where = _address(site)
        try:
            look = await self._reached(where, is_scheme_given="://" in site)
        except NetworkError as error:
            return None, error
        except PageError as error:
            return None, error
        if look.status >= 400 or look.wall in ("captcha", "blocked", "not_found"):
            why = f"HTTP {look.status}" if look.status >= 400 else f"a {look.wall} page came"
            return None, BlockedError(f"The homepage {where.href} could not be read: {why}.")
        return look, None

    async def _reached(self, where: Url, *, is_scheme_given: bool) -> BrandPageFetch:
        try:
            return await self._looking.page(where.href)
        except NetworkError:
            if is_scheme_given or where.scheme != "https":
                raise
        return await self._looking.page(where.href.replace("https://", "http://", 1))

    async def _tier_two(
        self, search: _Search, home: BrandPageFetch, domain: str, *, deep: bool
    ) -> tuple[BrandPageFetch, ProbedUrl | None]:
        """Read the homepage while the probes are out."""
        probing = asyncio.create_task(probe(self._looking, parse(home.url))) if deep else None
        try:
            if deep and home.is_empty:
                home = await self._looking.shown(home.url) or home
            found = await read_homepage(self._looking, home, domain, styles=deep)
            search.tiers.append(found)
            return home, await probing if probing else None
        finally:
            if probing:
                probing.cancel()

    async def _tier_four(
        self,
        search: _Search,
        portals: Portals,
        probed: ProbedUrl,
        home: BrandPageFetch | None,
        where: Url,
    ) -> None:
        unlike = {home.mark} if home else set[str]()
        if probed.anything:
            unlike |= await self._nowhere(where)
        portal = await portals.first(probed.live, frozenset(unlike), anything=probed.anything)
        search.portal = portal
        if portal:
            search.tiers += await portals.read("brand_page", portal)
        elif probed.unsure:
            search.unchecked += probed.unsure

    async def _nowhere(self, where: Url) -> set[str]:
        """Return what the site shows for a page that it cannot have."""
        try:
            return {(await self._looking.page(where.origin + NOWHERE)).mark}
        except WebquarryError:
            return set()

    async def _tier_five(
        self, search: _Search, portals: Portals, company: str, domain: str
    ) -> None:
        try:
            pages = await guideline_pages(self._searching, company, domain)
        except WebquarryError as error:
            search.unchecked.append(f"web search: {error}")
            return
        known = {look.url for look in search.portal.looks} if search.portal else set[str]()
        fresh = [page for page in pages if page not in known]
        homes = frozenset[str]()
        portal = await portals.first(fresh, homes, anything=True)
        if portal and portal.looks:
            search.tiers += await portals.read("web_search", portal)
            if search.portal is None or not search.portal.looks:
                search.portal = portal


@asynccontextmanager
async def _in_time(search: _Search, what: str, seconds: float) -> AsyncGenerator[None]:
    """Give up after so many seconds, and say so."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError:
        search.unchecked.append(f"{what}: not finished within {seconds:g} seconds")


def _brand(search: _Search, domain: str, where: Url, asked: BrandQuery) -> Brand:
    brand = assembled(search.tiers, domain, with_tokens=asked.tokens)
    portal = search.portal
    return brand.model_copy(
        update={
            "guidelines_url": portal.url if portal else None,
            "suggestion": _suggestion(portal, where),
            "unchecked": tuple(search.unchecked) or None,
        }
    )


def _suggestion(portal: Portal | None, where: Url) -> str | None:
    if portal is None:
        return (
            f"No brand portal was found. Use scrape_page on {where.href} to read the rendered "
            "homepage."
        )
    if not portal.looks:
        return (
            f"A brand portal was found, but its content could not be read. Use scrape_page on "
            f"{portal.url}."
        )
    return None


def _text_of(search: _Search) -> str:
    return search.portal.text if search.portal else ""


def _name_in(search: _Search) -> str:
    return next((tier.values.get("identity.name", "") for tier in search.tiers), "")


def _address(site: str) -> Url:
    """Return the homepage of a domain, of any page of a site, or of a brand's own host."""
    given = parse(site if "://" in site else f"https://{site}")
    first, _, rest = given.host.partition(".")
    if first in HOSTS and registrable_domain(given.site) == rest:
        return parse(given.origin.replace(f"//{first}.", "//", 1))
    return parse(given.origin)
