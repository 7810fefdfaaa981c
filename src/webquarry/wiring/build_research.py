"""Builds the research service from the research settings."""

from typing import TYPE_CHECKING

from webquarry.services.research.cached_search import CachedSearch
from webquarry.services.research.evidence import Evidence
from webquarry.services.research.research_service import ResearchOptions, ResearchService
from webquarry.settings.load import Settings
from webquarry.storage.captures import Captures

if TYPE_CHECKING:
    from webquarry.wiring.container import Services

_RANKING_SECONDS = 5.0  # reserved for ranking and combining after the pages are read


def build_research(settings: Settings, services: "Services") -> ResearchService:
    """Return the research service; it stops reading before the deadline of a tool call."""
    options, deadline = settings.research, settings.limits.tool_timeout
    captures = Captures(services.store, ttl=options.capture_ttl)
    return ResearchService(
        CachedSearch(services.searching, services.store, isolate=settings.isolated),
        services.reading,
        Evidence(captures, services.reading, parsers=services.parsers),
        parsers=services.parsers,
        options=ResearchOptions(
            recommend=options.source_recommendations,
            components=options.generative_ui_enabled,
            seconds=max(deadline - _RANKING_SECONDS, deadline / 2),
        ),
    )
