"""Opens crawling as the settings want it."""

from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import cached_property

from webquarry.crawl.host_limit import HostLimit
from webquarry.crawl.indexing import CrawlIndexer
from webquarry.crawl.run import CrawlPace
from webquarry.crawl.service import CrawlDependencies, CrawlQuota, CrawlService, JobDispatcher
from webquarry.crawl.site_map import SiteMapper
from webquarry.crawl.store.crawl_store import CrawlStore
from webquarry.crawl.store.encryption import CrawlCipher
from webquarry.crawl.visit import ShowsPages, VisitLimits, Visitor
from webquarry.crawl.webhook import CrawlWebhook
from webquarry.crawl.workers.embedded import EmbeddedWorker
from webquarry.crawl.workers.runner import CrawlRunner, RunnerDependencies
from webquarry.errors import SettingsError
from webquarry.net.fetch import FetchedResponse
from webquarry.reading.browser.browser import Browser
from webquarry.reading.robots import Robots
from webquarry.settings.load import Settings
from webquarry.storage.cipher import Keyring
from webquarry.storage.page_index import PageIndex
from webquarry.wiring.open_network import NetworkServices
from webquarry.wiring.open_storage import StorageKeys
from webquarry.wiring.resume_crawls import FILE

BACKOFF = (1.0, 4.0, 15.0)  # seconds before a page that failed is tried again


@dataclass(frozen=True)
class CrawlIngredients:
    """What other parts of the application lend to crawling."""

    network: NetworkServices
    browser: Browser
    index: PageIndex | None
    keys: StorageKeys


def open_crawling(
    settings: Settings, lent: CrawlIngredients, stack: AsyncExitStack
) -> CrawlService:
    """Open it; neither a database nor a crawl is begun before it is used."""
    runner, crawls = build_runner(settings, lent)
    dispatcher: JobDispatcher
    if settings.crawling.database_url:
        from webquarry.crawl.workers.shared import SharedWorkers

        dispatcher = SharedWorkers(settings.cache.redis_url)
    else:
        dispatcher = EmbeddedWorker(crawls, runner, at_once=settings.crawling.at_once)
    wanted = settings.crawling
    seals = _seals(lent.keys)
    crawling = CrawlService(
        CrawlDependencies(
            crawls=crawls,
            dispatcher=dispatcher,
            sites=SiteMapper(_visitor(settings, lent.network)),
            name_host=lambda place: seals.name("host", place),
            allowance=CrawlQuota(
                unfinished=wanted.per_user, pages=wanted.max_pages, ttl=wanted.ttl
            ),
        )
    )
    stack.push_async_callback(crawling.close)
    return crawling


def build_runner(settings: Settings, lent: CrawlIngredients) -> tuple[CrawlRunner, CrawlStore]:
    """Return what runs crawls, and where they are kept."""
    crawls = _crawls(settings, lent.keys)
    wanted = settings.crawling
    seals = _seals(lent.keys)
    equipment = RunnerDependencies(
        visitor=_visitor(settings, lent.network),
        gate=HostLimit(wanted.host_concurrency),
        pace=CrawlPace(readers=wanted.concurrency, delay=wanted.delay, backoff=BACKOFF),
        name_host=lambda place: seals.name("host", place),
        browser=_Rendering(settings, lent),
        notes=CrawlIndexer(lent.index) if lent.index else None,
        webhook=CrawlWebhook(crawls, lent.network.fetcher),
    )
    return CrawlRunner(crawls, equipment), crawls


class _Rendering:
    """The browser of crawls, made ready when a page is first to be shown."""

    def __init__(self, settings: Settings, lent: CrawlIngredients) -> None:
        self._settings = settings
        self._lent = lent

    async def show(self, url: str, seconds: float) -> FetchedResponse:
        """Return the page after its scripts have run."""
        return await self._shown.show(url, seconds)

    @cached_property
    def _shown(self) -> ShowsPages:
        # imported here: most crawls render nothing
        from webquarry.crawl.rendering import CrawlRenderer
        from webquarry.reading.documents.document_reader import Documents
        from webquarry.reading.response_reader import ResponseReader
        from webquarry.reading.tiers.browser_tier import BrowserTier
        from webquarry.reading.tiers.ladder import SPA_HOSTS

        wanted = self._settings.scraping
        return CrawlRenderer(
            BrowserTier(
                browser=self._lent.browser,
                guard=self._lent.network.guard,
                readers=ResponseReader(Documents(max_bytes=wanted.max_document_bytes)),
                spa_hosts=SPA_HOSTS,
                page_bytes=wanted.max_html_bytes,
            )
        )


async def work_on_crawls(settings: Settings, lent: CrawlIngredients) -> None:
    """Be a worker until cancelled."""
    from webquarry.crawl.workers.shared import work

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


def _crawls(settings: Settings, keys: StorageKeys) -> CrawlStore:
    check_shared(settings)
    # imported here: a process uses one of the two
    if settings.crawling.database_url:
        from webquarry.crawl.store.postgres import open_postgres

        return open_postgres(settings.crawling.database_url, _seals(keys))
    from webquarry.crawl.store.sqlite import open_sqlite

    return open_sqlite(settings.server.data_dir / FILE, _seals(keys))


def _seals(keys: StorageKeys) -> CrawlCipher:
    return CrawlCipher(Keyring(keys.current, keys.previous))


def _visitor(settings: Settings, network: NetworkServices) -> Visitor:
    return Visitor(
        fetcher=network.fetcher,
        robots=Robots(network.fetcher),
        patience=VisitLimits(
            timeout=settings.crawling.timeout, page_bytes=settings.scraping.max_html_bytes
        ),
    )
