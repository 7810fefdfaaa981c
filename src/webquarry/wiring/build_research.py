"""Builds research as the settings want it."""

from webquarry.reading.service import ReadingService
from webquarry.services.research.cached_search import CachedSearch
from webquarry.services.research.evidence import Evidence
from webquarry.services.research.research_service import ResearchOptions, ResearchService
from webquarry.services.searching.service import SearchService
from webquarry.settings.load import Settings
from webquarry.storage.captures import Captures
from webquarry.storage.store import Store

_SPARE = 5.0  # seconds to rank and combine what was read


def build_research(
    settings: Settings, store: Store, reading: ReadingService, searching: SearchService
) -> ResearchService:
    """Return research over these pages and providers."""
    wanted, deadline = settings.research, settings.limits.tool_timeout
    return ResearchService(
        CachedSearch(searching, store, isolate=settings.isolated),
        reading,
        Evidence(Captures(store, ttl=wanted.capture_ttl), reading),
        rules=ResearchOptions(
            recommend=wanted.source_recommendations,
            components=wanted.generative_ui_enabled,
            seconds=max(deadline - _SPARE, deadline / 2),
        ),
    )
