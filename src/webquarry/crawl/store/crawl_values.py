"""The values that crawls and their databases exchange.

Any number of runs work on a crawl, in one process or on many machines. A run claims URLs, reads
them, and commits one `CrawlBatch` at a time: its pages, results and found URLs are stored together
or not at all. A run that commits nothing for `LEASE_SECONDS` is considered dead: its claims go to
other runs, and its later commits fail with `FencedError`.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from webquarry.crawl.store.guide_state import GuideState
from webquarry.errors import WebquarryError
from webquarry.models.crawl import JobKind, State, StopReason
from webquarry.models.webhook import Webhook

LEASE_SECONDS = 5.0  # between two commits of a run
CLAIM_AHEAD_SECONDS = 0.05  # how early a URL of a delayed host is claimed

PAGE = "page"  # the outcome of a URL with a page
SCREENSHOT = "screenshot"  # the name of a file of a page
# a URL with this outcome is read when it is found again at a permitted depth
TOO_DEEP = "too_deep"
RETRY_AFTER = "retry_after"  # the outcome of the URLs of a host that asked to wait too long


# of shapes of URLs that bring little, by blinded shape: pages, a bit for each recent page (1: new
# content), skipped URLs, skipped URLs until the next one is read
ShapeStates = dict[str, tuple[int, int, int, int]]


class FencedError(WebquarryError):
    """The run lost its lease and others continue its work."""


class TooManyJobsError(WebquarryError):
    """The owner has as many unfinished crawls as allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundUrl:
    """A URL that was found; one with an outcome is stored but not read."""

    key: bytes
    url: str
    host: bytes
    depth: int
    hops: int = 0  # redirects that led to it
    outcome: str = ""
    rank: float = 0.0  # lower ranks are read first


@dataclass(frozen=True, slots=True, kw_only=True)
class NewJob:
    """A crawl to store."""

    id: str
    tenant: str
    user: str
    request: bytes
    salt: bytes  # of the keys of its URLs
    site: str  # the next crawl of the same site compares its pages with this one
    max_pages: int
    created: float
    expires: float
    start_urls: tuple[FoundUrl, ...]
    kind: JobKind = "crawl"
    idempotency_key: str = ""
    host_group: bytes = b""  # crawls of one group share the limit of concurrent requests


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlCounts:
    """The progress of a crawl, as stored."""

    found: int = 0
    crawled: int = 0
    depth: int = 0
    outcomes: Mapping[str, int] = field(default_factory=dict[str, int])
    pending: int = 0  # found and not yet read
    progress: float = 0.0  # 0 to 1, never decreases
    moved_to: str | None = None  # the URL on another host that the start page redirects to
    stop_reason: StopReason | None = None
    traps: ShapeStates = field(default_factory=ShapeStates)
    guide: GuideState = field(default_factory=GuideState)


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
    kind: JobKind = "crawl"


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviousVisit:
    """What the previous crawl stored about a page."""

    etag: str = ""
    last_modified: str = ""
    hash: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedUrl:
    """A URL for a run to read after `wait` seconds."""

    key: bytes
    url: str
    host: bytes
    depth: int
    hops: int
    attempts: int  # that failed temporarily
    crashes: int = 0  # of runs that claimed it
    wait: float = 0.0
    previous_visit: PreviousVisit | None = None
    redirected_from: str = ""  # the listed URL, if redirects led from it to `url`

    @property
    def listed_url(self) -> str:
        """The URL under which the result is stored."""
        return self.redirected_from or self.url


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPage:
    """A page to store: `meta` is JSON, `body` the compressed bytes."""

    key: bytes
    depth: int
    meta: bytes
    body: bytes
    fingerprint: bytes  # equal for pages with the same content
    simhash: int
    canonical: bytes = b""  # key of the canonical URL that the page declares
    visit: "PreviousVisit | None" = None  # for the next crawl
    files: tuple[tuple[str, bytes], ...] = ()  # what is stored besides, by name


@dataclass(frozen=True, slots=True, kw_only=True)
class VisitResult:
    """The outcome of a claim. With `retry_in`, the URL is read again after so many seconds."""

    key: bytes
    outcome: str = ""
    retry_in: float | None = None
    redirect: "Redirect | None" = None  # continue a listed URL there


