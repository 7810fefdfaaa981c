"""Opens evidence bundles."""

from typing import TYPE_CHECKING

from webquarry.reading.html_workers import HtmlExtractor
from webquarry.reading.response_reader import ResponseReader
from webquarry.services.bundles.archive_import import ArchiveImport
from webquarry.services.bundles.bundle_sources import BundleSources
from webquarry.services.bundles.service import BundleService
from webquarry.services.bundles.time_stamping import NAME, TimeStamping
from webquarry.settings.load import Settings
from webquarry.storage.encryption_keys import load_or_create_key
from webquarry.webarchive.signing import SigningKey, signing_key_path
from webquarry.webarchive.time_stamp import roots_in, system_roots

if TYPE_CHECKING:
    from cryptography.x509 import Certificate

    from webquarry.wiring.container import Services


def open_bundles(settings: Settings, services: "Services") -> BundleService:
    """Return the bundles; what they need besides the captures is built when it is used."""

    def key() -> SigningKey:
        return SigningKey.from_seed(load_or_create_key(signing_key_path(settings.server.data_dir)))

    def roots() -> "list[Certificate]":
        file = settings.evidence.timestamp_certificates
        return roots_in(file) if file else system_roots()

    responses = ResponseReader(services.documents, extractor=HtmlExtractor(services.parsers))

    def importer() -> ArchiveImport:
        return ArchiveImport(
            capturing=services.capturing,
            captures=services.research.evidence.captures,
            responses=responses,
            index=services.page_index,
            parsers=services.parsers,
        )

    return BundleService(
        sources=BundleSources(
            capturing=services.capturing,
            sessions=lambda: services.sessions,
            crawling=lambda: services.crawling,
            checks=lambda: services.document_checks,
            watching=lambda: services.watching,
            evidence=lambda: services.research.evidence,
            parsers=services.parsers,
        ),
        responses=responses,
        importer=importer,
        key=key,
        stamping=_stamping(settings, services),
        roots=roots,
    )


def _stamping(settings: Settings, services: "Services") -> TimeStamping | None:
    url = settings.evidence.timestamp_url
    return TimeStamping(services.network.upstreams.api(NAME, url)) if url else None
