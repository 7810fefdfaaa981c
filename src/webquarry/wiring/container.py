"""Makes the parts of the application, each when it is first used.

A part imports what it is made of only then: an `echo` needs neither the providers nor the readers,
and a client should not wait for them (see ADR 7). So nothing is imported here but for its type.
"""

from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from functools import cached_property
from typing import TYPE_CHECKING, Any

from webquarry.observe.metrics import Metrics
from webquarry.services import Services, made_later
from webquarry.settings.load import Settings
from webquarry.settings.redact import secret_values
from webquarry.wiring.open_storage import StorageKeys

if TYPE_CHECKING:
    from webquarry.crawl.service import CrawlService
    from webquarry.reading.browser.browser import Browser
    from webquarry.reading.service import ReadingService
    from webquarry.searxng.pool import Pool
    from webquarry.services.answering.service import AnswerService
    from webquarry.services.brand.service import BrandService
    from webquarry.services.extraction.service import ExtractionService
    from webquarry.services.link_check import LinkChecker
    from webquarry.services.llm.language_model import LanguageModel
    from webquarry.services.people.service import PeopleService
    from webquarry.services.provider_choice import ProviderDirectory
    from webquarry.services.quotas import Quotas
    from webquarry.services.research.research_service import ResearchService
    from webquarry.services.searching.service import SearchService
    from webquarry.services.sessions.service import SessionService
    from webquarry.storage.artifacts import Artifacts
    from webquarry.storage.page_index import PageIndex
    from webquarry.storage.store import Store
    from webquarry.wiring.open_crawling import CrawlIngredients
    from webquarry.wiring.open_network import NetworkServices


class Container:
    """One property per part; closing the stack closes those that were made, the last first."""

    def __init__(self, settings: Settings, keys: StorageKeys, stack: AsyncExitStack) -> None:
        self._settings = settings
        self._keys = keys
        self._stack = stack
        self.metrics = Metrics(secrets=secret_values(settings))

    def services(self) -> Services:
        """Return what tools may use; a new service adds a line here."""
        makers: Mapping[str, Callable[[], Any]] = {
            "store": lambda: self.store,
            "artifacts": lambda: self.artifacts,
            "metrics": lambda: self.metrics,
            "choices": lambda: self.choices,
            "reading": lambda: self.reading,
            "searching": lambda: self.searching,
            "people": lambda: self.people,
            "sessions": lambda: self.sessions,
            "links": lambda: self.links,
            "quotas": lambda: self.quotas,
            "research": lambda: self.research,
            "extraction": lambda: self.extraction,
            "answering": lambda: self.answering,
            "searxng": lambda: self.searxng,
            "crawling": lambda: self.crawling,
            "brands": lambda: self.brands,
        }
        return made_later(makers)

    @cached_property
    def store(self) -> "Store":
        from webquarry.wiring.open_storage import open_store

        return open_store(self._settings, self._keys, self._stack)

    @cached_property
    def artifacts(self) -> "Artifacts":
        from webquarry.storage.artifacts import Artifacts

        return Artifacts(self.store, ttl=self._settings.cache.artifact_ttl)

    @cached_property
    def network(self) -> "NetworkServices":
        from webquarry.wiring.open_network import open_network

        return open_network(self._settings, self._stack)

    @cached_property
    def index(self) -> "PageIndex | None":
        from webquarry.wiring.open_shared import open_index

        return open_index(self._settings, self._stack)

    @cached_property
    def browser(self) -> "Browser":
        from webquarry.wiring.open_shared import open_browser

        return open_browser(self._settings, self.network, self._stack)

    @cached_property
    def reading(self) -> "ReadingService":
        from webquarry.wiring.open_reading import PageSources, open_reading

        sources = PageSources(self.network, self.browser, self.index)
        return open_reading(self._settings, self.store, sources, self._stack)

    @cached_property
    def lent_to_crawls(self) -> "CrawlIngredients":
        from webquarry.wiring.open_crawling import CrawlIngredients

        return CrawlIngredients(self.network, self.browser, self.index, self._keys)

    @cached_property
    def crawling(self) -> "CrawlService":
        from webquarry.wiring.open_crawling import open_crawling

        return open_crawling(self._settings, self.lent_to_crawls, self._stack)

    @cached_property
    def searxng(self) -> "Pool":
        from webquarry.wiring.open_searxng import open_searxng

        return open_searxng(self._settings, self.store, self.network, self._stack)

    @cached_property
    def choices(self) -> "ProviderDirectory":
        from webquarry.wiring.build_providers import build_choices

        return build_choices(
            self._settings, self.network, self.store, self.index, lambda: self.searxng
        )

    @cached_property
    def searching(self) -> "SearchService":
        from webquarry.wiring.build_searching import build_searching

        return build_searching(self._settings, self.choices, self.network, self.index)

    @cached_property
    def research(self) -> "ResearchService":
        from webquarry.wiring.build_research import build_research

        return build_research(self._settings, self.store, self.reading, self.searching)

    @cached_property
    def answering(self) -> "AnswerService":
        from webquarry.wiring.build_answering import StructuredDependencies, build_answering

        needed = StructuredDependencies(
            lambda: self.searching, lambda: self.reading, lambda: self.extraction
        )
        return build_answering(self.choices, self.store, lambda: self.research, needed, self.model)

    @cached_property
    def brands(self) -> "BrandService":
        from webquarry.wiring.build_brand import build_brands, build_looking

        looking = build_looking(self._settings, self.network, self.browser, self.reading)
        return build_brands(self._settings, looking, self.searching, self.store, self.artifacts)

    @cached_property
    def model(self) -> "LanguageModel | None":
        from webquarry.wiring.build_extraction import build_model

        return build_model(self._settings, self.store, self.network.upstreams)

    @cached_property
    def extraction(self) -> "ExtractionService":
        from webquarry.wiring.build_extraction import build_extraction

        return build_extraction(self._settings, self.model)

    @cached_property
    def sessions(self) -> "SessionService":
        from webquarry.services.sessions.service import SessionService

        wanted = self._settings.sessions
        return SessionService(self.store, ttl=wanted.ttl, most_steps=wanted.max_steps)

    @cached_property
    def quotas(self) -> "Quotas":
        from webquarry.services.quotas import Quotas

        return Quotas()

    @cached_property
    def links(self) -> "LinkChecker":
        from webquarry.providers.capabilities_archive import FindsSnapshots
        from webquarry.services.link_check import LinkChecker

        archives = self.choices.of(FindsSnapshots).ready.values()
        return LinkChecker(self.network.fetcher, next(iter(archives), None), self.store)

    @cached_property
    def people(self) -> "PeopleService":
        from webquarry.wiring.build_people import build_people

        return build_people(self._settings, self.store)
