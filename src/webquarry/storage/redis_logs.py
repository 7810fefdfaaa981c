"""Logs in Redis: a list whose first item is the encrypted name and whose others are the entries."""

from collections.abc import Awaitable
from typing import Protocol, cast

from redis.asyncio import Redis

# a log of the key before this one is carried on under its new name
APPEND = """
if KEYS[2] and redis.call('EXISTS', KEYS[1]) == 0 and redis.call('EXISTS', KEYS[2]) == 1 then
  redis.call('RENAME', KEYS[2], KEYS[1])
  redis.call('LSET', KEYS[1], 0, ARGV[1])
end
if redis.call('EXISTS', KEYS[1]) == 0 then
  if ARGV[4] == '0' then return false end
  redis.call('RPUSH', KEYS[1], ARGV[1])
end
local length = redis.call('RPUSH', KEYS[1], ARGV[2])
if ARGV[3] == '' then redis.call('PERSIST', KEYS[1])
else redis.call('PEXPIRE', KEYS[1], ARGV[3]) end
return length - 1
"""


class _Lists(Protocol):
    """The two calls whose types the client library leaves open."""

    def llen(self, name: str) -> Awaitable[int]: ...
    def lrange(self, name: str, start: int, end: int) -> Awaitable[list[bytes]]: ...


async def opened_log(client: Redis, address: str, start: int) -> list[bytes] | None:
    """Return the sealed entries after the first `start`; None when there is no log."""
    lists = cast("_Lists", client)
    found = await lists.lrange(address, start + 1, -1)
    # nothing after `start` may also mean that the log is gone
    return found if found or await lists.llen(address) else None
