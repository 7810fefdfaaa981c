"""The counts of a crawl while a turn changes them."""

import json
from collections import Counter
from dataclasses import dataclass, field


@dataclass
class CrawlCounters:
    """What was found and what became of it."""

    crawled: int
    found: int = 0
    depth: int = 0
    outcomes: Counter[str] = field(default_factory=Counter[str])

    @classmethod
    def of(cls, crawled: int, text: str) -> "CrawlCounters":
        """Read what is stored."""
        kept = json.loads(text)
        return cls(
            crawled, kept.get("found", 0), kept.get("depth", 0), Counter(kept.get("outcomes", {}))
        )

    def text(self) -> str:
        """Return what is to be stored."""
        outcomes = {name: count for name, count in self.outcomes.items() if count}
        return json.dumps({"found": self.found, "depth": self.depth, "outcomes": outcomes})
