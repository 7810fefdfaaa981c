"""Opens crawling as the settings want it."""

from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import cached_property

from webquarry.crawl.gate import Gate
from webquarry.crawl.run import Pace
from webquarry.crawl.visit import Patience, ShowsPages, Visitor
from webquarry.errors import SettingsError
from webquarry.net.fetch import Fetched
from webquarry.scrape.browser import Browser
from webquarry.scrape.robots import Robots
from webquarry.services.crawling import Crawling
from webquarry.services.crawling.embedded import Embedded
from webquarry.services.crawling.mapping import SiteMap
from webquarry.services.crawling.noting import Indexing
from webquarry.services.crawling.runner import Equipment, Runner
from webquarry.services.crawling.service import Allowance, Dispatches, Means
from webquarry.services.crawling.webhook import Webhook
from webquarry.settings.load import Settings
from webquarry.storage.cipher import Keyring
from webquarry.storage.crawls.port import Crawls
from webquarry.storage.crawls.sealing import Seals
from webquarry.storage.index import PageIndex
from webquarry.wiring.network import Network
from webquarry.wiring.resuming import FILE
from webquarry.wiring.storing import StorageKeys

BACKOFF = (1.0, 4.0, 15.0)  # seconds before a page that failed is tried again


@dataclass(frozen=True)
class Ingredients:
    """What other parts of the application lend to crawling."""

    network: Network
    browser: Browser
    index: PageIndex | None
    keys: StorageKeys


def open_crawling(settings: Settings, lent: Ingredients, stack: AsyncExitStack) -> Crawling:
    """Open it; neither a database nor a crawl is begun before it is used."""
    runner, crawls = build_runner(settings, lent)
    dispatcher: Dispatches
    if settings.crawling.database_url:
        from webquarry.services.crawling.shared import Shared

        dispatcher = Shared(settings.cache.redis_url)
    else:
        dispatcher = Embedded(crawls, runner, at_once=settings.crawling.at_once)
    wanted = settings.crawling
    seals = _seals(lent.keys)
    crawling = Crawling(
        Means(
            crawls=crawls,
            dispatcher=dispatcher,
            sites=SiteMap(_visitor(settings, lent.network)),
            name_host=lambda place: seals.name("host", place),
            allowance=Allowance(unfinished=wanted.per_user, pages=wanted.max_pages, ttl=wanted.ttl),
        )
    )
    stack.push_async_callback(crawling.close)
    return crawling


def build_runner(settings: Settings, lent: Ingredients) -> tuple[Runner, Crawls]:
    """Return what runs crawls, and where they are kept."""
    crawls = _crawls(settings, lent.keys)
    wanted = settings.crawling
    seals = _seals(lent.keys)
    equipment = Equipment(
        visitor=_visitor(settings, lent.network),
        gate=Gate(wanted.host_concurrency),
        pace=Pace(readers=wanted.concurrency, delay=wanted.delay, backoff=BACKOFF),
        name_host=lambda place: seals.name("host", place),
        browser=_Rendering(settings, lent),
        notes=Indexing(lent.index) if lent.index else None,
        webhook=Webhook(crawls, lent.network.fetcher),
    )
    return Runner(crawls, equipment), crawls


class _Rendering:
    """The browser of crawls, made ready when a page is first to be shown."""

    def __init__(self, settings: Settings, lent: Ingredients) -> None:
        self._settings = settings
        self._lent = lent

    async def show(self, url: str, seconds: float) -> Fetched:
        """Return the page after its scripts have run."""
        return await self._shown.show(url, seconds)

    @cached_property
    def _shown(self) -> ShowsPages:
        # imported here: most crawls render nothing
        from webquarry.scrape.documents.reading import Documents
        from webquarry.scrape.ladder import SPA_HOSTS
        from webquarry.scrape.readers import Readers
        from webquarry.scrape.render import BrowserTier
        from webquarry.services.crawling.rendering import Shown

        wanted = self._settings.scraping
        return Shown(
            BrowserTier(
                browser=self._lent.browser,
                guard=self._lent.network.guard,
                readers=Readers(Documents(max_bytes=wanted.max_document_bytes)),
                spa_hosts=SPA_HOSTS,
                page_bytes=wanted.max_html_bytes,
            )
        )


async def work_on_crawls(settings: Settings, lent: Ingredients) -> None:
    """Be a worker until cancelled."""
    from webquarry.services.crawling.shared import work

    runner, crawls = build_runner(settings, lent)
    try:
        await work(settings.cache.redis_url, runner, crawls, at_once=settings.crawling.at_once)
    finally:
        await crawls.close()


def check_worker(settings: Settings) -> None:
    """Refuse to be a worker of nobody."""
    check_shared(settings)
    if not settings.crawling.database_url:
        raise SettingsError(
            "a worker needs REDIS_URL and DATABASE_URL, the ones that its servers have;"
            " without them crawls run inside the server and need no worker"
        )


def check_shared(settings: Settings) -> None:
    """Refuse to share crawls with one of the two servers they need."""
    if bool(settings.cache.redis_url) != bool(settings.crawling.database_url):
        given, missing = "REDIS_URL", "DATABASE_URL"
        if settings.crawling.database_url:
            given, missing = missing, given
        raise SettingsError(
            f"{given} is set but {missing} is not: crawls that several processes share need both"
            " Redis (REDIS_URL) and Postgres (DATABASE_URL)"
        )


def _crawls(settings: Settings, keys: StorageKeys) -> Crawls:
    check_shared(settings)
    # imported here: a process uses one of the two
    if settings.crawling.database_url:
        from webquarry.storage.crawls.postgres import open_postgres

        return open_postgres(settings.crawling.database_url, _seals(keys))
    from webquarry.storage.crawls.sqlite import open_sqlite

    return open_sqlite(settings.server.data_dir / FILE, _seals(keys))


def _seals(keys: StorageKeys) -> Seals:
    return Seals(Keyring(keys.current, keys.previous))


def _visitor(settings: Settings, network: Network) -> Visitor:
    return Visitor(
        fetcher=network.fetcher,
        robots=Robots(network.fetcher),
        patience=Patience(
            timeout=settings.crawling.timeout, page_bytes=settings.scraping.max_html_bytes
        ),
    )
