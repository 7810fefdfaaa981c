"""Guides a crawl with a query: how relevant pages and links are, and when to stop."""

import math
from collections.abc import Iterable

from webquarry.content.ranking.query_match import LinkMatch, PageMatch, QueryWords, Terms
from webquarry.crawl.store.guide_state import GuideState

_IDF_PRIOR = 4.0  # pages without the term, before any page was read
_SATURATION = 1.5  # occurrences of a term, as in BM25
_LENGTH_SHARE = 0.5  # how much the length of a page counts, as in BM25


class Guide:
    """Scores the pages and links of one crawl, 0 to 1.

    The weights of the query's terms are learned from the pages and links that all runs of the
    crawl have seen.
    """

    def __init__(self, words: QueryWords, state: GuideState) -> None:
        self.words = words
        self._state = state  # of all runs
        self._seen = GuideState()  # by this run, since its last commit
        self._page_weights = _Weights(len(words.terms))
        self._link_weights = _Weights(len(words.terms))
        self.accept(state)

    @property
    def is_saturated(self) -> bool:
        """Whether the last pages added nothing to what was found before."""
        return self._state.merged_with(self._seen).is_saturated

    def accept(self, state: GuideState) -> None:
        """Use what all runs have seen."""
        self._state = state
        self._page_weights.learn(state.pages, state.page_counts)
        self._link_weights.learn(state.links, state.link_counts)

    def take_seen(self) -> GuideState:
        """Return what this run has seen since the last time, to be stored."""
        seen, self._seen = self._seen, GuideState()
        self.accept(self._state.merged_with(seen))
        return seen

    def note_page(self, page: PageMatch, *, is_new: bool) -> float:
        """Count a page and return its relevance; one that is not new adds nothing."""
        relevance = self.page_relevance(page)
        known = self._state.merged_with(self._seen)
        self._seen = self._seen.merged_with(
            GuideState.of_page(
                [min(count, 1) for count in page.counts],
                page.words,
                relevance if is_new else 0.0,
                adds=is_new and known.would_gain(relevance),
            )
        )
        return relevance

    def note_links(self, links: Iterable[Terms]) -> None:
        """Count the texts of links to URLs that were not known before."""
        counts = [0] * len(self.words.terms)
        number = 0
        for terms in links:
            number += 1
            for index in range(len(counts)):
                counts[index] += terms >> index & 1
        self._seen = self._seen.merged_with(GuideState(links=number, link_counts=tuple(counts)))

    def page_relevance(self, page: PageMatch) -> float:
        """Return how much a page is about the query."""
        share = self._page_weights.share
        passage = max(map(share, page.passages), default=0.0)
        return 0.3 * share(page.title) + 0.5 * passage + 0.2 * self._frequency(page)

    def link_score(self, links: list[LinkMatch], url: str, page_relevance: float) -> float:
        """Return how promising a URL is, by the links to it on a page of this relevance."""
        share = self._link_weights.share
        text = around = everything = 0
        best_text = best_around = 0.0
        for link in links:
            text |= link.text
            around |= link.around
            best_text = max(best_text, share(link.text))
            best_around = max(best_around, share(link.around))
        in_url = self.words.terms_in_url(url)
        everything = share(text | around | in_url)
        return (
            0.35 * best_text
            + 0.10 * share(text)
            + 0.15 * best_around
            + 0.15 * share(in_url)
            + 0.10 * everything
            + 0.15 * page_relevance
        )

    def url_score(self, url: str) -> float:
        """Return how promising a URL is without a link to it."""
        return 0.15 * self._link_weights.share(self.words.terms_in_url(url))

    def _frequency(self, page: PageMatch) -> float:
        """Return how often a page has the terms, as in BM25."""
        mean = self._state.words / self._state.pages if self._state.pages else page.words
        length = 1 - _LENGTH_SHARE + _LENGTH_SHARE * page.words / max(mean, 1.0)
        counted = (count / (count + _SATURATION * length) if count else 0 for count in page.counts)
        return self._page_weights.weighted_sum(counted)


class _Weights:
    """The weights of the terms of a query: rare terms weigh more (idf)."""

    def __init__(self, terms: int) -> None:
        self._weights = [1.0 / terms] * terms if terms else []
        self._shares: dict[Terms, float] = {}

    def learn(self, documents: int, counts: tuple[int, ...]) -> None:
        if not counts:
            return
        weights = [math.log(1 + (documents + _IDF_PRIOR) / (count + 1)) for count in counts]
        total = sum(weights)
        self._weights = [weight / total for weight in weights]
        self._shares = {}

    def share(self, terms: Terms) -> float:
        """Return the weighted share of the query that these terms are."""
        if terms not in self._shares:
            self._shares[terms] = sum(
                weight for number, weight in enumerate(self._weights) if terms >> number & 1
            )
        return self._shares[terms]

    def weighted_sum(self, values: Iterable[float]) -> float:
        return sum(w * value for w, value in zip(self._weights, values, strict=True))
