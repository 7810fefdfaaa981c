"""Checks whether links are alive; one that refuses automated requests is not dead."""

import asyncio
import hashlib
import re
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable
from typing import Protocol
from urllib.parse import urlsplit

from webquarry.content.citations.identifiers import is_identifier_host
from webquarry.content.ranking.known_sites import ascii_host, registrable_domain
from webquarry.errors import DeadlineError, NetworkError, WebquarryError
from webquarry.models.links import LinkCheck, LinkOutcome
from webquarry.net.client.response import FetchedResponse
from webquarry.net.fetch import FetchRequest
from webquarry.observe import call_context
from webquarry.parsing.parsers import Parsers
from webquarry.parsing.task import ParseTask
from webquarry.providers.capabilities_archive import FindsSnapshots
from webquarry.services.time_limit import run_within
from webquarry.storage.store import Store

MAX_CONCURRENT = 8
MAX_PER_HOST = 2
REQUEST_TIMEOUT = 8.0  # seconds for one request
DEADLINE = 45.0  # seconds for all requests; below the deadline of a tool (60)
CACHE_TTL = 3600.0
_PREVIEW_BYTES = 65_536  # enough to recognise a page that says "not found"
_GONE = frozenset({404, 410})
# the page may exist, but refuses automated requests; LinkedIn sends 999
_REFUSED = frozenset({401, 402, 403, 407, 429, 451, 999})
_EXISTS = frozenset({416})  # range not satisfiable: the resource exists
_WALL_OUTCOMES: dict[str, LinkOutcome] = {
    "not_found": "soft_404", "captcha": "blocked", "blocked": "blocked",
}  # fmt: skip
_NO_SUCH_NAME = "dns_no_such_name"
_NO_LOOKUPS = "Most hosts of this list were not found: names may not be looked up here."
# other paths of a front page
_FRONT_PAGE = re.compile(
    r"/(?:(?:index|default|home|main|welcome)(?:\.\w{2,5})?|[a-z]{2}(?:[-_][a-z]{2})?)/?", re.I
)
_RETRY_WITH_GET = _GONE | _REFUSED | {400, 405, 406, 500, 501, 502, 503, 504}


# returns the outcome for a URL that is read anyway; None: it must be checked
ReadFirst = Callable[[str], Awaitable[LinkCheck | None]]


class Fetches(Protocol):
    """Fetches public URLs through the guard."""

    async def fetch(self, request: FetchRequest) -> FetchedResponse:
        """Return the response, whatever its status."""
        ...


