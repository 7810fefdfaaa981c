"""Statistics about the engines behind the instances."""

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

from webquarry.searxng.query_values import InstancePage
from webquarry.searxng.shared_reasons import without_query

_MAX_ENGINES = 200


@dataclass
class _EngineCounts:
    results: int = 0
    searches: int = 0
    failures: int = 0
    last_error: str = ""


class EngineStatistics:
    """Counts the results and failures of each engine."""

    def __init__(self) -> None:
        self._engines: dict[str, _EngineCounts] = {}

    def record(self, page: InstancePage, query: str) -> None:
        """Count one page of results."""
        results = Counter(engine for hit in page.hits for engine in hit.engines)
        for engine in (*results, *(name for name, _ in page.unresponsive)):
            # instances make up these names: they must not fill the memory
            if engine not in self._engines and len(self._engines) < _MAX_ENGINES:
                self._engines[engine] = _EngineCounts()
        for engine, count in results.items():
            if counts := self._engines.get(engine):
                counts.results += count
                counts.searches += 1
        for engine, reason in page.unresponsive:
            if counts := self._engines.get(engine):
                counts.failures += 1
                counts.last_error = without_query(reason, query)

    def report(self) -> list[dict[str, Any]]:
        """Return the counts of every engine, the most productive first."""
        ranked = sorted(self._engines.items(), key=lambda item: (-item[1].results, item[0]))
        return [{"engine": name, **asdict(counts)} for name, counts in ranked]
