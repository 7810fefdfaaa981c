"""Opens and finds the browser sessions of callers, a limited number at a time."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from webquarry.errors import RateLimitError, SessionNotFoundError
from webquarry.models.caller import Caller
from webquarry.reading.browser.browser import Browser
from webquarry.reading.browser.context_options import ContextOptions
from webquarry.reading.browsing.browser_memory import browser_memory
from webquarry.reading.browsing.browsing_session import BrowsingSession, SessionLife
from webquarry.reading.browsing.page_downloads import PageDownloads

_REMEMBERED = 200  # ended sessions, for saying why they ended
_RETRY_SECONDS = 60


@dataclass(frozen=True, kw_only=True)
class BrowsingLimits:
    """How many sessions there may be, and how large and old."""

    sessions: int = 20
    per_user: int = 5
    memory: int = 4 * 2**30  # bytes of the browser with all sessions
    life: SessionLife = field(default_factory=SessionLife)


class BrowsingSessions:
    """The sessions of this process."""

    def __init__(
        self,
        browser: Browser,
        limits: BrowsingLimits,
        downloads: Callable[[Path], PageDownloads],
        folder: Path,
    ) -> None:
        self._browser = browser
        self._limits = limits
        self._downloads = downloads
        self._folder = folder
        self._open: dict[str, BrowsingSession] = {}
        self._ended: OrderedDict[str, BrowsingSession] = OrderedDict()
        self._lock = asyncio.Lock()

    async def open(
        self,
        caller: Caller,
        options: ContextOptions,
        *,
        ident: str = "",
        signed_in: str = "",
        life: SessionLife | None = None,
    ) -> BrowsingSession:
        """Open a session; `RateLimitError` if too many are open or too much memory is used."""
        session = BrowsingSession(
            owner=caller,
            life=self._limits.life.shorter(life) if life else self._limits.life,
            downloads=self._downloads(self._folder),
            signed_in=signed_in,
            on_end=self._on_end,
        )
        session.id = ident or session.id
        async with self._lock:
            await self._check_limits(caller)
            self._open[session.id] = session
        await session.start(self._browser, options)
        return session

    def get(self, caller: Caller, ident: str) -> BrowsingSession:
        """Return a session of the caller; raise why there is none."""
        session = self._open.get(ident) or self._ended.get(ident)
        if session is None or not _is_owner(session, caller):
            raise SessionNotFoundError(
                f"session: there is no browser session {ident!r}; open one with url"
            )
        if session.reason:
            raise session.ended_error()
        return session

    def of(self, caller: Caller) -> list[BrowsingSession]:
        """Return the open sessions of a caller, the oldest first."""
        return [each for each in self._open.values() if _is_owner(each, caller)]

    def ended(self, caller: Caller) -> list[BrowsingSession]:
        """Return the ended sessions of a caller that are remembered."""
        return [each for each in self._ended.values() if _is_owner(each, caller)]

    async def erase(self, tenant: str, user: str) -> int:
        """Close all sessions of a person; return how many there were."""
        person = Caller(tenant=tenant, user=user)
        found = self.of(person)
        for session in found:
            await self.end(session, "the data of its owner was erased")
        self._ended = OrderedDict(
            (ident, each) for ident, each in self._ended.items() if not _is_owner(each, person)
        )
        return len(found)

    async def end(self, session: BrowsingSession, reason: str) -> None:
        """Close a session, and wait until its pages are gone."""
        session.end(reason)
        await session.wait_until_closed()

    async def close(self) -> None:
        """Close all sessions and their browser."""
        for session in list(self._open.values()):
            await self.end(session, "the server stops")
        await self._browser.close()

    async def memory(self) -> int:
        """Return the bytes of memory that the browser uses; 0 if that is unknown."""
        for session in self._open.values():
            if session.is_ready:
                return await browser_memory(session.context)
        return 0

    async def _check_limits(self, caller: Caller) -> None:
        limits = self._limits
        own = len(self.of(caller))
        if own >= limits.per_user:
            raise _limit(
                f"you have {own} open browser sessions", "as many as BROWSE_SESSIONS_PER_USER"
            )
        if len(self._open) >= limits.sessions:
            raise _limit(
                f"{len(self._open)} browser sessions are open", "as many as BROWSE_SESSIONS"
            )
        used = await self.memory()
        if used > limits.memory:
            amount = f"the browser uses {used // 2**20} MiB of memory"
            raise _limit(amount, "more than BROWSE_MEMORY")

    def _on_end(self, session: BrowsingSession) -> None:
        self._open.pop(session.id, None)
        self._ended[session.id] = session
        while len(self._ended) > _REMEMBERED:
            self._ended.popitem(last=False)


def _is_owner(session: BrowsingSession, caller: Caller) -> bool:
    owner = session.owner
    return (owner.tenant, owner.user) == (caller.tenant, caller.user)


def _limit(found: str, measure: str) -> RateLimitError:
    return RateLimitError(
        f"{found}, {measure} allows. Close one with do=close, or wait: unused ones are closed "
        "after some minutes.",
        retry_after=_RETRY_SECONDS,
    )
