"""Processes a fetched page of a crawl: the page to store, and the URLs it links to."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from webquarry.content.html.quick_parse import QuickParse
from webquarry.crawl.link_filter import LinkFilter
from webquarry.crawl.near_duplicate_index import NearDuplicateIndex
from webquarry.crawl.page_metadata import encode_meta, page_files, page_meta
from webquarry.crawl.page_parsing import ParsedContent, parse_page, parse_task
from webquarry.crawl.scope import Scope
from webquarry.crawl.store.crawl_values import (
    TOO_DEEP,
    ClaimedUrl,
    CommitResult,
    CrawlBatch,
    FoundUrl,
    NewPage,
    PreviousVisit,
    VisitResult,
    url_key,
)
from webquarry.crawl.traps import TrapLimits, Traps, words_of
from webquarry.crawl.urls import (
    MAX_URL_LENGTH,
    CrawlUrl,
    is_document_url,
    is_file,
    network_url,
    resolve,
)
from webquarry.crawl.visit_results import VisitedPage
from webquarry.net.url import Url
from webquarry.parsing.parsers import Parsers

MAX_REDIRECTS = 10
_MIN_TEXT_CHARS = 200  # with less text, the markup is part of the fingerprint


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessedPage:
    """A page ready to be stored, with the URLs found on it."""

    page: NewPage
    found_urls: list[FoundUrl]
    title: str
    text: str
    url: str
    is_near_duplicate: bool = False


class PageProcessor:
    """Processes the pages of one crawl; remembers the URLs and pages seen so far."""

    def __init__(
        self,
        *,
        salt: bytes,
        scope: Scope,
        max_depth: int,
        blind_host: Callable[[str], bytes],
        start: str = "",
        trap_limits: TrapLimits | None = None,
    ) -> None:
        """Process pages; only redirects of the page `start` may move the scope."""
        self.scope = scope
        self._start = start
        self.moved_to = ""  # the URL on another host that the start page redirects to
        self.traps = Traps(trap_limits)
        self._salt = salt
        self._max_depth = max_depth
        self._blind_host = blind_host
        self._hosts: dict[str, bytes] = {}
        self._near_duplicates = NearDuplicateIndex()
        self._link_filter = LinkFilter(scope)
        # keys of URLs, separately for those that were too deep
        self._seen: tuple[set[bytes], set[bytes]] = (set(), set())

    async def parse(self, parsers: Parsers, visited: VisitedPage) -> ParsedContent:
        """Return the content of a page."""
        return await parsers.run(
            parse_task(visited, parse_page),
            visited.content,
            content_type=visited.content_type,
            url=visited.url.href,
            document_title=visited.title,
        )

    def add_state(self, batch: CrawlBatch) -> None:
        """Add to a batch what the next runs need."""
        batch.traps = self.traps.state()

    def accept(self, committed: CommitResult) -> None:
        """Use what a commit returned: nothing, unless the crawl is guided."""

    def load_simhashes(self, simhashes: list[tuple[int, bytes]]) -> None:
        """Load the pages that earlier runs stored."""
        for simhash, key in simhashes:
            self._near_duplicates.add(simhash & 0xFFFFFFFFFFFFFFFF, key)

    def process(
        self, claim: ClaimedUrl, visited: VisitedPage, page: ParsedContent, at: float
    ) -> ProcessedPage:
        """Return a page and its links."""
        parsed, text_hash, simhash = page.parsed, page.text_hash, page.simhash
        near = self._near_duplicates.find(simhash)
        self._near_duplicates.add(simhash, claim.key)
        found_urls = list(self._links(claim, visited, parsed))
        self.traps.note_page(
            claim.url,
            lambda: words_of(parsed.title, parsed.text),
            lambda: [found.url for found in found_urls if not found.outcome],
            is_new=bool(simhash) and near is None,
        )
        canonical = self._canonical(claim, visited, parsed)
        if canonical:
            found_urls.append(canonical)
        previous = claim.previous_visit
        meta = page_meta(claim, visited, parsed) | {
            "words": page.words,
            "at": at,
            "hash": text_hash,
            "changed": None if previous is None else previous.hash != text_hash,
            "near": near.hex() if near and near != claim.key else None,
        }
        new_page = NewPage(
            key=claim.key,
            depth=claim.depth,
            meta=encode_meta(meta),
            body=visited.stored_body,
            files=page_files(visited),
            fingerprint=self._fingerprint(parsed, text_hash, visited.content),
            simhash=simhash - (1 << 64) if simhash >= 1 << 63 else simhash,
            canonical=canonical.key if canonical else b"",
            visit=PreviousVisit(
                etag=visited.etag, last_modified=visited.last_modified, hash=text_hash
            ),
        )
        return ProcessedPage(
            page=new_page,
            found_urls=found_urls,
            title=parsed.title,
            text=parsed.text,
            url=claim.url,
            is_near_duplicate=near is not None,
        )

    def is_start(self, claim: ClaimedUrl) -> bool:
        """Whether a URL is the start page, or the start page redirects to it."""
        return claim.url == self._start or (claim.depth == 1 and claim.hops > 0)

    def final_url_reason(self, claim: ClaimedUrl, final_url: Url) -> str:
        """Return why the page that a URL led to is not read; '' if it is."""
        if final_url.href == claim.url and self.scope.includes_host(final_url.host):
            return ""
        self._include_claimed(claim)
        if final_url.href == claim.url:
            return ""
        if not self.scope.includes_host(final_url.host):
            return "out_of_scope"
        return "" if self.is_start(claim) else self.scope.exclusion_reason(final_url.href)

    def process_redirect(
        self, claim: ClaimedUrl, target: Url, *, permanent: bool = False
    ) -> tuple[str, list[FoundUrl]]:
        """Return the outcome of a redirect, and its target if that is new."""
        url = resolve(target.href, target.href)
        if url is None or claim.hops >= MAX_REDIRECTS:
            return "redirect_loop", []
        self._include_claimed(claim)
        if not self.scope.includes_host(url.host):
            if not (self.is_start(claim) and self.scope.move_to(url.host, permanent=permanent)):
                return "out_of_scope", []
            self.moved_to = url.href
        found = self.new_url(url, claim.depth, claim.hops + 1)
        return "redirect", [found] if found else []

    def redirect_result(
        self, claim: ClaimedUrl, target: Url, *, permanent: bool
    ) -> tuple[VisitResult, list[FoundUrl]]:
        """Return the outcome of a redirecting URL, and the URLs to add."""
        outcome, found = self.process_redirect(claim, target, permanent=permanent)
        return VisitResult(key=claim.key, outcome=outcome), found

    def _include_claimed(self, claim: ClaimedUrl) -> None:
        """Include a host that another run included, because the start page redirects there."""
        host = network_url(claim.url).host
        if not self.scope.includes_host(host):
            self.scope.add_start_host(host)

    def new_url(self, url: CrawlUrl, depth: int, hops: int = 0) -> FoundUrl | None:
        """Return a URL in scope that is new to this crawl; None for others."""
        if not self.scope.includes_host(url.host):
            return None
        if self.scope.strips_parameters:
            url = self.scope.without_parameters(url)
        deep = depth > self._max_depth
        key = url_key(self._salt, url.href)
        if key in self._seen[0] or (deep and key in self._seen[1]):
            return None
        self._seen[deep].add(key)
        return FoundUrl(
            key=key,
            url=url.href,
            host=self.blinded_host(url),
            depth=depth,
            hops=hops,
            outcome=self._skip_reason(url.href) or (TOO_DEEP if deep else ""),
        )

    def blinded_host(self, url: CrawlUrl) -> bytes:
        """Return the blinded name of a host."""
        name = self._hosts.get(url.authority)
        if name is None:
            name = self._hosts[url.authority] = self._blind_host(url.authority)
        return name

    def _skip_reason(self, url: str) -> str:
        if is_file(url) and not (self.scope.reads_documents and is_document_url(url)):
            return "content_type"
        if reason := self.scope.exclusion_reason(url):
            return reason
        return "trap" if len(url) > MAX_URL_LENGTH or self.traps.is_trap(url) else ""

    def _links(
        self, claim: ClaimedUrl, visited: VisitedPage, parsed: QuickParse
    ) -> Iterator[FoundUrl]:
        if parsed.nofollow or not self.scope.follows_links:
            return
        depth = claim.depth + 1
        base = base_url(visited, parsed)
        for url in self._link_filter.new_urls(parsed.links, base, deep=depth > self._max_depth):
            if found := self.new_url(url, depth):
                yield found

    def _canonical(
        self, claim: ClaimedUrl, visited: VisitedPage, parsed: QuickParse
    ) -> FoundUrl | None:
        """Return the canonical URL that the page declares, if it is another URL in scope."""
        if not parsed.canonical:
            return None
        url = resolve(parsed.canonical, visited.url.href)
        if url is not None and self.scope.strips_parameters:
            url = self.scope.without_parameters(url)
        if url is None or url.href in (claim.url, visited.url.href):
            return None
        if not self.scope.includes_host(url.host) or self.scope.exclusion_reason(url.href):
            return None
        return FoundUrl(
            key=url_key(self._salt, url.href),
            url=url.href,
            host=self.blinded_host(url),
            depth=claim.depth,
        )

    def _fingerprint(self, parsed: QuickParse, text_hash: str, content: bytes) -> bytes:
        hashed = f"{parsed.title}\n{text_hash}".encode("utf-8", "replace")
        if len(parsed.text) < _MIN_TEXT_CHARS:
            hashed += hashlib.sha256(content).digest()
        return hashlib.blake2b(hashed, key=self._salt, digest_size=16).digest()


def base_url(visited: VisitedPage, parsed: QuickParse) -> str:
    """Return the URL that links are relative to."""
    declared = resolve(parsed.base, visited.url.href) if parsed.base else None
    return declared.href if declared else visited.url.href
