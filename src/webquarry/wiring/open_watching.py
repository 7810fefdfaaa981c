"""Opens the monitors: their store, what they observe with, and the scheduler."""

from collections.abc import Mapping
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from webquarry.crawl.store.crawl_store import CrawlStore
from webquarry.crawl.webhook_delivery import WebhookDeliveries, WebhookSender
from webquarry.models.monitor import MonitorKind
from webquarry.net.clock import Clock
from webquarry.reading.conditional_reader import ConditionalReader, ReadsIfChanged
from webquarry.reading.html_workers import HtmlExtractor
from webquarry.reading.response_reader import ResponseReader
from webquarry.reading.robots import Robots
from webquarry.services.watching.check_runs import CheckRunner
from webquarry.services.watching.comparing import VersionComparer
from webquarry.services.watching.message_services import MessageServices
from webquarry.services.watching.new_monitors import NewMonitors
from webquarry.services.watching.observing import Observes
from webquarry.services.watching.page_observer import PageContentObserver
from webquarry.services.watching.reference_observer import ReferenceObserver
from webquarry.services.watching.scheduler import MonitorEngine, MonitorScheduler
from webquarry.services.watching.search_observer import SearchObserver
from webquarry.services.watching.sending import MonitorSender
from webquarry.services.watching.service import MonitorService
from webquarry.services.watching.site_observer import SiteObserver
from webquarry.services.watching.store.monitor_claims import MonitorClaims
from webquarry.services.watching.store.monitor_commits import MonitorCommits
from webquarry.services.watching.store.monitor_deliveries import MonitorDeliveryStore
from webquarry.services.watching.store.monitor_store import MonitorStore
from webquarry.services.watching.version_captures import VersionCaptures
from webquarry.settings.load import Settings
from webquarry.wiring.open_crawling import open_crawl_store
from webquarry.wiring.open_reading import ReaderFactory
from webquarry.wiring.open_storage import StorageKeys
from webquarry.wiring.webhook_secret import webhook_secret

if TYPE_CHECKING:
    from webquarry.models.reading import ReadMode
    from webquarry.wiring.container import Services


def open_watching(
    settings: Settings, keys: StorageKeys, services: "Services", stack: AsyncExitStack
) -> MonitorService:
    """Return the monitors; the database is opened when it is first used."""
    store = open_crawl_store(settings, keys)
    stack.push_async_callback(store.close)
    clock = Clock()
    options = settings.watching
    engine = _engine(settings, keys, services, store)
    service = MonitorService(
        store=engine.store,
        new_monitors=NewMonitors(
            policy=services.network.guard.policy,
            parsers=services.parsers,
            extraction=lambda: services.extraction,
            check_service=_messages(settings).check,
            blind_host=lambda authority: store.cipher.blind("host", authority),
            min_interval=options.min_interval,
            max_pages=options.max_pages,
            clock=clock,
        ),
        engine=engine,
        scheduler=MonitorScheduler(engine),
        limit=options.per_user,
        feed_key=lambda monitor_id: store.cipher.blind("monitor feed", monitor_id),
        embedded=not settings.crawling.database_url,
    )
    stack.push_async_callback(service.close)
    return service


def _engine(
    settings: Settings, keys: StorageKeys, services: "Services", store: CrawlStore
) -> MonitorEngine:
    options = settings.watching
    monitors = MonitorStore(store)
    commits = MonitorCommits(store, kept_versions=options.versions)
    sender = MonitorSender(
        webhooks=WebhookSender(
            fetcher=services.network.fetcher,
            secret=lambda tenant: webhook_secret(settings, keys, tenant),
        ),
        services=lambda: _messages(settings),
    )
    return MonitorEngine(
        store=monitors,
        claims=MonitorClaims(store, settings.crawling.delay),
        commits=commits,
        runner=CheckRunner(
            store=monitors,
            commits=commits,
            observers=_Observers(settings, services).get,
            comparer=lambda: VersionComparer(services.parsers),
            captures=VersionCaptures(
                captures=lambda: services.research.evidence.captures,
                capturing=lambda: services.capturing,
                always=services.always_captures,
            ),
            count=services.metrics.record_check,
        ),
        deliveries=WebhookDeliveries(
            MonitorDeliveryStore(store), sender, retry_for=settings.crawling.webhook_retry
        ),
        retention=options.retention,
        at_once=options.at_once,
    )


def _messages(settings: Settings) -> MessageServices:
    return MessageServices(allow_private=settings.network.allow_private_ips)


class _Observers:
    """What each kind of monitor observes with, built at the first check."""

    def __init__(self, settings: Settings, services: "Services") -> None:
        self._settings = settings
        self._services = services
        self._built: dict[MonitorKind, Observes] = {}

    def get(self) -> Mapping[MonitorKind, Observes]:
        """Return all of them."""
        if not self._built:
            services = self._services
            page = PageContentObserver(
                reader=_conditional_reader(self._settings, services),
                parsers=services.parsers,
                extraction=lambda: services.extraction,
            )
            self._built = {
                "page": page,
                "feed": page,
                "site": SiteObserver(crawling=lambda: services.crawling),
                "search": SearchObserver(searching=lambda: services.searching),
                "references": ReferenceObserver(
                    audit=lambda: services.bibliography_audit, parsers=services.parsers
                ),
            }
        return self._built


def _conditional_reader(settings: Settings, services: "Services") -> ConditionalReader:
    factory = ReaderFactory(settings, services.network, services.browser)
    extractor = HtmlExtractor(services.parsers)

    def reader_for(mode: "ReadMode") -> ReadsIfChanged:
        responses = ResponseReader(
            services.documents, extractor=extractor, keep_source=mode.keep_source
        )
        return factory.reader(responses, None if mode.strategy == "smart" else mode.strategy)

    robots = Robots(services.network.fetcher) if settings.scraping.respect_robots else None
    return ConditionalReader(reader_for, robots, settings.limits.page_timeout)