@dataclass(frozen=True, slots=True, kw_only=True)
class Redirect:
    """Where a listed URL redirects to; its result is stored under the listed URL."""

    url: str
    host: bytes
    hops: int


@dataclass(slots=True, kw_only=True)
class CrawlBatch:
    """What a run has to store."""

    pages: list[NewPage] = field(default_factory=list[NewPage])
    results: list[VisitResult] = field(default_factory=list[VisitResult])
    found_urls: list[FoundUrl] = field(default_factory=list[FoundUrl])
    # seconds that hosts asked to wait (Retry-After)
    host_pauses: dict[bytes, float] = field(default_factory=dict[bytes, float])
    # seconds until the next request to a host, because of its Crawl-delay
    host_waits: dict[bytes, float] = field(default_factory=dict[bytes, float])
    unread: list[bytes] = field(default_factory=list[bytes])  # keys of claims to give back
    moved_to: str = ""  # the URL on another host that the start page redirects to
    traps: ShapeStates = field(default_factory=ShapeStates)  # for the next run
    saturated: bool = False  # ends the crawl: more pages would add nothing
    # of a guided crawl: what was seen since the last commit, and better ranks of known URLs
    guide: GuideState | None = None
    ranks: dict[bytes, float] = field(default_factory=dict[bytes, float])

    def __len__(self) -> int:
        return len(self.results) + len(self.pages) + len(self.unread)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimRequest:
    """How many URLs a run claims, and the delay between two requests to a host."""

    count: int
    delay: float = 0.0
    delays: Mapping[bytes, float] = field(default_factory=dict[bytes, float])  # of single hosts
    slots: int = 0  # concurrent requests to one host that the run still uses
    limit: int = 8  # of all processes together
    max_pause: float = 1800.0  # seconds; a host that asks to wait longer is given up

    def delay_for(self, host: bytes) -> float:
        """Return the seconds between two requests to a host."""
        return max(self.delay, self.delays.get(host, 0.0))


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlLease:
    """The right of one run to write to a crawl."""

    job_id: str
    job_number: int  # of the job, in this database
    token: int
    salt: bytes
    request: bytes
    tenant: str
    user: str
    previous: tuple[int, str, bytes] | None = None  # number, id and salt of the previous crawl
    kind: JobKind = "crawl"
    webhook: Webhook | None = None
    traps: ShapeStates = field(default_factory=ShapeStates)
    guide: GuideState = field(default_factory=GuideState)


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitResult:
    """The result of a commit."""

    state: State
    claims: tuple[ClaimedUrl, ...] = ()
    runs: int = 1  # that work on this crawl
    slots: int = 0  # concurrent requests to one host that the run may use from now on
    crawled: int = 0
    stored: frozenset[bytes] = frozenset()  # keys of the new pages
    poll_after: float = 0.1  # seconds until more URLs may be available
    # seconds that hosts asked to wait
    pauses: Mapping[bytes, float] = field(default_factory=dict[bytes, float])
    alone: bool = True  # no other process runs crawls
    guide: GuideState | None = None  # what all runs of a guided crawl have seen


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
    """A URL that could be claimed."""

    id: int
    host: bytes


def plan_claims(
    candidates: Sequence[Candidate],
    busy: Mapping[bytes, float],
    claim: ClaimRequest,
    now: float,
) -> tuple[list[tuple[int, float]], dict[bytes, float]]:
    """Return which candidates to claim and when to read them, and when each host is free again.

    `busy` holds the time from which a host may be requested. Requests to a host are
    `claim.delay_for` apart, whichever crawl makes them, and no URL is claimed long before its time.
    """
    chosen: list[tuple[int, float]] = []
    free = dict(busy)
    for candidate in candidates:
        if len(chosen) >= claim.count:
            break
        at = max(now, free.get(candidate.host, 0.0))
        if at > now + CLAIM_AHEAD_SECONDS:
            continue
        if delay := claim.delay_for(candidate.host):
            free[candidate.host] = at + delay
        chosen.append((candidate.id, at))
    return chosen, {host: at for host, at in free.items() if busy.get(host) != at}


def url_key(salt: bytes, url: str) -> bytes:
    """Return the key of a URL in one crawl; without the salt it reveals nothing."""
    return hashlib.blake2b(url.encode("utf-8", "replace"), key=salt, digest_size=16).digest()
