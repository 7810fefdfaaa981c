"""The counters of a crawl, which a commit updates."""

import json
from collections import Counter
from dataclasses import asdict, dataclass, field

from webquarry.crawl.store.crawl_values import ShapeStates
from webquarry.crawl.store.guide_state import GuideState
from webquarry.models.crawl import StopReason


@dataclass
class CrawlCounters:
    """How many URLs were found, and their outcomes."""

    crawled: int
    found: int = 0
    depth: int = 0
    outcomes: Counter[str] = field(default_factory=Counter[str])
    done: int = 0  # URLs that were claimed and have an outcome
    progress: float = 0.0  # 0 to 1, never decreases
    moved_to: str = ""  # sealed and in hexadecimal
    stop_reason: StopReason | None = None
    traps: ShapeStates = field(default_factory=ShapeStates)
    guide: GuideState | None = None  # of a guided crawl

    @property
    def pending(self) -> int:
        """How many URLs were found and have no outcome."""
        return max(0, self.found - self.done)

    def update_progress(self, max_pages: int) -> None:
        """Compare what is done with what is known to be left."""
        left = min(self.pending, max_pages - self.crawled)
        if self.done:
            self.progress = max(self.progress, self.done / (self.done + left))

    @classmethod
    def from_json(cls, crawled: int, text: str) -> "CrawlCounters":
        """Return the stored counters."""
        stored = json.loads(text)
        return cls(
            crawled,
            stored.get("found", 0),
            stored.get("depth", 0),
            Counter(stored.get("outcomes", {})),
            done=stored.get("done", crawled),
            progress=stored.get("progress", 0.0),
            moved_to=stored.get("moved_to", ""),
            stop_reason=stored.get("stop_reason"),
            traps={name: tuple(state) for name, state in stored.get("traps", {}).items()},
            guide=GuideState.from_json(stored["guide"]) if stored.get("guide") else None,
        )

    def to_json(self) -> str:
        """Return the JSON to store."""
        return json.dumps(
            {
                "found": self.found,
                "depth": self.depth,
                "outcomes": {name: count for name, count in self.outcomes.items() if count},
                "done": self.done,
                "progress": round(self.progress, 4),
                "moved_to": self.moved_to,
                "stop_reason": self.stop_reason,
                "traps": self.traps,
                "guide": asdict(self.guide) if self.guide else None,
            }
        )
