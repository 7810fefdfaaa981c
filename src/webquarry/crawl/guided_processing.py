"""Processes the pages of a crawl with a query: promising URLs are read first."""

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import Any

from webquarry.content.html.link_contexts import link_contexts
from webquarry.content.ranking.query_match import LinkMatch, PageMatch, query_words
from webquarry.crawl.guide import Guide
from webquarry.crawl.page_parsing import ParsedContent, parse_page, parse_task
from webquarry.crawl.page_processing import PageProcessor, ProcessedPage, base_url
from webquarry.crawl.store.crawl_values import (
    ClaimedUrl,
    CommitResult,
    CrawlBatch,
    FoundUrl,
    url_key,
)
from webquarry.crawl.store.guide_state import GuideState
from webquarry.crawl.urls import CrawlUrl, resolve
from webquarry.crawl.visit_results import VisitedPage
from webquarry.net.url import Url
from webquarry.parsing.parsers import Parsers

_AT_ONCE = -2.0  # the rank of a redirect's target: its turn has come already


@dataclass(frozen=True, slots=True, kw_only=True)
class GuidedContent(ParsedContent):
    """What a guided crawl needs of a page."""

    match: PageMatch


def parse_guided_page(
    content: bytes, *, content_type: str, url: str, document_title: str, query: str
) -> GuidedContent:
    """Return a page with the terms of the query that it and its links contain."""
    page = parse_page(content, content_type=content_type, url=url, document_title=document_title)
    is_html = "html" in content_type or not content_type
    links = link_contexts(content, content_type) if is_html else []
    return GuidedContent(
        parsed=page.parsed,
        text_hash=page.text_hash,
        simhash=page.simhash,
        words=page.words,
        match=query_words(query).match(page.parsed.title, page.parsed.text, links),
    )


class GuidedProcessor(PageProcessor):
    """Processes the pages of one guided crawl."""

    def __init__(self, *, query: str, state: GuideState, **options: Any) -> None:
        super().__init__(**options)
        self._query = query
        self._guide = Guide(query_words(query), state)
        self._best_ranks: dict[bytes, float] = {}  # of the URLs found by this run
        self._better_ranks: dict[bytes, float] = {}  # not stored yet

    async def parse(self, parsers: Parsers, visited: VisitedPage) -> GuidedContent:
        """Return the content of a page, and what it says about the query."""
        return await parsers.run(
            parse_task(visited, parse_guided_page),
            visited.content,
            content_type=visited.content_type,
            url=visited.url.href,
            document_title=visited.title,
            query=self._query,
        )

    def process(
        self, claim: ClaimedUrl, visited: VisitedPage, page: ParsedContent, at: float
    ) -> ProcessedPage:
        """Return a page and its links, ranked by how promising they are."""
        processed = super().process(claim, visited, page, at)
        if not isinstance(page, GuidedContent):
            return processed
        relevance = self._guide.note_page(page.match, is_new=not processed.is_near_duplicate)
        links = self._links_by_url(base_url(visited, page.parsed), page.match)
        ranks = {url: -self._guide.link_score(links[url], url, relevance) for url in links}
        found = [
            replace(each, rank=ranks.get(each.url, each.rank)) for each in processed.found_urls
        ]
        for each in found:
            self._best_ranks[each.key] = each.rank
        self._guide.note_links(_texts(links.get(each.url, [])) for each in found)
        self._raise_known(ranks)
        return replace(processed, found_urls=found)

    def process_redirect(
        self, claim: ClaimedUrl, target: Url, *, permanent: bool = False
    ) -> tuple[str, list[FoundUrl]]:
        """Return the outcome of a redirect, and its target to be read next."""
        outcome, found = super().process_redirect(claim, target, permanent=permanent)
        return outcome, [replace(each, rank=_AT_ONCE) for each in found]

    def new_url(self, url: CrawlUrl, depth: int, hops: int = 0) -> FoundUrl | None:
        """Return a URL that is new to this crawl, ranked by its words."""
        found = super().new_url(url, depth, hops)
        return replace(found, rank=-self._guide.url_score(url.href)) if found else None

    def add_state(self, batch: CrawlBatch) -> None:
        """Add to a batch what the next runs need, and whether the crawl may end."""
        super().add_state(batch)
        batch.guide = self._guide.take_seen()
        batch.ranks, self._better_ranks = self._better_ranks, {}
        batch.saturated = self._guide.is_saturated

    def accept(self, committed: CommitResult) -> None:
        """Use what all runs have seen."""
        if committed.guide:
            self._guide.accept(committed.guide)

    def _links_by_url(self, base: str, match: PageMatch) -> dict[str, list[LinkMatch]]:
        by_url: defaultdict[str, list[LinkMatch]] = defaultdict(list)
        for link in match.links:
            url = resolve(link.href, base)
            if url is not None and self.scope.includes_host(url.host):
                by_url[self.scope.without_parameters(url).href].append(link)
        return by_url

    def _raise_known(self, ranks: dict[str, float]) -> None:
        """Raise URLs that were found before, if this page recommends them more."""
        for url, rank in ranks.items():
            key = url_key(self._salt, url)
            if rank < self._best_ranks.get(key, 0.0):
                self._best_ranks[key] = self._better_ranks[key] = rank


def _texts(links: list[LinkMatch]) -> int:
    terms = 0
    for link in links:
        terms |= link.text
    return terms
