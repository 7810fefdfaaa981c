"""The call history of the person whose machine this is, for the console.

It holds tool, subject, outcome and duration of each call, from every process of that person: the
assistant's, the command line's and the console's.
"""

import asyncio
import json
import logging
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from webquarry.errors import WebquarryError
from webquarry.models.caller import Caller
from webquarry.observe.call_context import CallRecord
from webquarry.observe.timestamp import rfc3339
from webquarry.storage.key_names import name_of
from webquarry.storage.store import Store

logger = logging.getLogger(__name__)

NAMESPACE = "history"
DAYS_SHOWN = 14
_FLUSH_SECONDS = 1.0  # calls of one second are stored together
_MAX_SUBJECT = 200  # characters

Json = dict[str, Any]


class CallHistory:
    """Stores the calls of one user, a log for each day; written shortly after the call."""

    def __init__(
        self,
        store: Callable[[], Store],
        user: str,
        *,
        ttl: float,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._store = store
        self._user = user
        self._ttl = ttl
        self._clock = clock
        self._pending: list[tuple[str, Json]] = []  # with the tenant
        self._writer: asyncio.Task[None] | None = None

    def record(self, call: CallRecord) -> None:
        """Store a call soon; those of other and of authenticated users are not stored."""
        if call.caller.user != self._user or call.caller.proved:
            return
        self._pending.append((call.caller.tenant, _entry(call, self._clock())))
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write_later())

    async def close(self) -> None:
        """Store what is pending."""
        if self._writer is not None:
            self._writer.cancel()
            await asyncio.gather(self._writer, return_exceptions=True)
        await self._write()

    async def daily(self, caller: Caller) -> list[Json]:
        """Return the number of calls and failures of each of the last days, the oldest first."""
        days: list[Json] = []
        for day in reversed(self._days()):
            outcomes = Counter(entry["outcome"] == "ok" for entry in await self._read(caller, day))
            days.append({"day": day, "calls": outcomes.total(), "failed": outcomes[False]})
        return days

    async def latest(self, caller: Caller, count: int) -> list[Json]:
        """Return the latest calls, the newest first."""
        found: list[Json] = []
        for day in self._days():
            entries = await self._read(caller, day)
            found += sorted(entries, key=lambda entry: entry["at"], reverse=True)
            if len(found) >= count:
                break
        return found[:count]

    def _days(self) -> list[str]:
        today = datetime.fromtimestamp(self._clock(), UTC).date()
        return [(today - timedelta(days=n)).isoformat() for n in range(DAYS_SHOWN)]

    async def _read(self, caller: Caller, day: str) -> list[Json]:
        stored = await self._store().entries(_key(caller.tenant, caller.user, day)) or []
        return [entry for raw in stored if raw for entry in json.loads(raw)]

    async def _write_later(self) -> None:
        await asyncio.sleep(_FLUSH_SECONDS)
        await self._write()

    async def _write(self) -> None:
        pending, self._pending = self._pending, []
        batches: dict[str, list[Json]] = {}
        for tenant, entry in pending:
            key = _key(tenant, self._user, entry["at"][:10])
            batches.setdefault(key, []).append(entry)
        try:
            for key, entries in batches.items():
                await self._store().append(key, json.dumps(entries).encode(), ttl=self._ttl)
        except WebquarryError as error:  # the calls themselves have succeeded
            logger.warning("the call history was not stored: %s", error)


def _entry(call: CallRecord, now: float) -> Json:
    entry = {
        "at": rfc3339(now),
        "tool": call.tool,
        "subject": " ".join(call.subject.split())[:_MAX_SUBJECT],
        "via": call.caller.transport,
        "outcome": call.outcome,
        "milliseconds": round(1000 * call.seconds, 1),
        "cached": call.cached,
    }
    return entry | ({"verdict": dict(call.verdict)} if call.verdict else {})


def _key(tenant: str, user: str, day: str) -> str:
    return name_of(NAMESPACE, tenant, user, day)
