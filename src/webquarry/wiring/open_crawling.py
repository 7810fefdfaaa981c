"""Opens the crawl service and the crawl workers, as configured."""

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import cached_property

from webquarry.crawl.derived_formats import DerivesFormats
from webquarry.crawl.host_limit import HostLimit
from webquarry.crawl.indexing import CrawlIndexer
from webquarry.crawl.new_jobs import CrawlQuota
from webquarry.crawl.run import CrawlPace
from webquarry.crawl.service import CrawlDependencies, CrawlService, JobDispatcher
from webquarry.crawl.site_map import SiteMapper
from webquarry.crawl.store.crawl_store import CrawlStore
from webquarry.crawl.store.deliveries import Delivery, DeliveryStore
from webquarry.crawl.store.encryption import CrawlCipher
from webquarry.crawl.traps import TrapLimits
from webquarry.crawl.visit import PageRenderer, VisitLimits, Visitor
from webquarry.crawl.visit_options import VisitOptions
from webquarry.crawl.webhook_delivery import WebhookDeliveries, WebhookSender
from webquarry.crawl.workers.embedded import EmbeddedWorker
from webquarry.crawl.workers.runner import CrawlRunner, ProxiedNetwork, RunnerDependencies
from webquarry.errors import SettingsError
from webquarry.net.fetch import Fetcher
from webquarry.net.guard.connector import Connector, RotatingProxies
from webquarry.net.guard.resolver import Resolver
from webquarry.net.guard.server import Guard
from webquarry.parsing.parsers import Parsers
from webquarry.reading.browser.browser import Browser
from webquarry.reading.browser.rendered_response import RenderedResponse
from webquarry.reading.documents.document_reader import DocumentReader
from webquarry.reading.robots import Robots
from webquarry.services.bundles.capturing import Capturing, capture_job
from webquarry.settings.load import Settings
from webquarry.storage.cipher import Keyring
from webquarry.storage.page_index import PageIndex
from webquarry.wiring.open_network import NetworkServices
from webquarry.wiring.open_shared import build_renderer
from webquarry.wiring.open_storage import StorageKeys
from webquarry.wiring.resume_crawls import CRAWLS_FILE
from webquarry.wiring.webhook_secret import webhook_secret

BACKOFF = (1.0, 4.0, 15.0)  # seconds before each retry of a page


@dataclass(frozen=True)
class CrawlResources:
    """What crawling shares with the rest of the application."""

    network: NetworkServices
    browser: Browser
    index: PageIndex | None
    keys: StorageKeys
    parsers: Parsers
    documents: DocumentReader
    capturing: Callable[[], Capturing]


def open_crawling(
    settings: Settings, resources: CrawlResources, derives: DerivesFormats, stack: AsyncExitStack
) -> CrawlService:
    """Return the service; the database is opened when it is first used."""
    runner, store, deliveries = build_runner(settings, resources)
    dispatcher: JobDispatcher
    if settings.crawling.database_url:
        from webquarry.crawl.workers.announcements import Announcements
        from webquarry.crawl.workers.shared import SharedWorkers

        url = settings.cache.redis_url
        dispatcher = SharedWorkers(Announcements(url, _cipher(resources.keys)))
    else:
        dispatcher = EmbeddedWorker(store, runner, deliveries, max_jobs=settings.crawling.at_once)
    options = settings.crawling
    cipher = _cipher(resources.keys)
    crawling = CrawlService(
        CrawlDependencies(
            store=store,
            dispatcher=dispatcher,
            site_mapper=SiteMapper(_visitor(settings, resources.network), resources.parsers),
            parsers=resources.parsers,
            derives=derives,
            blind_host=lambda authority: cipher.blind("host", authority),
            quota=CrawlQuota(
                max_unfinished=options.per_user, max_pages=options.max_pages, ttl=options.ttl
            ),
        )
    )
    stack.push_async_callback(crawling.close)
    return crawling


def build_runner(
    settings: Settings, resources: CrawlResources
) -> tuple[CrawlRunner, CrawlStore, WebhookDeliveries[Delivery]]:
    """Return the runner of crawls, their store and the sender of their notifications."""
    store = open_crawl_store(settings, resources.keys)
    options = settings.crawling
    cipher = _cipher(resources.keys)
    deliveries = WebhookDeliveries(
        DeliveryStore(store),
        WebhookSender(
            fetcher=resources.network.fetcher,
            secret=lambda tenant: webhook_secret(settings, resources.keys, tenant),
        ),
        retry_for=options.webhook_retry,
    )
    dependencies = RunnerDependencies(
        visitor=_visitor(settings, resources.network),
        host_limit=HostLimit(options.host_concurrency),
        trap_limits=TrapLimits(options.trap_window, options.trap_new_percent / 100),
        pace=CrawlPace(
            concurrency=options.concurrency,
            delay=options.delay,
            max_pause=options.max_retry_after,
            backoff=BACKOFF,
        ),
        blind_host=lambda authority: cipher.blind("host", authority),
        renderer=_LazyRenderer(settings, resources),
        open_proxied=lambda chosen: _open_proxied(settings, resources.network, chosen),
        observer=CrawlIndexer(resources.index) if resources.index else None,
        deliveries=deliveries,
        documents=resources.documents,
        parsers=resources.parsers,
        capture=capture_job(resources.capturing, always=settings.evidence.capture),
    )
    return CrawlRunner(store, dependencies), store, deliveries


