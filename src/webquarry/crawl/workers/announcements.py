"""Announcements of crawls in Redis: they wake workers, and nothing in them can be executed.

An announcement is the id of a crawl, encrypted and authenticated with the key of the installation.
Anything else in the stream is refused.
"""

import logging
from collections.abc import Mapping
from typing import Protocol, cast

from webquarry.crawl.store.encryption import CrawlCipher
from webquarry.errors import InternalError
from webquarry.storage.redis_connection import connect_redis, translated_redis_errors

logger = logging.getLogger(__name__)

STREAM = "webquarry:crawl-announcements"
_FIELD = b"job"
_NAME = b"crawl announcement"
_MAX_LENGTH = 1000  # of the stream; workers also find crawls in the database
_BLOCK_MILLISECONDS = 2000  # shorter than the timeout of the connection
_BATCH = 100


class Announcements:
    """Announces crawls to workers, and receives the announcements."""

    def __init__(self, redis_url: str, cipher: CrawlCipher) -> None:
        self._connection = connect_redis(redis_url)
        self._redis = cast("_Streams", self._connection)
        self._cipher = cipher
        self._last: bytes | None = None  # the id of the last message that was received
        self.refused = 0

    async def announce(self, job_id: str) -> None:
        """Wake the workers for a crawl."""
        message = {_FIELD: self._cipher.seal(_NAME, job_id.encode())}
        async with translated_redis_errors():
            await self._redis.xadd(STREAM, message, maxlen=_MAX_LENGTH, approximate=True)

    async def receive(self) -> list[str]:
        """Return the crawls announced since the last call; wait a moment if there are none."""
        async with translated_redis_errors():
            if self._last is None:
                newest = await self._redis.xrevrange(STREAM, count=1)
                self._last = newest[0][0] if newest else b"0-0"
            streams = await self._redis.xread(
                {STREAM: self._last}, count=_BATCH, block=_BLOCK_MILLISECONDS
            )
        jobs: list[str] = []
        for _, messages in streams:
            for message_id, fields in messages:
                self._last = message_id
                if (job := self._open(fields)) is not None:
                    jobs.append(job)
        return jobs

    async def close(self) -> None:
        """Disconnect."""
        await self._connection.aclose()

    def _open(self, fields: Mapping[bytes, bytes]) -> str | None:
        try:
            return self._cipher.unseal(_NAME, fields.get(_FIELD)).decode()
        except InternalError:
            self.refused += 1
        # a flood of forged messages must not fill the log
        if self.refused.bit_count() == 1:
            logger.warning(
                "refused an announcement of a crawl in Redis (%d so far): it was not sealed with"
                " the CACHE_ENCRYPTION_KEY of this worker; check that servers and workers have the"
                " same key, and who can write to Redis",
                self.refused,
            )
        return None


_Messages = list[tuple[bytes, dict[bytes, bytes]]]


class _Streams(Protocol):
    """The methods of the client library whose types depend on its options."""

    async def xadd(
        self, name: str, fields: Mapping[bytes, bytes], *, maxlen: int, approximate: bool
    ) -> bytes:
        """Add a message; return its id."""
        ...

    async def xrevrange(self, name: str, *, count: int) -> _Messages:
        """Return the newest messages."""
        ...

    async def xread(
        self, streams: Mapping[str, bytes], *, count: int, block: int
    ) -> list[tuple[bytes, _Messages]]:
        """Return the messages after the given ids, per stream."""
        ...
