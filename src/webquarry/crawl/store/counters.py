"""The counters of a crawl, which a commit updates."""

import json
from collections import Counter
from dataclasses import dataclass, field


@dataclass
class CrawlCounters:
    """How many URLs were found, and their outcomes."""

    crawled: int
    found: int = 0
    depth: int = 0
    outcomes: Counter[str] = field(default_factory=Counter[str])

    @classmethod
    def from_json(cls, crawled: int, text: str) -> "CrawlCounters":
        """Return the stored counters."""
        stored = json.loads(text)
        return cls(
            crawled,
            stored.get("found", 0),
            stored.get("depth", 0),
            Counter(stored.get("outcomes", {})),
        )

    def to_json(self) -> str:
        """Return the JSON to store."""
        outcomes = {name: count for name, count in self.outcomes.items() if count}
        return json.dumps({"found": self.found, "depth": self.depth, "outcomes": outcomes})
