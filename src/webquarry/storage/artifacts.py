"""Artifacts: long results stored for their owner, to which a tool returns a link."""

import hashlib
import re
import time

from pydantic import Field

from webquarry.errors import BadInputError, NotFoundError
from webquarry.models.model import Model
from webquarry.storage.key_names import name_of, parts_of
from webquarry.storage.store import Clock, Store, StoredValue

_ID = re.compile(r"[0-9a-f]{64}")
_MIME = re.compile(r"[\w.+-]+/[\w.+-]+(;[^\r\n]*)?", re.ASCII)
_TEXT = re.compile(r"text/|[^;]*\b(json|jsonl|ndjson|xml)\b", re.IGNORECASE)
_MAX_CHARACTER_BYTES = 4


class Artifact(Model):
    """A stored result: what a caller needs to read it later."""

    id: str = Field(description="SHA-256 of the body, in hexadecimal.")
    uri: str = Field(description="Where to read it.")
    bytes: int = Field(description="Length of the body.")
    mime: str = Field(description="Media type of the body.")
    expires_at: float = Field(description="When it is dropped, in unix seconds.")


class Slice(Model):
    """A part of an artifact. Text is never cut inside a character."""

    chunk: bytes = Field(description="The bytes from `offset` on.")
    offset: int = Field(description="Where the chunk starts; a text may start a bit earlier.")
    total: int = Field(description="Length of the whole body in bytes.")
    mime: str = Field(description="Media type of the whole body.")
    next_offset: int | None = Field(description="Where to read on, or null at the end.")


class Artifacts:
    """Stores bodies for `ttl` seconds; only their tenant and owner can read them."""

    def __init__(self, store: Store, *, ttl: float = 1800, clock: Clock = time.time) -> None:
        self._store = store
        self._ttl = ttl
        self._clock = clock

    async def put(self, body: bytes, *, mime: str, tenant: str, owner: str) -> Artifact:
        """Store the body; the same body is the same artifact with a new expiry."""
        if not _MIME.fullmatch(mime):
            raise BadInputError(f"mime must be a media type such as text/plain, got {mime!r}")
        digest = hashlib.sha256(body).hexdigest()
        expires_at = self._clock() + self._ttl
        value = mime.encode() + b"\n" + body
        await self._store.set(_key(digest, tenant, owner), value, ttl=self._ttl)
        return Artifact(
            id=digest, uri=_uri(digest), bytes=len(body), mime=mime, expires_at=expires_at
        )

    async def read(
        self,
        artifact_id: str,
        *,
        tenant: str,
        owner: str,
        offset: int = 0,
        length: int | None = None,
    ) -> Slice:
        """Return `length` bytes from `offset`, or all the rest; continue at `next_offset`."""
        entry = None
        if _ID.fullmatch(artifact_id):
            entry = await self._store.get(_key(artifact_id, tenant, owner))
        if entry is None:
            raise NotFoundError(
                f"{_uri(artifact_id)} has expired or never existed; run the tool again"
            )
        head, _, body = entry.value.partition(b"\n")
        _check_range(len(body), offset, length)
        mime = head.decode()
        start, end = _byte_range(body, offset, length, text=bool(_TEXT.match(mime)))
        return Slice(
            chunk=body[start:end],
            offset=start,
            total=len(body),
            mime=mime,
            next_offset=end if end < len(body) else None,
        )

    async def list_owned(self, *, tenant: str, owner: str, max_count: int = 200) -> list[Artifact]:
        """Return the artifacts of an owner, the newest first, at most `max_count`."""
        artifacts: list[tuple[float, Artifact]] = []
        async for key in self._store.scan(_key("", tenant, owner)):
            if len(artifacts) == max_count:
                break
            if entry := await self._store.get(key):
                artifacts.append((entry.stored_at, _describe(parts_of(key)[-1], entry)))
        return [artifact for _, artifact in sorted(artifacts, key=lambda pair: -pair[0])]

    async def erase(self, *, tenant: str, owner: str) -> int:
        """Erase all artifacts of an owner; return how many there were."""
        keys = [key async for key in self._store.scan(_key("", tenant, owner))]
        return sum([await self._store.delete(key) for key in keys])


def _describe(digest: str, entry: StoredValue) -> Artifact:
    head, _, body = entry.value.partition(b"\n")
    return Artifact(
        id=digest,
        uri=_uri(digest),
        bytes=len(body),
        mime=head.decode(),
        expires_at=entry.expires_at or 0.0,
    )


def _key(digest: str, tenant: str, owner: str) -> str:
    return name_of("artifact", tenant, owner, digest)


def _uri(digest: str) -> str:
    return f"research://artifact/{digest}"


def _check_range(total: int, offset: int, length: int | None) -> None:
    if not 0 <= offset <= total:
        raise BadInputError(f"offset must be between 0 and {total}, got {offset}")
    if length is not None and length < 1:
        raise BadInputError(f"length must be at least 1, got {length}")


def _byte_range(body: bytes, offset: int, length: int | None, *, text: bool) -> tuple[int, int]:
    end = len(body) if length is None else min(offset + length, len(body))
    if not text:
        return offset, end
    start, end = _character_start(body, offset), _character_start(body, end)
    if end <= start < len(body):
        end = _character_end(body, start)  # one character is longer than the requested length
    return start, end


def _character_start(body: bytes, at: int) -> int:
    """Return `at`, or the start of the character that it would split."""
    if at >= len(body) or not _is_continuation(body[at]):
        return at
    for back in range(1, min(_MAX_CHARACTER_BYTES, at + 1)):
        if _width(body[at - back]) > back:
            return at - back
        if not _is_continuation(body[at - back]):
            break
    return at  # not UTF-8: there is no character to preserve


def _character_end(body: bytes, start: int) -> int:
    """Return the end of the character at `start`."""
    ends = range(start + 1, len(body))
    return next((at for at in ends if _character_start(body, at) > start), len(body))


def _width(first: int) -> int:
    """Return how many bytes a character with this first byte has."""
    if first >= 0xF0:
        return 4
    if first >= 0xE0:
        return 3
    return 2 if first >= 0xC0 else 1


def _is_continuation(byte: int) -> bool:
    return byte & 0xC0 == 0x80
