"""The cache of tool results, in the store."""

import json
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from webquarry.calls.tool import CacheRule, ToolOutput
from webquarry.content.text.token_count import compact_json
from webquarry.models.caller import Caller
from webquarry.models.result import Result
from webquarry.storage.store import Store
from webquarry.storage.write_behind import WriteBehind


class ResultCache:
    """Stores outputs of tools that have a cache rule."""

    def __init__(self, store: Callable[[], Store]) -> None:
        self._store = store
        self._write_behind = WriteBehind(store, _encode)

    async def get(self, rule: CacheRule, key: str) -> ToolOutput | None:
        """Return the cached output, with its age in `meta`."""
        if pending := self._write_behind.get(key):
            output, age = pending
            return replace(output, meta=freshness(age, rule.seconds, cached=True))
        entry = await self._store().get(key)
        if entry is None:
            return None
        stored = json.loads(entry.value)
        return ToolOutput(
            stored["body"],
            Result.model_validate(stored["result"]),
            meta=freshness(time.time() - entry.stored_at, rule.seconds, cached=True),
            provider_calls=stored.get("asks", []),
        )

    def put(self, rule: CacheRule, key: str, output: ToolOutput, *, owner: Caller | None) -> None:
        """Cache the output if its rule allows, and describe it as fresh in `meta`."""
        # errors have no body
        if output.body is not None and rule.cacheable(output.body):
            self._write_behind.put(key, output, rule.seconds, owner=owner)
        output.meta |= freshness(0, rule.seconds, cached=False)

    async def close(self) -> None:
        """Write what is still pending."""
        await self._write_behind.flush()


def _encode(output: ToolOutput) -> bytes:
    result = (output.result or Result()).model_dump(mode="json")
    rest = compact_json({"result": result, "asks": output.provider_calls})
    body = output.body_text or compact_json(output.body)
    return f'{{"body":{body},{rest[1:]}'.encode("utf-8", "surrogatepass")


def freshness(age: float, lifetime: float, *, cached: bool) -> dict[str, Any]:
    """Return what `_meta` says about the age of a result."""
    age = max(0.0, age)
    share = age / lifetime
    label = "fresh" if share < 0.5 else "aging" if share < 0.8 else "expiring"
    return {
        "cached": cached,
        "ageSeconds": int(age),
        "maxAgeSeconds": int(lifetime),
        "freshness": label,
    }
