"""What tool handlers may use. Built once, in `wiring/parts.py`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

# A service is loaded when a tool first asks for it, so nothing here may import one.
if TYPE_CHECKING:
    from webquarry.crawl.service import CrawlService
    from webquarry.observe.metrics import Metrics
    from webquarry.reading.service import ReadingService
    from webquarry.searxng.pool import Pool
    from webquarry.services.answering.service import AnswerService
    from webquarry.services.brand.service import BrandService
    from webquarry.services.extraction.service import ExtractionService
    from webquarry.services.link_check import LinkChecker
    from webquarry.services.people.service import PeopleService
    from webquarry.services.provider_choice import ProviderDirectory
    from webquarry.services.quotas import Quotas
    from webquarry.services.research.research_service import ResearchService
    from webquarry.services.searching.service import SearchService
    from webquarry.services.sessions.service import SessionService
    from webquarry.storage.artifacts import Artifacts
    from webquarry.storage.store import Store


@dataclass(frozen=True)
class Services:
    """The collaborators of every tool; a new capability adds a field here."""

    store: "Store"
    artifacts: "Artifacts"
    metrics: "Metrics"
    choices: "ProviderDirectory"  # the providers, by capability
    reading: "ReadingService"
    searching: "SearchService"
    people: "PeopleService"  # what is kept for people
    sessions: "SessionService"
    links: "LinkChecker"
    quotas: "Quotas"
    research: "ResearchService"
    extraction: "ExtractionService"
    answering: "AnswerService"
    searxng: "Pool | None" = None  # the SearXNG instances
    crawling: "CrawlService | None" = None
    brands: "BrandService | None" = None


def made_later(makers: Mapping[str, Callable[[], Any]]) -> Services:
    """Return services that are each made, by the maker of that name, when first asked for."""
    names = {field.name for field in fields(Services)}
    if odd := names ^ makers.keys():
        raise TypeError(f"no maker, or no service, for {sorted(odd)}")
    parts = {name: cached_property(_calling(make)) for name, make in makers.items()}
    late: type[Services] = type("LateServices", (Services,), parts)
    return late.__new__(late)


def _calling(make: Callable[[], Any]) -> Callable[[Services], Any]:
    return lambda _: make()
