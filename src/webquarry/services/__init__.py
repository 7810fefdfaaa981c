"""What tool handlers may use. Built once, in `app.py`."""

from dataclasses import dataclass

from webquarry.observe.metrics import Metrics
from webquarry.searxng.pool import Pool
from webquarry.services.choice import Choices
from webquarry.services.reading.service import PageReading
from webquarry.services.searching import Searching
from webquarry.storage.artifacts import Artifacts
from webquarry.storage.base import Store


@dataclass(frozen=True)
class Services:
    """The collaborators of every tool; a new capability adds a field here."""

    store: Store
    artifacts: Artifacts
    metrics: Metrics
    choices: Choices  # the providers, by capability
    reading: PageReading
    searching: Searching
    searxng: Pool | None = None  # the SearXNG instances
