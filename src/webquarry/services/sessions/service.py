"""Research sessions, stored as logs: a step is stored before it is acknowledged."""

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
from webquarry.services.sessions.session_state import SessionState
from webquarry.storage.key_names import name_of, parts_of
from webquarry.storage.store import MAX_TTL, LockedError, Store

logger = logging.getLogger(__name__)

HOUR = 3600.0
MAX_SESSIONS = 200
MAX_BATCHES = 5000  # of one session; limits the disk space of an endless loop
_KIND = "session"
_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_MAX_CACHED = 100  # states in memory, so that a step reads only new batches


class SessionService:
    """Sessions by owner. Only the user who started a session can use it."""

    kinds = (_KIND,)

    def __init__(
        self,
        store: Store,
        *,
        ttl: float = 4 * HOUR,
        max_steps: int = 200,
        max_count: int = MAX_SESSIONS,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._store = store
        self._ttl = ttl
        self.max_steps = max_steps
        self._max_count = max_count
        self._clock = clock
        self._cached: OrderedDict[str, SessionState] = OrderedDict()

    def timestamp(self) -> str:
        """Return the current time as RFC 3339."""
        return rfc3339(self.unix_time())

    def unix_time(self) -> float:
        """Return the current time as unix seconds."""
        return self._clock()

    async def start(self, caller: Caller, goal: str, first: StepTaken) -> SessionState:
        """Start a session with its first step; the longest idle one may be deleted."""
        session_id = str(uuid.uuid4())
        key = _key(caller.tenant, caller.user, session_id)
        raw = _batch(SessionOpened(at=self.timestamp(), goal=goal), first)
        await self._store.append(key, raw, ttl=self._ttl)
        await self._delete_excess(caller)
        state = SessionState(session_id, self.max_steps)
        state.apply(0, [raw])
        self._cache(key, state)
        return state

    async def add_step(self, caller: Caller, session_id: str, taken: StepTaken) -> SessionState:
        """Add a step; beyond the maximum it is not recorded and the state `is_full`."""
        last_known = taken.step.stepNumber - 1
        caller = await self._stored_as(caller, session_id)
        state = await self._cached_or_current(caller, session_id, last_known=last_known)
        if _missing_steps(state, taken):  # another process may have taken them
            state = await self._current(caller, session_id, last_known=last_known)
        for name, number in _missing_steps(state, taken):
            known = sorted({step.stepNumber for step in state.steps})
            raise BadInputError(f"{name}: no step {number} in this session; there are {known}")
        if len(state.steps) >= self.max_steps:
            state.is_full = True
            return state
        return await self._append(caller, state, taken)

    async def record(self, caller: Caller, session_id: str, findings: ToolFindings) -> SessionState:
        """Add the findings of a tool."""
        caller = await self._stored_as(caller, session_id)
        return await self._append(
            caller, await self._cached_or_current(caller, session_id), findings
        )

    async def captures(self, caller: Caller, session_id: str) -> bool:
        """Whether the exchanges of calls for a session are captured; False if there is none."""
        owner = await self._stored_as(caller, session_id)
        try:
            return (await self._cached_or_current(owner, session_id)).captures
        except SessionNotFoundError:  # the call itself will report it
            return False

    async def get(self, caller: Caller, session_id: str) -> SessionState:
        """Return a session and renew it; `SessionNotFoundError` for another user's."""
        caller = await self._stored_as(caller, session_id)
        state = await self._current(caller, session_id)
        await self._store.renew(_key(caller.tenant, caller.user, session_id), ttl=self._ttl)
        return state

    async def ids(self, caller: Caller) -> list[str]:
        """Return the ids of the caller's sessions, the most recently used first."""
        by_ttl = [(await self._store.ttl(key) or 0, key) for key in await self._keys(caller)]
        return [parts_of(key)[-1] for _, key in sorted(by_ttl, reverse=True)]

    async def all_states(self, caller: Caller) -> list[SessionState]:
        """Return the caller's sessions without renewing them."""
        found: list[SessionState] = []
        for session_id in await self.ids(caller):
            try:
                owner = await self._stored_as(caller, session_id)
                found.append(await self._current(owner, session_id))
            except SessionNotFoundError:  # it expired after the ids were listed
                logger.debug("session %s ended while sessions were listed", session_id)
        return found

    async def delete(self, caller: Caller, session_id: str) -> None:
        """Delete a session; `SessionNotFoundError` for another user's."""
        owner = await self._stored_as(caller, session_id)
        key = _key(owner.tenant, owner.user, session_id)
        self._cached.pop(key, None)
        if not _ID.fullmatch(session_id) or not await self._store.delete(key):
            raise self.not_found_error()

    async def export(self, tenant: str, user: str) -> list[dict[str, Any]]:
        """Return every session of one person with all events."""
        exported: list[dict[str, Any]] = []
        async for key in self._store.logs(_key(tenant, user, "")):
            stored = [raw for raw in await self._store.entries(key) or () if raw]
            batches = [SessionBatch.model_validate_json(raw) for raw in stored]
            pages = [batch.model_dump(mode="json", exclude_none=True) for batch in batches]
            exported.append({"name": key, "sessionId": parts_of(key)[-1], "pages": pages})
        return sorted(exported, key=lambda session: session["name"])

    async def erase(self, tenant: str, user: str) -> int:
        """Delete every session of one person; return how many there were."""
        keys = [key async for key in self._store.logs(_key(tenant, user, ""))]
        for key in keys:
            self._cached.pop(key, None)
        return sum([await self._store.delete(key) for key in keys])

    def not_found_error(self, *, last_known: int = 0) -> SessionNotFoundError:
        """Return the error for a session that does not exist or is another user's."""
        lifetime = (
            "Session not found. Sessions are kept until they are deleted."
            if self._ttl >= MAX_TTL
            else f"Session not found or expired. Sessions last {_span(self._ttl)} from last"
            " activity."
        )
        return SessionNotFoundError(
            lifetime,
            details={"recoveryHint": {"lastKnownStep": max(0, last_known), "canResume": False}},
        )

    async def _stored_as(self, caller: Caller, session_id: str) -> Caller:
        """Return the caller with the user under which the session is stored."""
        for user in caller.users if caller.previous_users else ():
            key = _key(caller.tenant, user, session_id)
            if key in self._cached or await self._store.ttl(key) is not None:
                return caller if user == caller.user else caller.model_copy(update={"user": user})
        return caller

    async def _cached_or_current(
        self, caller: Caller, session_id: str, *, last_known: int = 0
    ) -> SessionState:
        """Return the cached state; `_append` notices if another process wrote meanwhile."""
        cached = self._cached.get(_key(caller.tenant, caller.user, session_id))
        return cached or await self._current(caller, session_id, last_known=last_known)

    async def _current(
        self, caller: Caller, session_id: str, *, last_known: int = 0
    ) -> SessionState:
        """Return the state with all stored batches applied."""
        key = _key(caller.tenant, caller.user, session_id)
        state = self._cached.get(key) or SessionState(session_id, self.max_steps)
        start = state.batch_count
        batches = await self._store.entries(key, start) if _ID.fullmatch(session_id) else None
        if batches is None:
            self._cached.pop(key, None)
            raise self.not_found_error(last_known=last_known)
        state.apply(start, batches)
        self._cache(key, state)
        return state

    async def _append(self, caller: Caller, state: SessionState, event: Event) -> SessionState:
        if state.batch_count >= MAX_BATCHES:
            raise BadInputError("The session is full; start another one with stepNumber 1.")
        key = _key(caller.tenant, caller.user, state.id)
        raw = _batch(event)
        length = await self._store.append(key, raw, ttl=self._ttl, create=False)
        if length is None:
            self._cached.pop(key, None)
            raise self.not_found_error(last_known=len(state.steps))
        if length == state.batch_count + 1:
            state.apply(length - 1, [raw])
            return state
        return await self._current(caller, state.id)  # another process wrote as well

    async def _delete_excess(self, caller: Caller) -> None:
        keys = await self._keys(caller)
        if len(keys) <= self._max_count:
            return
        try:
            async with self._store.lock(_key(caller.tenant, caller.user, ""), ttl=30, wait=10):
                by_ttl = [
                    (await self._store.ttl(key) or 0, key) for key in await self._keys(caller)
                ]
                for _, key in sorted(by_ttl)[: max(0, len(by_ttl) - self._max_count)]:
                    await self._store.delete(key)
        except LockedError:  # another process is deleting them
            logger.debug("another process deletes excess sessions")

    async def _keys(self, caller: Caller) -> list[str]:
        prefixes = [_key(caller.tenant, user, "") for user in caller.users]
        return [key for prefix in prefixes async for key in self._store.logs(prefix)]

    def _cache(self, key: str, state: SessionState) -> None:
        self._cached[key] = state
        self._cached.move_to_end(key)
        if len(self._cached) > _MAX_CACHED:
            self._cached.popitem(last=False)


def _key(tenant: str, user: str, session_id: str) -> str:
    return name_of(_KIND, tenant, user, session_id)


def _missing_steps(state: SessionState, taken: StepTaken) -> list[tuple[str, int]]:
    """Return the steps that a step refers to and that do not exist."""
    step = taken.step
    references = {"revisesStep": step.revisesStep, "branchFromStep": step.branchFromStep}
    return [(k, n) for k, n in references.items() if n is not None and state.step(n) is None]


def _batch(*events: Event) -> bytes:
    batch = SessionBatch(id=uuid.uuid4().hex, events=events)
    return batch.model_dump_json(exclude_none=True).encode()


def _span(seconds: float) -> str:
    for unit, name in ((HOUR, "hour"), (60.0, "minute")):
        if seconds >= unit and not seconds % unit:
            count = round(seconds / unit)
            return f"{count} {name}{'' if count == 1 else 's'}"
    return f"{seconds:g} seconds"
