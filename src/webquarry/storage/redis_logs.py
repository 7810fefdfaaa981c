"""Logs in Redis: a list whose first item is the encrypted name and whose others are the entries."""

from collections.abc import Awaitable
from typing import Protocol, cast

from redis.asyncio import Redis

# a log of the previous encryption key continues under its new name
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
    """The two methods that the client library does not type."""

    def llen(self, name: str) -> Awaitable[int]: ...
    def lrange(self, name: str, start: int, end: int) -> Awaitable[list[bytes]]: ...


async def sealed_entries(client: Redis, redis_key: str, start: int) -> list[bytes] | None:
    """Return the sealed entries after the first `start`; None when there is no log."""
    lists = cast("_Lists", client)
    entries = await lists.lrange(redis_key, start + 1, -1)
    # no entry after `start` may also mean that the log does not exist
    return entries if entries or await lists.llen(redis_key) else None
