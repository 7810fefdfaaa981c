"""How the search engines behind the instances are doing."""

from dataclasses import dataclass
from typing import Any

from webquarry.searxng.query_values import InstancePage

_MOST = 200


@dataclass
class _Tally:
    results: int = 0
    searches: int = 0
    failures: int = 0
    last_error: str = ""


class Engines:
    """Counts what each engine contributed and how often it failed."""

    def __init__(self) -> None:
        self._tallies: dict[str, _Tally] = {}

    def note(self, page: InstancePage) -> None:
        """Learn from one page of results."""
        counts: dict[str, int] = {}
        for hit in page.hits:
            for engine in hit.engines:
                counts[engine] = counts.get(engine, 0) + 1
        for engine, results in counts.items():
            if tally := self._of(engine):
                tally.results += results
                tally.searches += 1
        for engine, reason in page.unresponsive:
            if tally := self._of(engine):
                tally.failures += 1
                tally.last_error = reason

    def state(self) -> list[dict[str, Any]]:
        """Return every engine, the most productive first."""
        ranked = sorted(self._tallies.items(), key=lambda item: (-item[1].results, item[0]))
        return [
            {
                "engine": name,
                "results": tally.results,
                "searches": tally.searches,
                "failures": tally.failures,
                "last_error": tally.last_error,
            }
            for name, tally in ranked
        ]

    def _of(self, engine: str) -> _Tally | None:
        if engine not in self._tallies and len(self._tallies) >= _MOST:
            return None  # names come from strangers and must not fill the memory
        if engine not in self._tallies:
            self._tallies[engine] = _Tally()
        return self._tallies[engine]