def _open_proxied(
    settings: Settings, network: NetworkServices, chosen: tuple[str, ...]
) -> AbstractAsyncContextManager[ProxiedNetwork] | None:
    """Return the network through the caller's proxies, or else through the operator's."""
    proxies = chosen or settings.crawling.proxies
    return _through_proxies(settings, network, proxies, checked=bool(chosen)) if proxies else None


@asynccontextmanager
async def _through_proxies(
    settings: Settings, network: NetworkServices, proxies: tuple[str, ...], *, checked: bool
) -> AsyncGenerator[ProxiedNetwork]:
    resolver = Resolver(network.guard.policy)
    connector = Connector(
        RotatingProxies(proxies), check_proxy=resolver.pin_proxy if checked else None
    )
    async with Guard(resolver, connector=connector) as guard:
        fetcher = Fetcher(guard, ca_file=settings.network.ca_file)
        try:
            yield ProxiedNetwork(fetcher, Robots(fetcher), await guard.start())
        finally:
            fetcher.close()


@dataclass
class _LazyRenderer:
    """The renderer of crawls, created when the first page is rendered."""

    settings: Settings
    resources: CrawlResources

    async def render(self, url: str, seconds: float, options: VisitOptions) -> RenderedResponse:
        """Return the page after its scripts have run."""
        return await self._renderer.render(url, seconds, options)

    @cached_property
    def _renderer(self) -> PageRenderer:
        resources = self.resources
        return build_renderer(
            self.settings, resources.network, resources.browser, resources.documents
        )


async def run_crawl_worker(settings: Settings, resources: CrawlResources) -> None:
    """Run a worker until cancelled."""
    from webquarry.crawl.workers.announcements import Announcements
    from webquarry.crawl.workers.shared import SharedWorker

    runner, store, deliveries = build_runner(settings, resources)
    announcements = Announcements(settings.cache.redis_url, _cipher(resources.keys))
    max_jobs = settings.crawling.at_once
    try:
        await SharedWorker(announcements, runner, store, deliveries, max_jobs=max_jobs).run()
    finally:
        await announcements.close()
        await store.close()


def check_worker_settings(settings: Settings) -> None:
    """Raise `SettingsError` unless Redis and Postgres are configured."""
    check_shared_settings(settings)
    if not settings.crawling.database_url:
        raise SettingsError(
            "a worker needs the REDIS_URL and DATABASE_URL of its servers;"
            " without them, crawls run inside the server and need no worker"
        )


def check_shared_settings(settings: Settings) -> None:
    """Raise `SettingsError` if only one of Redis and Postgres is configured."""
    if bool(settings.cache.redis_url) != bool(settings.crawling.database_url):
        given, missing = "REDIS_URL", "DATABASE_URL"
        if settings.crawling.database_url:
            given, missing = missing, given
        raise SettingsError(
            f"{given} is set but {missing} is not: crawls shared by several processes need both"
            " Redis (REDIS_URL) and Postgres (DATABASE_URL)"
        )


def open_crawl_store(settings: Settings, keys: StorageKeys) -> CrawlStore:
    """Return the store of crawls and monitors; it connects when it is first used."""
    check_shared_settings(settings)
    # imported here because a process uses only one of the two
    if settings.crawling.database_url:
        from webquarry.crawl.store.postgres import open_postgres

        return open_postgres(settings.crawling.database_url, _cipher(keys))
    from webquarry.crawl.store.sqlite import open_sqlite

    return open_sqlite(settings.server.data_dir / CRAWLS_FILE, _cipher(keys))


def _cipher(keys: StorageKeys) -> CrawlCipher:
    return CrawlCipher(Keyring(keys.current, keys.previous))


def _visitor(settings: Settings, network: NetworkServices) -> Visitor:
    return Visitor(
        fetcher=network.fetcher,
        robots=Robots(network.fetcher),
        limits=VisitLimits(
            timeout=settings.crawling.timeout,
            max_page_bytes=settings.scraping.max_html_bytes,
            max_document_bytes=settings.scraping.max_document_bytes,
            max_screenshot_bytes=settings.crawling.max_screenshot_bytes,
        ),
    )
