"""What a crawl takes from a page: the page to store, and the addresses it leads to."""

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from pydantic_core import to_json

from webquarry.content.html.quick_parse import QuickParse, glance
from webquarry.content.ranking.simhash import sketch
from webquarry.crawl.link_filter import LinkFilter
from webquarry.crawl.near_duplicate_index import NearDuplicateIndex
from webquarry.crawl.scope import Scope
from webquarry.crawl.store.crawl_values import (
    TOO_DEEP,
    ClaimedUrl,
    FoundUrl,
    NewPage,
    PreviousVisit,
    key_of,
)
from webquarry.crawl.traps import Traps
from webquarry.crawl.urls import LONGEST, CrawlUrl, is_file, resolve
from webquarry.crawl.visit import VisitedPage
from webquarry.net.url import Url

MOST_HOPS = 10
_ENOUGH_TEXT = 200  # characters: with fewer, the markup tells pages apart


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessedPage:
    """A page ready to be stored, with what it found."""

    page: NewPage
    found: list[FoundUrl]
    title: str
    text: str
    address: str


class PageProcessor:
    """Takes in the pages of one crawl; knows what it has met so far."""

    def __init__(
        self, *, salt: bytes, scope: Scope, max_depth: int, name_host: Callable[[str], bytes]
    ) -> None:
        self.scope = scope
        self.traps = Traps()
        self._salt = salt
        self._max_depth = max_depth
        self._name_host = name_host
        self._hosts: dict[str, bytes] = {}
        self._near = NearDuplicateIndex()
        self._met = LinkFilter(scope)
        # addresses; apart for those that were too deep
        self._seen: tuple[set[bytes], set[bytes]] = (set(), set())

    def recall(self, sketches: list[tuple[int, bytes]]) -> None:
        """Take up the pages that were stored before."""
        for number, key in sketches:
            self._near.add(number & 0xFFFFFFFFFFFFFFFF, key)

    def digest(self, claim: ClaimedUrl, brought: VisitedPage, at: float) -> ProcessedPage:
        """Return a page and its links."""
        if not self.scope.has_host(brought.address.host):
            self.scope.anchor(brought.address.host)  # another run found it behind the front door
        html = "html" in brought.content_type or not brought.content_type
        seen = glance(brought.content, brought.content_type) if html else _plain(brought)
        raw = seen.text.encode("utf-8", "replace")
        digest = hashlib.sha256(raw).hexdigest()
        number, words = sketch(raw)
        near = self._near.find(number)
        self._near.add(number, claim.key)
        if near:
            self.traps.note_twin(claim.url)
        found = list(self._links(claim, brought, seen))
        canonical = self._canonical(claim, brought, seen)
        if canonical:
            found.append(canonical)
        memory = claim.memory
        meta = {
            "url": claim.url,
            "final_url": brought.address.href,
            "status": brought.status,
            "title": seen.title[:1000],
            "depth": claim.depth,
            "type": brought.content_type,
            "encoding": brought.encoding,
            "links": len(seen.links),
            "bytes": len(brought.content),
            "words": words,
            "at": at,
            "hash": digest,
            "changed": None if memory is None else memory.hash != digest,
            "near": near.hex() if near and near != claim.key else None,
        }
        page = NewPage(
            key=claim.key,
            depth=claim.depth,
            meta=_written(meta),
            body=brought.stored,
            fingerprint=self._fingerprint(seen, digest, brought.content),
            sketch=number - (1 << 64) if number >= 1 << 63 else number,
            canonical=canonical.key if canonical else b"",
            memory=PreviousVisit(
                etag=brought.etag, last_modified=brought.last_modified, hash=digest
            ),
        )
        return ProcessedPage(
            page=page, found=found, title=seen.title, text=seen.text, address=claim.url
        )

    def moved(self, claim: ClaimedUrl, onward: Url) -> tuple[str, list[FoundUrl]]:
        """Return what becomes of a redirect, and where it leads to."""
        target = resolve(onward.href, onward.href)
        if target is None or claim.hops >= MOST_HOPS:
            return "redirect_loop", []
        if claim.depth == 1:  # a site whose front door is elsewhere is meant as a whole
            self.scope.anchor(target.host)
        found = self.found(target, claim.depth, claim.hops + 1)
        return "redirect", [found] if found else []

    def found(self, address: CrawlUrl, depth: int, hops: int = 0) -> FoundUrl | None:
        """Return an address that is new to this crawl; None for others."""
        if not self.scope.has_host(address.host):
            return None
        deep = depth > self._max_depth
        key = key_of(self._salt, address.href)
        if key in self._seen[0] or (deep and key in self._seen[1]):
            return None
        self._seen[deep].add(key)
        return FoundUrl(
            key=key,
            url=address.href,
            host=self.host(address),
            depth=depth,
            hops=hops,
            outcome=self._objection(address.href) or (TOO_DEEP if deep else ""),
        )

    def host(self, address: CrawlUrl) -> bytes:
        """Return what a host is called."""
        name = self._hosts.get(address.place)
        if name is None:
            name = self._hosts[address.place] = self._name_host(address.place)
        return name

    def _objection(self, url: str) -> str:
        if is_file(url):
            return "content_type"
        if why := self.scope.objection(url):
            return why
        return "trap" if len(url) > LONGEST or self.traps.catches(url) else ""

    def _links(
        self, claim: ClaimedUrl, brought: VisitedPage, seen: QuickParse
    ) -> Iterator[FoundUrl]:
        if seen.nofollow:
            return
        depth = claim.depth + 1
        base = _base_of(brought, seen)
        for address in self._met.unmet(seen.links, base, deep=depth > self._max_depth):
            if found := self.found(address, depth):
                yield found

    def _canonical(
        self, claim: ClaimedUrl, brought: VisitedPage, seen: QuickParse
    ) -> FoundUrl | None:
        """Return the address that the page would rather have, if it is another one of the site."""
        if not seen.canonical:
            return None
        address = resolve(seen.canonical, brought.address.href)
        if address is None or address.href in (claim.url, brought.address.href):
            return None
        if not self.scope.has_host(address.host) or self.scope.objection(address.href):
            return None
        return FoundUrl(
            key=key_of(self._salt, address.href),
            url=address.href,
            host=self.host(address),
            depth=claim.depth,
        )

    def _fingerprint(self, seen: QuickParse, digest: str, content: bytes) -> bytes:
        whole = f"{seen.title}\n{digest}".encode("utf-8", "replace")
        if len(seen.text) < _ENOUGH_TEXT:
            whole += hashlib.sha256(content).digest()
        return hashlib.blake2b(whole, key=self._salt, digest_size=16).digest()


def _written(meta: dict[str, Any]) -> bytes:
    try:
        return to_json(meta)
    except ValueError:  # half a surrogate pair, which cannot be written as UTF-8
        return json.dumps(meta).encode()


def _base_of(brought: VisitedPage, seen: QuickParse) -> str:
    """Return what links are relative to."""
    here = brought.address.href
    stated = resolve(seen.base, here) if seen.base else None
    return stated.href if stated else here


def _plain(brought: VisitedPage) -> QuickParse:
    text = brought.content.decode("utf-8", "replace")
    return QuickParse(title=brought.address.href.rsplit("/", 1)[-1], text=" ".join(text.split()))
