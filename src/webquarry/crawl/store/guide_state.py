"""What a guided crawl has seen so far; it is stored with the counters of the crawl."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import add
from typing import Any

_GAIN_SHARE = 0.75  # of the best page's relevance that another page needs to add something
# pages without a gain after which a guided crawl ends: if the best page is as relevant as can be,
# and how many more if no page is relevant; at least this share of all pages
_MIN_IDLE = 15
_MORE_IDLE = 40
_IDLE_SHARE = 0.4


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideState:
    """What the runs of a guided crawl have seen. The terms of the query are numbered, not named."""

    pages: int = 0
    words: int = 0  # content words of these pages
    page_counts: tuple[int, ...] = ()  # pages that contain each term
    links: int = 0  # to different URLs
    link_counts: tuple[int, ...] = ()  # links whose text contains each term
    best: float = 0.0  # the relevance of the most relevant page
    gains: int = 0  # pages that added something
    idle: int = 0  # pages since the last one of them

    @classmethod
    def of_page(
        cls, terms: Sequence[int], words: int, relevance: float, *, adds: bool
    ) -> "GuideState":
        """Return the state after one page."""
        return cls(
            pages=1,
            words=words,
            page_counts=tuple(terms),
            best=relevance,
            gains=int(adds),
            idle=int(not adds),
        )

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> "GuideState":
        """Return the state that was stored with the counters of a crawl."""
        for name in ("page_counts", "link_counts"):
            stored[name] = tuple(stored[name])
        return cls(**stored)

    def would_gain(self, relevance: float) -> bool:
        """Whether a new page of this relevance adds something: it is nearly as good as the best."""
        return relevance > 0 and relevance >= _GAIN_SHARE * self.best

    @property
    def is_saturated(self) -> bool:
        """Whether so many pages added nothing that further ones will not."""
        enough = _MIN_IDLE + _MORE_IDLE * (1 - self.best)
        return self.idle >= max(enough, _IDLE_SHARE * self.pages)

    def merged_with(self, later: "GuideState") -> "GuideState":
        """Return this state after what another one has seen."""
        return GuideState(
            pages=self.pages + later.pages,
            words=self.words + later.words,
            page_counts=_added(self.page_counts, later.page_counts),
            links=self.links + later.links,
            link_counts=_added(self.link_counts, later.link_counts),
            best=max(self.best, later.best),
            gains=self.gains + later.gains,
            idle=later.idle if later.gains else self.idle + later.idle,
        )


def _added(some: tuple[int, ...], more: tuple[int, ...]) -> tuple[int, ...]:
    if not some or not more:
        return some or more
    return tuple(map(add, some, more))
