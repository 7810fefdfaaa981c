"""Processes the pages of a batch: each listed URL has its own result, and no link is followed."""

from webquarry.crawl.page_metadata import encode_meta, page_files, page_meta
from webquarry.crawl.page_parsing import ParsedContent
from webquarry.crawl.page_processing import MAX_REDIRECTS, PageProcessor, ProcessedPage
from webquarry.crawl.store.crawl_values import (
    ClaimedUrl,
    FoundUrl,
    NewPage,
    PreviousVisit,
    Redirect,
    VisitResult,
)
from webquarry.crawl.urls import split_url
from webquarry.crawl.visit_results import VisitedPage
from webquarry.net.url import Url


class BatchProcessor(PageProcessor):
    """Processes the pages of one batch."""

    def process(
        self, claim: ClaimedUrl, visited: VisitedPage, page: ParsedContent, at: float
    ) -> ProcessedPage:
        """Return a page without its links; pages with the same content are not merged."""
        previous, url = claim.previous_visit, claim.listed_url
        meta = page_meta(claim, visited, page.parsed) | {
            "url": url,
            "words": page.words,
            "at": at,
            "hash": page.text_hash,
            "changed": None if previous is None else previous.hash != page.text_hash,
            "near": None,
        }
        new_page = NewPage(
            key=claim.key,
            depth=claim.depth,
            meta=encode_meta(meta),
            body=visited.stored_body,
            files=page_files(visited),
            fingerprint=claim.key,
            simhash=0,
            visit=PreviousVisit(
                etag=visited.etag, last_modified=visited.last_modified, hash=page.text_hash
            ),
        )
        return ProcessedPage(
            page=new_page,
            found_urls=[],
            title=page.parsed.title,
            text=page.parsed.text,
            url=url,
        )

    def is_start(self, claim: ClaimedUrl) -> bool:
        """No: a batch has no scope that redirects of a start page could move."""
        return False

    def final_url_reason(self, claim: ClaimedUrl, final_url: Url) -> str:
        """Return '': a listed URL is read wherever it leads."""
        return ""

    def redirect_result(
        self, claim: ClaimedUrl, target: Url, *, permanent: bool
    ) -> tuple[VisitResult, list[FoundUrl]]:
        """Return that the listed URL is read at the target of its redirect."""
        url = split_url(target.href)
        if url is None or claim.hops >= MAX_REDIRECTS:
            return VisitResult(key=claim.key, outcome="redirect_loop"), []
        host = self.blinded_host(url)
        redirect = Redirect(url=url.href, host=host, hops=claim.hops + 1)
        return VisitResult(key=claim.key, redirect=redirect), []
