"""Builds research as the settings want it."""

from webquarry.services.reading.service import PageReading
from webquarry.services.research.evidence import Evidence
from webquarry.services.research.finding import Finding
from webquarry.services.research.gathering import Research, Rules
from webquarry.services.searching import Searching
from webquarry.settings.load import Settings
from webquarry.storage.base import Store
from webquarry.storage.captures import Captures

_SPARE = 5.0  # seconds to rank and combine what was read


def build_research(
    settings: Settings, store: Store, reading: PageReading, searching: Searching
) -> Research:
    """Return research over these pages and providers."""
    wanted, deadline = settings.research, settings.limits.tool_timeout
    return Research(
        Finding(searching, store, isolate=settings.isolated),
        reading,
        Evidence(Captures(store, ttl=wanted.capture_ttl), reading),
        rules=Rules(
            recommend=wanted.source_recommendations,
            components=wanted.generative_ui_enabled,
            seconds=max(deadline - _SPARE, deadline / 2),
        ),
    )
