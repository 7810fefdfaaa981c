"""Keeps research sessions: a step is in the session's log before it is acknowledged."""

import logging
import re
import time
import uuid
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from webquarry.errors import BadInputError, SessionNotFoundError
from webquarry.models.caller import Caller
from webquarry.models.session import Event, SessionBatch, SessionOpened, StepTaken, ToolFindings
from webquarry.observe.timestamp import rfc3339
from webquarry.services.sessions.notebook import SessionState
from webquarry.storage.key_names import name_of, parts_of
from webquarry.storage.store import LockedError, Store

logger = logging.getLogger(__name__)

HOUR = 3600.0
MOST_SESSIONS = 50
MOST_PAGES = 5000  # of one session; a loop that never ends must not fill the disk
_KIND = "session"
_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_AT_HAND = 100  # notebooks kept in memory, so that a step reads only what is new


class SessionService:
    """Sessions by owner. Only the tenant and user who began a session can use it."""

    kinds = (_KIND,)

    def __init__(
        self,
        store: Store,
        *,
        ttl: float = 4 * HOUR,
        most_steps: int = 200,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._store = store
        self._ttl = ttl
        self.most_steps = most_steps
        self._clock = clock
        self._at_hand: OrderedDict[str, SessionState] = OrderedDict()

    def now(self) -> str:
        """Return this moment as sessions write it."""
        return rfc3339(self.seconds())

    def seconds(self) -> float:
        """Return this moment in seconds since 1970."""
        return self._clock()

    async def start(self, caller: Caller, goal: str, first: StepTaken) -> SessionState:
        """Begin a session with its first step; the one idle for longest may have to go."""
        session_id = str(uuid.uuid4())
        key = _key(caller.tenant, caller.user, session_id)
        raw = _page(SessionOpened(at=self.now(), goal=goal), first)
        await self._store.append(key, raw, ttl=self._ttl)
        await self._make_room(caller)
        notebook = SessionState(session_id, self.most_steps)
        notebook.read(0, [raw])
        self._keep(key, notebook)
        return notebook

    async def take_step(self, caller: Caller, session_id: str, taken: StepTaken) -> SessionState:
        """Add a step; beyond the most allowed it is not recorded and the notebook is `full`."""
        last_known = taken.step.stepNumber - 1
        notebook = await self._ready(caller, session_id, last_known=last_known)
        if _missing_steps(notebook, taken):  # another process may have taken them
            notebook = await self._current(caller, session_id, last_known=last_known)
        for name, number in _missing_steps(notebook, taken):
            known = sorted({step.stepNumber for step in notebook.steps})
            raise BadInputError(f"{name}: no step {number} in this session; there are {known}")
        if len(notebook.steps) >= self.most_steps:
            notebook.full = True
            return notebook
        return await self._append(caller, notebook, taken)

    async def record(self, caller: Caller, session_id: str, findings: ToolFindings) -> SessionState:
        """Add what a tool found."""
        return await self._append(caller, await self._ready(caller, session_id), findings)

    async def find(self, caller: Caller, session_id: str) -> SessionState:
        """Return a session and let it live on; `SessionNotFoundError` for anybody else's."""
        notebook = await self._current(caller, session_id)
        await self._store.renew(_key(caller.tenant, caller.user, session_id), ttl=self._ttl)
        return notebook

    async def ids(self, caller: Caller) -> list[str]:
        """Return the caller's sessions, the most recently used first."""
        lives = [(await self._store.ttl(key) or 0, key) for key in await self._keys(caller)]
        return [parts_of(key)[-1] for _, key in sorted(lives, reverse=True)]

    async def notebooks(self, caller: Caller) -> list[SessionState]:
        """Return the caller's sessions as they stand, without letting them live longer."""
        found: list[SessionState] = []
        for session_id in await self.ids(caller):
            try:
                found.append(await self._current(caller, session_id))
            except SessionNotFoundError:  # it ended between the two looks
                logger.debug("session %s ended while sessions were listed", session_id)
        return found

    async def export(self, tenant: str, user: str) -> list[dict[str, Any]]:
        """Return every session of one person, with every page as it was written."""
        exported: list[dict[str, Any]] = []
        async for key in self._store.logs(_key(tenant, user, "")):
            written = [raw for raw in await self._store.entries(key) or () if raw]
            pages = [SessionBatch.model_validate_json(raw) for raw in written]
            told = [page.model_dump(mode="json", exclude_none=True) for page in pages]
            exported.append({"name": key, "sessionId": parts_of(key)[-1], "pages": told})
        return sorted(exported, key=lambda session: session["name"])

    async def erase(self, tenant: str, user: str) -> int:
        """Forget every session of one person; return how many there were."""
        keys = [key async for key in self._store.logs(_key(tenant, user, ""))]
        for key in keys:
            self._at_hand.pop(key, None)
        return sum([await self._store.delete(key) for key in keys])

    def missing(self, *, last_known: int = 0) -> SessionNotFoundError:
        """Return the error for a session that is not there, or not the caller's."""
        return SessionNotFoundError(
            f"Session not found or expired. Sessions last {_span(self._ttl)} from last activity.",
            details={"recoveryHint": {"lastKnownStep": max(0, last_known), "canResume": False}},
        )

    async def _ready(self, caller: Caller, session_id: str, *, last_known: int = 0) -> SessionState:
        """Return the notebook to write in; if others wrote meanwhile, appending will tell."""
        at_hand = self._at_hand.get(_key(caller.tenant, caller.user, session_id))
        return at_hand or await self._current(caller, session_id, last_known=last_known)

    async def _current(
        self, caller: Caller, session_id: str, *, last_known: int = 0
    ) -> SessionState:
        """Return the notebook with everything that was written so far."""
        key = _key(caller.tenant, caller.user, session_id)
        notebook = self._at_hand.get(key) or SessionState(session_id, self.most_steps)
        start = notebook.length
        pages = await self._store.entries(key, start) if _ID.fullmatch(session_id) else None
        if pages is None:
            self._at_hand.pop(key, None)
            raise self.missing(last_known=last_known)
        notebook.read(start, pages)
        self._keep(key, notebook)
        return notebook

    async def _append(self, caller: Caller, notebook: SessionState, event: Event) -> SessionState:
        if notebook.length >= MOST_PAGES:
            raise BadInputError("The session is full; start another one with stepNumber 1.")
        key = _key(caller.tenant, caller.user, notebook.id)
        raw = _page(event)
        length = await self._store.append(key, raw, ttl=self._ttl, create=False)
        if length is None:
            self._at_hand.pop(key, None)
            raise self.missing(last_known=len(notebook.steps))
        if length == notebook.length + 1:
            notebook.read(length - 1, [raw])
            return notebook
        return await self._current(caller, notebook.id)  # others wrote as well

    async def _make_room(self, caller: Caller) -> None:
        keys = await self._keys(caller)
        if len(keys) <= MOST_SESSIONS:
            return
        try:
            async with self._store.lock(_key(caller.tenant, caller.user, ""), ttl=30, wait=10):
                lives = [(await self._store.ttl(key) or 0, key) for key in await self._keys(caller)]
                for _, key in sorted(lives)[: max(0, len(lives) - MOST_SESSIONS)]:
                    await self._store.delete(key)
        except LockedError:  # whoever holds it is making room
            logger.debug("another process makes room for sessions")

    async def _keys(self, caller: Caller) -> list[str]:
        prefix = _key(caller.tenant, caller.user, "")
        return [key async for key in self._store.logs(prefix)]

    def _keep(self, key: str, notebook: SessionState) -> None:
        self._at_hand[key] = notebook
        self._at_hand.move_to_end(key)
        if len(self._at_hand) > _AT_HAND:
            self._at_hand.popitem(last=False)


def _key(tenant: str, user: str, session_id: str) -> str:
    return name_of(_KIND, tenant, user, session_id)


def _missing_steps(notebook: SessionState, taken: StepTaken) -> list[tuple[str, int]]:
    """Return the earlier steps that a step refers to and that are not there."""
    step = taken.step
    wanted = {"revisesStep": step.revisesStep, "branchFromStep": step.branchFromStep}
    return [(k, n) for k, n in wanted.items() if n is not None and notebook.numbered(n) is None]


def _page(*events: Event) -> bytes:
    page = SessionBatch(id=uuid.uuid4().hex, events=events)
    return page.model_dump_json(exclude_none=True).encode()


def _span(seconds: float) -> str:
    for unit, name in ((HOUR, "hour"), (60.0, "minute")):
        if seconds >= unit and not seconds % unit:
            count = round(seconds / unit)
            return f"{count} {name}{'' if count == 1 else 's'}"
    return f"{seconds:g} seconds"
