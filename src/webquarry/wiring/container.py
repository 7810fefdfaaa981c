"""The service container: one class, one member for each service, built when first used.

Each member imports what it needs at that moment, so an `echo` call loads neither the providers
nor the page readers (ADR 7). At the top of this module, import types only.
"""

from functools import cached_property
from typing import TYPE_CHECKING

from webquarry.wiring.browser_services import BrowserServices

if TYPE_CHECKING:
    from webquarry.crawl.service import CrawlService
    from webquarry.reading.service import ReadingService
    from webquarry.searxng.pool import Pool
    from webquarry.searxng.result_content import ResultContentReader
    from webquarry.services.answering.service import AnswerService
    from webquarry.services.archiving import ArchiveService
    from webquarry.services.brand.service import BrandService
    from webquarry.services.bundles.service import BundleService
    from webquarry.services.checking.check_jobs import CheckJobs
    from webquarry.services.checking.document_input import DocumentInputs
    from webquarry.services.cinder.cinder_screenshots import PageScreenshots
    from webquarry.services.cinder.ranked_search import RankedSearch
    from webquarry.services.extraction.derived_content import PageDerivation
    from webquarry.services.extraction.service import ExtractionService
    from webquarry.services.link_check import LinkChecker
    from webquarry.services.patents.patent_search_service import PatentSearch
    from webquarry.services.people.service import PeopleService
    from webquarry.services.provider_choice import ProviderDirectory
    from webquarry.services.quotas import Quotas
    from webquarry.services.records.catalog_store import StoreCatalogCache
    from webquarry.services.research.research_service import ResearchService
    from webquarry.services.scholarship.citation_graphs import CitationGraphs
    from webquarry.services.scholarship.paper_fulltexts import PaperFullTexts
    from webquarry.services.scholarship.work_search import WorkSearch
    from webquarry.services.searching.service import SearchService
    from webquarry.services.sessions.service import SessionService
    from webquarry.services.step_reading import PageStepService
    from webquarry.services.trust.bibliography_audit import BibliographyAudit
    from webquarry.services.trust.citation_check import CitationChecker
    from webquarry.services.trust.claim_check import ClaimChecker
    from webquarry.services.trust.existence import ExistenceChecker
    from webquarry.services.trust.recommendation_check import RecommendationChecker
    from webquarry.services.watching.service import MonitorService
    from webquarry.wiring.open_crawling import CrawlResources


