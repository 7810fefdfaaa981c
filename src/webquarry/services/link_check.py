"""Checks whether links are alive, through the guard; one that refuses programs is not dead."""

import asyncio
import hashlib
from collections import defaultdict
from collections.abc import Iterable
from typing import Protocol
from urllib.parse import urlsplit

from webquarry.content.html.read_html import read_html
from webquarry.content.ranking.known_sites import host_of
from webquarry.errors import NetworkError, WebquarryError
from webquarry.models.links import LinkCheck, LinkOutcome
from webquarry.net.fetch import FetchedResponse, FetchRequest
from webquarry.providers.capabilities_archive import FindsSnapshots
from webquarry.storage.store import Store

AT_ONCE = 8
PER_HOST = 2
PATIENCE = 8.0  # seconds for one request
DEADLINE = 45.0  # seconds for all of them; a tool has sixty
KEPT = 3600.0
_LOOK = 65_536  # bytes that tell a page from an apology for one
_GONE = frozenset({404, 410})
# the page may well be there, but not for us; 999 is what LinkedIn says to programs
_REFUSED = frozenset({401, 402, 403, 407, 429, 451, 503, 999})
_THERE = frozenset({416})  # the range is wrong, so there is something
_SECOND_OPINION = _GONE | _REFUSED | {400, 405, 406, 500, 501, 502, 504}


class Fetches(Protocol):
    """Fetches what anybody may name, guarded against what nobody should reach."""

    async def fetch(self, wanted: FetchRequest) -> FetchedResponse:
        """Return what came, whatever its status."""
        ...


class LinkChecker:
    """Checks addresses and remembers the outcome for an hour."""

    def __init__(
        self, fetcher: Fetches, archive: FindsSnapshots | None, store: Store, *,
        deadline: float = DEADLINE,
    ) -> None:  # fmt: skip
        self._fetcher = fetcher
        self._archive = archive
        self._store = store
        self._deadline = deadline

    async def check(self, urls: Iterable[str]) -> dict[str, LinkCheck]:
        """Return what came of every address; those not reached in time are `unchecked`."""
        wanted = list(dict.fromkeys(urls))
        gate = asyncio.Semaphore(AT_ONCE)
        hosts: defaultdict[str, asyncio.Semaphore] = defaultdict(
            lambda: asyncio.Semaphore(PER_HOST)
        )

        async def one(url: str) -> LinkCheck:
            async with hosts[host_of(url)], gate:
                return await self._known_or_checked(url)

        tasks = {url: asyncio.create_task(one(url)) for url in wanted}
        try:
            if tasks:
                await asyncio.wait(tasks.values(), timeout=self._deadline)
        finally:
            for task in tasks.values():
                task.cancel()
            await asyncio.gather(*tasks.values(), return_exceptions=True)
        return {url: _outcome_of(url, task) for url, task in tasks.items()}

    async def _known_or_checked(self, url: str) -> LinkCheck:
        key = f"link:{hashlib.sha256(url.encode('utf-8', 'surrogatepass')).hexdigest()}"
        entry = await self._store.get(key)
        if entry is not None:
            return LinkCheck.model_validate_json(entry.value)
        checked = await self._archived(await self._checked(url))
        if checked.outcome != "unchecked":
            await self._store.set(key, checked.model_dump_json().encode(), ttl=KEPT)
        return checked

    async def _checked(self, url: str) -> LinkCheck:
        try:
            answer = await self._fetcher.fetch(
                FetchRequest(url=url, method="HEAD", timeout=PATIENCE)
            )
            if answer.status in _SECOND_OPINION or _is_page(answer):
                answer = await self._looked_at(url)
        except NetworkError as error:
            gone = error.details.get("detail") == "dns_no_such_name"
            return LinkCheck(url=url, outcome="dead" if gone else "unchecked", reason=str(error))
        except WebquarryError as error:  # an address we do not fetch says nothing about the page
            return LinkCheck(url=url, outcome="unchecked", reason=str(error))
        outcome, reason = await _judged(url, answer)
        return LinkCheck(
            url=url,
            outcome=outcome,
            status=answer.status,
            reason=reason,
            finalUrl=answer.url if answer.url != url else None,
        )

    async def _looked_at(self, url: str) -> FetchedResponse:
        """Fetch the beginning of the page: servers lie to HEAD, pages lie about their status."""
        wanted = FetchRequest(
            url=url,
            headers={"Range": f"bytes=0-{_LOOK - 1}"},
            timeout=PATIENCE,
            page_bytes=_LOOK,
            document_bytes=_LOOK,
        )
        return await self._fetcher.fetch(wanted)

    async def _archived(self, checked: LinkCheck) -> LinkCheck:
        """Add a copy of a page that is gone."""
        if not checked.lost or self._archive is None:
            return checked
        try:
            snapshot = await self._archive.snapshot(checked.url)
        except NetworkError as error:
            if checked.status is None:  # with the network down a host that exists looks missing
                return checked.model_copy(update={"outcome": "unchecked"})
            return checked.model_copy(update={"reason": _unasked(checked, error)})
        except WebquarryError as error:
            return checked.model_copy(update={"reason": _unasked(checked, error)})
        return checked.model_copy(update={"snapshot": snapshot})


def _outcome_of(url: str, task: "asyncio.Task[LinkCheck]") -> LinkCheck:
    if task.cancelled():
        return LinkCheck(url=url, outcome="unchecked", reason="There was no time left to check it.")
    return task.result()


def _unasked(checked: LinkCheck, error: WebquarryError) -> str:
    return f"{checked.reason or ''} The archive could not be asked: {error}".strip()


def _is_page(answer: FetchedResponse) -> bool:
    kind = answer.headers.media_type
    return 200 <= answer.status < 300 and (not kind or "html" in kind)


async def _judged(url: str, answer: FetchedResponse) -> tuple[LinkOutcome, str | None]:
    status = answer.status
    if status not in _THERE and not 200 <= status < 300:
        return _refusal(status)
    if _is_root(answer.url) and not _is_root(url):
        return "redirected_to_root", f"leads to {answer.url} instead of the page"
    if "html" in answer.headers.media_type and answer.content:
        # parsing takes milliseconds that others should not wait for
        page = await asyncio.to_thread(read_html, answer.content, url=answer.url)
        wall = page.wall
        if wall and wall.kind == "not_found":
            return "soft_404", f"HTTP {status}, but the page says: {wall.evidence}"
        if wall and wall.kind in ("captcha", "blocked"):
            return "blocked", f"HTTP {status}, but the page says: {wall.evidence}"
    return "live", None


def _refusal(status: int) -> tuple[LinkOutcome, str]:
    if status in _GONE:
        return "dead", f"HTTP {status}"
    if status in _REFUSED:
        return "blocked", f"HTTP {status}: the page may be there, but not for programs"
    return "unchecked", f"HTTP {status}"


def _is_root(url: str) -> bool:
    parts = urlsplit(url)
    return parts.path in ("", "/") and not parts.query
