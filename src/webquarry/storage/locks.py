"""Waiting for a lock, holding it and giving it back: the part all stores share."""

import logging
import secrets
from collections.abc import AsyncGenerator, Awaitable
from contextlib import asynccontextmanager
from typing import Protocol

import anyio

from webquarry.storage.store import Lease, LockedError, expiry

_FIRST_PAUSE = 0.005
_LONGEST_PAUSE = 0.1

logger = logging.getLogger(__name__)


class Locks(Protocol):
    """What a database must be able to do, atomically, to offer locks."""

    def take(self, key: str, owner: str, ttl: float) -> Awaitable[int | None]:
        """Make `owner` the holder and return the fencing token, or None when it is taken."""
        ...

    def drop(self, key: str, owner: str) -> Awaitable[bool]:
        """Free the lock if `owner` still holds it; return whether it did."""
        ...


@asynccontextmanager
async def hold(locks: Locks, key: str, *, ttl: float, wait: float) -> AsyncGenerator[Lease]:
    """Hold `key` for the length of the `with` block."""
    expiry(0.0, ttl)  # refuses a lock that could never expire before anything is taken
    owner = secrets.token_hex(16)
    token = await _acquire(locks, key, owner, ttl=ttl, wait=wait)
    try:
        yield Lease(key, token)
    finally:
        # a cancelled holder must still give the lock back
        with anyio.CancelScope(shield=True):
            if not await locks.drop(key, owner):
                logger.warning("a lock expired before its holder was done after %s s", ttl)


async def _acquire(locks: Locks, key: str, owner: str, *, ttl: float, wait: float) -> int:
    deadline = anyio.current_time() + wait
    pause = _FIRST_PAUSE
    token: int | None = None
    while True:
        # cancelled half-way we would not know that we hold it
        with anyio.CancelScope(shield=True):
            token = await locks.take(key, owner, ttl)
        if token is not None:
            return token
        left = deadline - anyio.current_time()
        if left <= 0:
            raise LockedError(f"{key!r} is in use by another process after {wait:g} s; try again")
        await anyio.sleep(min(pause, left))
        pause = min(pause * 2, _LONGEST_PAUSE)
