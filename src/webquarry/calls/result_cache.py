"""Remembers the answers of tools."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel

from webquarry.calls.tool import CacheRule
from webquarry.content.text.token_count import compact_json
from webquarry.models.result import Result
from webquarry.observe.call_context import person
from webquarry.storage.store import Store
from webquarry.storage.write_behind import WriteBehind


@dataclass(frozen=True)
class ToolOutput:
    """What a run produced, before it is shaped for one caller."""

    body: dict[str, Any] | None
    result: Result
    meta: dict[str, Any]
    asks: list[dict[str, Any]]  # which providers were asked for it, and how
    out: BaseModel | None = None  # the body as the handler returned it; not of a stored answer


class ResultCache:
    """The cache of the call path."""

    def __init__(self, store: Callable[[], Store]) -> None:
        self._store = store
        self._soon = WriteBehind(store, _encoded, whose=person.get)

    async def find(self, rule: CacheRule, key: str) -> ToolOutput | None:
        """Return the answer kept under `key`, with its age in `meta`."""
        if waiting := self._soon.get(key):
            answer, age = waiting
            return replace(answer, meta=freshness(age, rule.seconds, cached=True))
        entry = await self._store().get(key)
        if entry is None:
            return None
        kept = json.loads(entry.value)
        meta = freshness(time.time() - entry.stored_at, rule.seconds, cached=True)
        result = Result.model_validate(kept["result"])
        return ToolOutput(kept["body"], result, meta, kept.get("asks", []))

    def keep(self, rule: CacheRule, key: str, answer: ToolOutput) -> ToolOutput:
        """Remember the answer if it is worth it; return it as a fresh one."""
        if answer.body is not None and not answer.result.is_error and rule.keep(answer.body):
            self._soon.put(key, answer, rule.seconds)
        meta = answer.meta | freshness(0, rule.seconds, cached=False)
        return ToolOutput(answer.body, answer.result, meta, answer.asks, answer.out)

    async def close(self) -> None:
        """Store what is still to be stored."""
        await self._soon.close()


def _encoded(answer: ToolOutput) -> bytes:
    result = answer.result.model_dump(mode="json")
    kept = {"body": answer.body, "result": result, "asks": answer.asks}
    return compact_json(kept).encode("utf-8", "surrogatepass")


def freshness(age: float, lifetime: float, *, cached: bool) -> dict[str, Any]:
    """Return the cache provenance block of `_meta`."""
    age = max(0.0, age)
    share = age / lifetime
    label = "fresh" if share < 0.5 else "aging" if share < 0.8 else "expiring"
    return {
        "cached": cached,
        "ageSeconds": int(age),
        "maxAgeSeconds": int(lifetime),
        "freshness": label,
    }