class Services(BrowserServices):
    """All services of one process. Closing the stack closes those that were built, last first."""

    # Reading, crawling and extraction

    @cached_property
    def reading(self) -> "ReadingService":
        from webquarry.wiring.open_reading import open_reading

        return open_reading(self._settings, self, self._stack)

    @cached_property
    def crawl_resources(self) -> "CrawlResources":
        from webquarry.wiring.open_crawling import CrawlResources

        shared = (self.network, self.browser, self.page_index, self._keys, self.parsers)
        return CrawlResources(*shared, self.documents, lambda: self.capturing)

    @cached_property
    def crawling(self) -> "CrawlService":
        from webquarry.wiring.open_crawling import open_crawling

        return open_crawling(
            self._settings, self.crawl_resources, self.page_derivation, self._stack
        )

    @cached_property
    def watching(self) -> "MonitorService":
        from webquarry.wiring.open_watching import open_watching

        return open_watching(self._settings, self._keys, self, self._stack)

    @cached_property
    def screenshots(self) -> "PageScreenshots":
        from webquarry.wiring.open_shared import build_screenshots

        return build_screenshots(self._settings, self)

    @cached_property
    def page_steps(self) -> "PageStepService":
        from webquarry.wiring.open_shared import open_page_steps

        return open_page_steps(self._settings, self, self._stack)

    @cached_property
    def page_derivation(self) -> "PageDerivation":
        from webquarry.services.extraction.derived_content import PageDerivation

        limit = self._settings.llm.max_input
        return PageDerivation(lambda: self.extraction, lambda: self.language_model, limit)

    @cached_property
    def extraction(self) -> "ExtractionService":
        from webquarry.services.extraction.service import ExtractionService

        limit = self._settings.llm.max_input
        return ExtractionService(self.language_model, max_chars=limit, parsers=self.parsers)

    # Searching

    @cached_property
    def providers(self) -> "ProviderDirectory":
        from webquarry.wiring.build_providers import build_provider_directory

        return build_provider_directory(self._settings, self)

    @cached_property
    def searching(self) -> "SearchService":
        from webquarry.services.searching.service import Preferences, SearchService

        options, health = self._settings.search, self.network.upstreams.health
        preferences = Preferences(
            provider=options.provider.lower(),
            routing=options.routing,
            retry_threshold=options.thin_threshold,
            custom_lenses=options.custom_lenses_path,
            provider_timeout=self._settings.limits.search_timeout,
        )
        return SearchService(self.providers, preferences, health=health, index=self.page_index)

    @cached_property
    def searxng(self) -> "Pool":
        from webquarry.wiring.open_searxng import open_searxng

        return open_searxng(self._settings, self, self._stack)

    @cached_property
    def searxng_content(self) -> "ResultContentReader":
        from webquarry.wiring.open_searxng import open_result_content

        return open_result_content(self._settings, self)

    @cached_property
    def ranked_search(self) -> "RankedSearch":
        from webquarry.services.cinder.ranked_search import RankedSearch

        return RankedSearch(self.searching, self.store)

    @cached_property
    def works(self) -> "WorkSearch":
        from webquarry.services.scholarship.work_search import WorkSearch

        return WorkSearch(self.providers, self.searching)

    @cached_property
    def citation_graphs(self) -> "CitationGraphs":
        from webquarry.services.scholarship.citation_graphs import CitationGraphs

        return CitationGraphs(self.providers)

    @cached_property
    def paper_texts(self) -> "PaperFullTexts":
        from webquarry.wiring.open_checking import open_paper_texts

        return open_paper_texts(self._settings, self, self._stack)

    @cached_property
    def patents(self) -> "PatentSearch":
        from webquarry.services.patents.patent_search_service import PatentSearch

        return PatentSearch(self.providers, self.searching)

    @cached_property
    def catalogs(self) -> "StoreCatalogCache":
        from webquarry.services.records.catalog_store import StoreCatalogCache

        return StoreCatalogCache(self.store)

    @cached_property
    def research(self) -> "ResearchService":
        from webquarry.wiring.build_research import build_research

        return build_research(self._settings, self)

    @cached_property
    def answering(self) -> "AnswerService":
        from webquarry.wiring.build_answering import build_answering

        return build_answering(self)

    @cached_property
    def brands(self) -> "BrandService":
        from webquarry.wiring.build_brand import build_brands

        return build_brands(self._settings, self)

    @cached_property
    def sessions(self) -> "SessionService":
        from webquarry.services.sessions.service import SessionService

        limits = vars(self._settings.sessions)  # by the names of the parameters
        return SessionService(self.store, **limits)

    @cached_property
    def bundles(self) -> "BundleService":
        from webquarry.wiring.open_evidence import open_bundles

        return open_bundles(self._settings, self)

    # Checks of sources

    @cached_property
    def links(self) -> "LinkChecker":
        from webquarry.providers.capabilities_archive import FindsSnapshots
        from webquarry.services.link_check import LinkChecker

        archives = self.providers.of(FindsSnapshots).ready.values()
        fetcher, archive = self.network.fetcher, next(iter(archives), None)
        return LinkChecker(fetcher, archive, self.store, parsers=self.parsers)

    @cached_property
    def archiving(self) -> "ArchiveService":
        from webquarry.providers.capabilities_archive import FindsSnapshots, SavesPages
        from webquarry.services.archiving import ArchiveService

        savers = self.providers.of(SavesPages).ready.values()
        finders = self.providers.of(FindsSnapshots).ready.values()
        return ArchiveService(next(iter(savers), None), next(iter(finders), None))

    @cached_property
    def existence(self) -> "ExistenceChecker":
        from webquarry.services.trust.existence import ExistenceChecker

        return ExistenceChecker(self.providers)

    @cached_property
    def claims(self) -> "ClaimChecker":
        from webquarry.services.trust.claim_check import ClaimChecker

        return ClaimChecker(self.reading, self.research.evidence, self.parsers)

    @cached_property
    def citations(self) -> "CitationChecker":
        from webquarry.services.trust.citation_check import CitationChecker

        return CitationChecker(self.existence, self.links, self.reading, self.claims)

    @cached_property
    def bibliography_audit(self) -> "BibliographyAudit":
        from webquarry.services.trust.bibliography_audit import BibliographyAudit

        return BibliographyAudit(self.existence, self.links, self.claims)

    @cached_property
    def document_checks(self) -> "CheckJobs":
        from webquarry.wiring.open_checking import open_checking

        return open_checking(self, self._settings.llm.max_input, self._stack)

    @cached_property
    def document_inputs(self) -> "DocumentInputs":
        from webquarry.services.checking.document_input import DocumentInputs

        roots = self._settings.scraping.allowed_file_roots
        limit = self._settings.server.max_upload_bytes
        return DocumentInputs(self.network.fetcher, roots, limit)

    @cached_property
    def recommendations(self) -> "RecommendationChecker":
        from webquarry.providers.capabilities_owners import KnowsOwners
        from webquarry.services.trust.recommendation_check import RecommendationChecker

        owners = self.providers.of(KnowsOwners).ready.values()
        return RecommendationChecker(self.links, self.searching, next(iter(owners), None))

    @cached_property
    def people(self) -> "PeopleService":
        from webquarry.wiring.build_people import build_people

        return build_people(self._settings.people, self.store)

    @cached_property
    def quotas(self) -> "Quotas":
        from webquarry.services.quotas import Quotas

        return Quotas()
