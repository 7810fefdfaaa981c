"""The values that crawls and their databases exchange.

A crawl is worked on by any number of runs, in one process or on many machines. A run claims
addresses, reads them, and hands in one `CrawlBatch` at a time: pages, addresses that are done and
addresses that were found are stored together or not at all. A run that does not hand in anything
for `LEASE` seconds is taken for dead: its claims go to others, and what it hands in later is
refused with `FencedError`.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from webquarry.errors import WebquarryError
from webquarry.models.crawl import State

LEASE = 5.0  # seconds a run may be silent
HORIZON = 0.05  # seconds ahead of time that an address is claimed

PAGE = "page"  # the outcome of an address that gave a page
# an address found at a permitted depth after all is read
TOO_DEEP = "too_deep"

# in words, where nothing else says what an outcome means
MEANINGS = {
    "refused": "refused (addresses like this are not read from here)",
    "robots": "robots (robots.txt asks robots to stay away, or could not be read)",
    "dns_no_such_name": "dns_no_such_name (there is no host of that name)",
    "dns_failed": "dns_failed (the name of the host could not be resolved)",
    "connection_refused": "connection_refused (nothing answers at that address)",
    "unreachable": "unreachable (the host does not answer)",
    "content_type": "content_type (neither HTML nor text)",
}


class FencedError(WebquarryError):
    """The run was taken for dead and others do its work."""


class TooManyJobsError(WebquarryError):
    """The owner has as many unfinished crawls as allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundUrl:
    """An address that was found; with an outcome it is noted and never read."""

    key: bytes
    url: str
    host: bytes
    depth: int
    hops: int = 0  # redirects that led to it
    outcome: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewJob:
    """A crawl to store."""

    id: str
    tenant: str
    user: str
    request: bytes
    salt: bytes  # keys of its addresses are made with it
    site: str  # crawls of the same site follow each other
    max_pages: int
    created: float
    expires: float
    start: FoundUrl
    idempotency: str = ""
    place: bytes = b""  # crawls of one place share how many requests it gets at a time


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlCounts:
    """How far a crawl is, counted from what is stored."""

    found: int = 0
    crawled: int = 0
    depth: int = 0
    outcomes: Mapping[str, int] = field(default_factory=dict[str, int])
    waiting: int = 0  # found and not yet read


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRow:
    """A crawl as it is stored."""

    id: str
    tenant: str
    user: str
    state: State
    request: bytes
    created: float
    started: float | None
    finished: float | None
    expires: float
    error: str | None
    counts: CrawlCounts


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviousVisit:
    """What the crawl before knows of a page."""

    etag: str = ""
    last_modified: str = ""
    hash: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedUrl:
    """An address that a run is to read, not before `wait` seconds have passed."""

    key: bytes
    url: str
    host: bytes
    depth: int
    hops: int
    attempts: int  # that failed and may go better
    crashes: int = 0  # of runs that had claimed it
    wait: float = 0.0
    memory: PreviousVisit | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPage:
    """A page as it is stored: `meta` is JSON, `body` the bytes that came."""

    key: bytes
    depth: int
    meta: bytes
    body: bytes
    fingerprint: bytes  # equal for pages that say the same
    sketch: int
    canonical: bytes = b""  # key of the address that the page would rather have
    memory: "PreviousVisit | None" = None  # for the next crawl


@dataclass(frozen=True, slots=True, kw_only=True)
class VisitResult:
    """What became of a claim. With `again` it is read once more after so many seconds."""

    key: bytes
    outcome: str = ""
    again: float | None = None


@dataclass(slots=True, kw_only=True)
class CrawlBatch:
    """What a run hands in, and what it wants next."""

    pages: list[NewPage] = field(default_factory=list[NewPage])
    done: list[VisitResult] = field(default_factory=list[VisitResult])
    found: list[FoundUrl] = field(default_factory=list[FoundUrl])
    pauses: dict[bytes, float] = field(default_factory=dict[bytes, float])  # seconds by host

    def __len__(self) -> int:
        return len(self.done) + len(self.pages)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimRequest:
    """How many addresses a run wants, and how far apart requests to a host must be."""

    count: int
    delay: float = 0.0
    delays: Mapping[bytes, float] = field(default_factory=dict[bytes, float])  # of single hosts
    slots: int = 0  # requests to one host that its process may have open until it is answered
    limit: int = 8  # of all processes together

    def gap(self, host: bytes) -> float:
        """Return the seconds between two requests to a host."""
        return max(self.delay, self.delays.get(host, 0.0))


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlLease:
    """Somebody working on a crawl."""

    job: str
    number: int  # of the job, in this database
    token: int
    salt: bytes
    request: bytes
    tenant: str
    user: str
    previous: tuple[int, str, bytes] | None = None  # number, id and salt of the crawl before


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitResult:
    """The answer to a batch."""

    state: State
    claims: tuple[ClaimedUrl, ...] = ()
    runs: int = 1  # that work on this crawl
    slots: int = 0  # requests to one host that the run may have open from now on
    crawled: int = 0
    stored: frozenset[bytes] = frozenset()  # keys of the pages that were not there before
    idle: float = 0.1  # seconds after which it is worth asking for more


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPage:
    """A stored page."""

    seq: int
    key: bytes
    meta: bytes
    body: bytes
    markdown: bytes | None


@dataclass(frozen=True, slots=True)
class Candidate:
    """An address that could be claimed."""

    id: int
    host: bytes


def plan(
    candidates: Sequence[Candidate],
    busy: Mapping[bytes, float],
    wish: ClaimRequest,
    now: float,
) -> tuple[list[tuple[int, float]], dict[bytes, float]]:
    """Return which candidates to claim and when to read them, and when each host is free again.

    `busy` says from when on a host may be asked. Requests to a host are `wish.gap` apart, whoever
    makes them, and nothing is claimed long before its time.
    """
    chosen: list[tuple[int, float]] = []
    free = dict(busy)
    for candidate in candidates:
        if len(chosen) >= wish.count:
            break
        at = max(now, free.get(candidate.host, 0.0))
        if at > now + HORIZON:
            continue
        gap = wish.gap(candidate.host)
        if gap:
            free[candidate.host] = at + gap
        chosen.append((candidate.id, at))
    return chosen, {host: at for host, at in free.items() if busy.get(host) != at}


def key_of(salt: bytes, url: str) -> bytes:
    """Return the name of an address in one crawl; without the salt it tells nothing."""
    return hashlib.blake2b(url.encode("utf-8", "replace"), key=salt, digest_size=16).digest()
