"""What is remembered of earlier reads: pages for an hour, failures for as long as they last."""

import hashlib
import sys
import time
from collections import OrderedDict
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, TypeVar

from webquarry.errors import Kind, WebquarryError
from webquarry.models.model import Model
from webquarry.observe.call_context import person
from webquarry.storage.store import Store
from webquarry.storage.write_behind import WriteBehind

M = TypeVar("M", bound=Model)

PAGE_SECONDS = 3600.0
# a refused URL costs nothing to refuse again, and a setting may have changed
FAILURE_SECONDS: dict[Kind, float] = {
    "auth_required": 1800,
    "blocked": 1800,
    "not_found": 600,
    "content_empty": 600,
    "browser_unavailable": 300,
    "network": 120,
    "rate_limited": 90,
}
_MOST_FAILURES = 2000
_FOLDED = 2048  # bytes from which compressing pays
_MAGIC = b"\x28\xb5\x2f\xfd"  # what zstd begins with, and JSON never


class PageCache:
    """Readings in the store."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock
        self._soon: WriteBehind[Model] = WriteBehind(
            lambda: store, _encoded, clock, whose=person.get
        )

    async def get(self, key: str, model: type[M]) -> tuple[M, float] | None:
        """Return what was read and how many seconds ago; None when nothing usable is there."""
        if (waiting := self._soon.get(key)) and isinstance(waiting[0], model):
            return waiting[0], waiting[1]
        entry = await self._store.get(key)
        if entry is None:
            return None
        age = max(0.0, self._clock() - entry.stored_at)
        return model.model_validate_json(_unfolded(entry.value)), age

    def keep(self, key: str, value: Model) -> None:
        """Keep what was read."""
        self._soon.put(key, value, PAGE_SECONDS)

    async def close(self) -> None:
        """Store what is still to be stored."""
        await self._soon.close()


def _encoded(value: Model) -> bytes:
    """Return the value as JSON, compressed: that takes less time than writing it out."""
    text = value.model_dump_json().encode()
    if len(text) <= _FOLDED:
        return text
    folder = _folder()
    return folder.compress(text, mode=folder.FLUSH_FRAME)


def _unfolded(value: bytes) -> bytes:
    return _zstd().decompress(value) if value.startswith(_MAGIC) else value


@cache  # making one takes longer than using it
def _folder() -> Any:
    return _zstd().ZstdCompressor(level=1)


def _zstd() -> Any:
    # imported here: a start has no time for it
    return import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")


class FailureCache:
    """Failed reads of this process, so that a dead page is not asked for again and again."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._known: OrderedDict[str, tuple[float, WebquarryError]] = OrderedDict()

    def check(self, key: str) -> None:
        """Raise the failure of a moment ago, if there was one."""
        found = self._known.get(key)
        if found is None:
            return
        ends, error = found
        left = ends - self._clock()
        if left <= 0:
            del self._known[key]
            return
        raise type(error)(
            f"{error} (Known from an earlier try; it is tried again in {left:.0f} seconds.)",
            provider=error.provider,
            retry_after=left,
            details={**error.details, "cachedFailure": True},
        )

    def note(self, key: str, error: WebquarryError) -> None:
        """Remember a failure for as long as its kind lasts."""
        seconds = FAILURE_SECONDS.get(error.advice.kind)
        if seconds is None:
            return
        if error.advice.kind == "rate_limited" and error.retry_after:
            seconds = error.retry_after
        self._known[key] = (self._clock() + seconds, error)
        self._known.move_to_end(key)
        while len(self._known) > _MOST_FAILURES:
            self._known.popitem(last=False)


def key_of(scope: str, *parts: object) -> str:
    """Return the name under which a read is kept."""
    text = "\0".join(map(str, parts))
    return f"page:{scope}:{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()}"