class LinkChecker:
    """Checks URLs and caches the outcome for an hour."""

    def __init__(
        self, fetcher: Fetches, archive: FindsSnapshots | None, store: Store, *,
        deadline: float = DEADLINE, parsers: Parsers | None = None,
    ) -> None:  # fmt: skip
        self._fetcher = fetcher
        self._archive = archive
        self._store = store
        self._deadline = deadline
        self._parsers = parsers or Parsers()

    async def check(
        self, urls: Iterable[str], read_first: ReadFirst | None = None
    ) -> dict[str, LinkCheck]:
        """Return the outcome for each URL; those not checked in time are `unchecked`."""
        slots = asyncio.Semaphore(MAX_CONCURRENT)
        hosts: defaultdict[str, asyncio.Semaphore] = defaultdict(
            lambda: asyncio.Semaphore(MAX_PER_HOST)
        )

        async def one(url: str) -> LinkCheck:
            async with hosts[ascii_host(url)], slots:
                known = await read_first(url) if read_first else None
                return known or await self._check_cached(url)

        checks = await run_within(self._deadline, {url: one(url) for url in dict.fromkeys(urls)})
        late = "Not checked: out of time."
        return _without_lookup_failures(
            {
                url: check or LinkCheck(url=url, outcome="unchecked", reason=late)
                for url, check in checks.items()
            }
        )

    async def _check_cached(self, url: str) -> LinkCheck:
        key = f"link:{hashlib.sha256(url.encode('utf-8', 'surrogatepass')).hexdigest()}"
        entry = await self._store.get(key)
        if entry is not None:
            return LinkCheck.model_validate_json(entry.value)
        checked = await self._with_snapshot(await self._check_url(url))
        # a page that is back must not stay dead
        if checked.outcome in ("live", "blocked"):
            owner = call_context.caller.get()
            value = checked.model_dump_json().encode()
            await self._store.set(key, value, ttl=CACHE_TTL, owner=owner)
        return checked

    async def _check_url(self, url: str) -> LinkCheck:
        try:
            response = await self._fetcher.fetch(
                FetchRequest(url=url, method="HEAD", timeout=REQUEST_TIMEOUT)
            )
            if response.status in _RETRY_WITH_GET or _is_page(response):
                response = await self._fetch_preview(url)
            outcome, reason = await self._outcome(url, response)
        except WebquarryError as error:  # a refused URL says nothing about the page
            gone = isinstance(error, NetworkError) and error.details.get("detail") == _NO_SUCH_NAME
            return LinkCheck(url=url, outcome="dead" if gone else "unchecked", reason=str(error))
        return LinkCheck(
            url=url,
            outcome=outcome,
            status=response.status,
            reason=reason,
            finalUrl=response.url if response.url != url else None,
        )

    async def _outcome(self, url: str, response: FetchedResponse) -> tuple[LinkOutcome, str | None]:
        status = response.status
        if status not in _EXISTS and not 200 <= status < 300:
            return _outcome_of_status(status)
        if left_for_root(url, response.url):
            return "redirected_to_root", f"leads to {response.url} instead of the page"
        if "html" not in response.headers.media_type or not response.content:
            return "live", None
        # imported here: it imports the page readers
        from webquarry.content.html.read_html import read_html

        task = ParseTask(read_html, subject=f"The page {response.url}")
        wall = (await self._parsers.run(task, response.content, url=response.url)).wall
        if wall is None or wall.kind not in _WALL_OUTCOMES:
            return "live", None
        return _WALL_OUTCOMES[wall.kind], f"HTTP {status}, but the page says: {wall.evidence}"

    async def _fetch_preview(self, url: str) -> FetchedResponse:
        """Fetch the beginning of the page: HEAD and the status code are often wrong."""
        request = FetchRequest(
            url=url,
            headers={"Range": f"bytes=0-{_PREVIEW_BYTES - 1}"},
            timeout=REQUEST_TIMEOUT,
            max_page_bytes=_PREVIEW_BYTES,
            max_document_bytes=_PREVIEW_BYTES,
        )
        return await self._fetcher.fetch(request)

    async def _with_snapshot(self, checked: LinkCheck) -> LinkCheck:
        """Add an archived copy of a dead page."""
        if not checked.lost or self._archive is None:
            return checked
        try:
            snapshot = await self._archive.snapshot(checked.url)
        except WebquarryError as error:
            # if our own network is down, every host looks missing
            if checked.status is None and _has_no_response(error):
                return checked.model_copy(update={"outcome": "unchecked"})
            reason = f"{checked.reason or ''} The archive could not be queried: {error}".strip()
            return checked.model_copy(update={"reason": reason})
        return checked.model_copy(update={"snapshot": snapshot})


def _without_lookup_failures(checks: dict[str, LinkCheck]) -> dict[str, LinkCheck]:
    """Return the checks; a missing host is no dead link if names cannot be looked up here."""
    missing = {url: ascii_host(url) for url, check in checks.items() if _has_no_host(check)}
    hosts = set(missing.values())
    most_fail = len(hosts) > 1 and 2 * len(hosts) > len({ascii_host(url) for url in checks})
    return checks | {
        url: _unchecked(checks[url], most_fail=most_fail)
        for url, host in missing.items()
        if most_fail or is_identifier_host(host)
    }


def _unchecked(check: LinkCheck, *, most_fail: bool) -> LinkCheck:
    reason = f"{check.reason or ''} {_NO_LOOKUPS if most_fail else ''}".strip()
    found = {"outcome": "unchecked", "reason": reason, "unresolved": most_fail or None}
    return check.model_copy(update=found)


def _has_no_host(check: LinkCheck) -> bool:
    return check.outcome == "dead" and check.status is None


def _has_no_response(error: WebquarryError) -> bool:
    """Tell whether an upstream did not respond, or was not asked because it did not before."""
    paused = error.details.get("detail") == "circuit_open"
    return paused or isinstance(error, NetworkError | DeadlineError)


def _is_page(response: FetchedResponse) -> bool:
    kind = response.headers.media_type
    return 200 <= response.status < 300 and (not kind or "html" in kind)


def _outcome_of_status(status: int) -> tuple[LinkOutcome, str]:
    if status in _GONE:
        return "dead", f"HTTP {status}"
    if status in _REFUSED:
        return "blocked", f"HTTP {status}: the page may exist, but refuses automated requests"
    return "unchecked", f"HTTP {status}"


def left_for_root(url: str, final: str) -> bool:
    """Tell whether a page of a site redirects to the front page of the same site."""
    if not _is_root(final) or registrable_domain(ascii_host(url)) != registrable_domain(
        ascii_host(final)
    ):
        return False  # a short link, or a site that moved
    return not _is_root(url) and not _FRONT_PAGE.fullmatch(urlsplit(url).path)


def _is_root(url: str) -> bool:
    parts = urlsplit(url)
    return parts.path in ("", "/") and not parts.query
