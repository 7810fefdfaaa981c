"""What tool handlers may use. Built once, in `wiring/parts.py`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

# A service is loaded when a tool first asks for it, so nothing here may import one.
if TYPE_CHECKING:
    from webquarry.observe.metrics import Metrics
    from webquarry.searxng.pool import Pool
    from webquarry.services.answering.service import Answering
    from webquarry.services.brand.service import Brands
    from webquarry.services.choice import Choices
    from webquarry.services.crawling import Crawling
    from webquarry.services.extraction.service import DataExtraction
    from webquarry.services.links import Links
    from webquarry.services.people.service import People
    from webquarry.services.quotas import Quotas
    from webquarry.services.reading.service import PageReading
    from webquarry.services.research.gathering import Research
    from webquarry.services.searching import Searching
    from webquarry.services.sessions.service import Sessions
    from webquarry.storage.artifacts import Artifacts
    from webquarry.storage.base import Store


@dataclass(frozen=True)
class Services:
    """The collaborators of every tool; a new capability adds a field here."""

    store: "Store"
    artifacts: "Artifacts"
    metrics: "Metrics"
    choices: "Choices"  # the providers, by capability
    reading: "PageReading"
    searching: "Searching"
    people: "People"  # what is kept for people
    sessions: "Sessions"
    links: "Links"
    quotas: "Quotas"
    research: "Research"
    extraction: "DataExtraction"
    answering: "Answering"
    searxng: "Pool | None" = None  # the SearXNG instances
    crawling: "Crawling | None" = None
    brands: "Brands | None" = None


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
