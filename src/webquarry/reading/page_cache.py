"""Caches of earlier reads: pages for an hour in the store, failures in memory."""

import hashlib
import math
import sys
import time
from collections import OrderedDict
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, TypeVar

from pydantic import ValidationError

from webquarry.errors import Kind, WebquarryError
from webquarry.models.caller import Caller
from webquarry.models.model import Model
from webquarry.storage.store import Store
from webquarry.storage.write_behind import WriteBehind

M = TypeVar("M", bound=Model)

PAGE_SECONDS = 3600.0
# At most so long, and never longer than the error says to wait. Rejected URLs are not listed:
# rejecting one again is cheap, and a setting may have changed.
FAILURE_SECONDS: dict[Kind, float] = {
    "auth_required": 1800,
    "blocked": 1800,
    "not_found": 600,
    "content_empty": 600,
    "browser_unavailable": 300,
    "network": 120,
    "upstream_unavailable": 600,
    "rate_limited": 3600,
}
_MAX_FAILURES = 2000
_COMPRESSED_FROM = 2048  # bytes
_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"  # JSON never starts with it


class PageCache:
    """Readings and raw responses in the store."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock
        self._writes: WriteBehind[Model] = WriteBehind(lambda: store, _encoded, clock)

    async def get(self, key: str, model: type[M]) -> tuple[M, float] | None:
        """Return the cached value and its age in seconds; None when there is no usable one."""
        if (unwritten := self._writes.get(key)) and isinstance(unwritten[0], model):
            return unwritten[0], unwritten[1]
        entry = await self._store.get(key)
        if entry is None:
            return None
        try:
            value = model.model_validate_json(_decompressed(entry.value))
        except ValidationError:  # stored by a version with other fields
            return None
        return value, max(0.0, self._clock() - entry.stored_at)

    def put(self, key: str, value: Model, *, owner: Caller | None) -> None:
        """Store a value in the background, marked as the owner's."""
        self._writes.put(key, value, PAGE_SECONDS, owner=owner)

    async def close(self) -> None:
        """Finish the writes in the background."""
        await self._writes.flush()


def _encoded(value: Model) -> bytes:
    """Return the value as JSON, compressed: that takes less time than writing more bytes."""
    text = value.model_dump_json().encode()
    if len(text) <= _COMPRESSED_FROM:
        return text
    compressor = _compressor()
    return compressor.compress(text, mode=compressor.FLUSH_FRAME)


def _decompressed(value: bytes) -> bytes:
    return _zstd().decompress(value) if value.startswith(_ZSTD_MAGIC) else value


@cache  # creating one takes longer than using it
def _compressor() -> Any:
    return _zstd().ZstdCompressor(level=1)


def _zstd() -> Any:
    # imported here: it would slow down startup
    return import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")


class FailureCache:
    """Failed reads of this process, so that a dead page is not requested over and over."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failures: OrderedDict[str, tuple[float, WebquarryError]] = OrderedDict()

    def check(self, key: str) -> None:
        """Raise the cached failure of this key, if there is one."""
        failure = self._failures.get(key)
        if failure is None:
            return
        expires, error = failure
        left = expires - self._clock()
        if left <= 0:
            del self._failures[key]
            return
        raise type(error)(
            f"{error} (Cached failure; the next attempt is possible in {math.ceil(left)} seconds, "
            "or now with fresh=true.)",
            provider=error.provider,
            retry_after=left,
            details={**error.details, "cachedFailure": True},
        )

    def add(self, key: str, error: WebquarryError) -> None:
        """Cache a failure for as long as its kind usually lasts."""
        seconds = FAILURE_SECONDS.get(error.advice.kind)
        if seconds is None:
            return
        if error.advice.retryable:
            seconds = min(seconds, error.retry_after or 0.0)
        self._failures[key] = (self._clock() + seconds, error)
        self._failures.move_to_end(key)
        while len(self._failures) > _MAX_FAILURES:
            self._failures.popitem(last=False)


def cache_key(scope: str, *parts: object) -> str:
    """Return the store key of a read."""
    text = "\0".join(map(str, parts))
    return f"page:{scope}:{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()}"
