"""Captures: the text of pages when they were quoted, stored for those who quoted them."""

import hashlib
import json
import time
import zlib

from pydantic import Field

from webquarry.models.model import Model
from webquarry.storage.key_names import name_of
from webquarry.storage.personal_data import Record
from webquarry.storage.store import Clock, Store

_KIND = "capture"
_TTL = 30 * 86400.0


class Capture(Model):
    """The text of a page at one time."""

    url: str
    title: str = ""
    captured_at: float = Field(description="When it was read, in unix seconds.")
    text: str
    sha256: str = Field(description="Of the text in UTF-8.")

    @property
    def is_intact(self) -> bool:
        """Whether the text is the one that was hashed."""
        return digest(self.text) == self.sha256


class Captures:
    """Stores captures for `ttl` seconds; only their tenant and owner can read them."""

    kinds = (_KIND,)

    def __init__(self, store: Store, *, ttl: float = _TTL, clock: Clock = time.time) -> None:
        self._store = store
        self._ttl = ttl
        self._clock = clock

    async def save(self, url: str, title: str, text: str, *, tenant: str, owner: str) -> Capture:
        """Store the text; for the same text of the same page, renew the expiry only."""
        return await self.save_read_at(self._clock(), url, title, text, tenant=tenant, owner=owner)

    async def save_read_at(
        self, at: float, url: str, title: str, text: str, *, tenant: str, owner: str
    ) -> Capture:
        """Store a text that was read at an earlier time."""
        sha256 = digest(text)
        capture = await self.get(url, sha256, tenant=tenant, owner=owner) or Capture(
            url=url, title=title, captured_at=at, text=text, sha256=sha256
        )
        compressed = zlib.compress(json.dumps(capture.model_dump()).encode())
        await self._store.set(_key(tenant, owner, sha256, url), compressed, ttl=self._ttl)
        return capture

    async def get(self, url: str, sha256: str, *, tenant: str, owner: str) -> Capture | None:
        """Return the capture, or None if it has expired or belongs to another owner."""
        entry = await self._store.get(_key(tenant, owner, sha256, url))
        return _decode(entry.value) if entry else None

    async def export(self, tenant: str, user: str) -> list[Record]:
        """Return all captures of a person, the oldest first."""
        entries = [await self._store.get(key) for key in await self._keys(tenant, user)]
        captures = [_decode(entry.value) for entry in entries if entry]
        ordered = sorted(captures, key=lambda capture: (capture.captured_at, capture.url))
        return [capture.model_dump() for capture in ordered]

    async def erase(self, tenant: str, user: str) -> int:
        """Erase all captures of a person; return how many there were."""
        return sum([await self._store.delete(key) for key in await self._keys(tenant, user)])

    async def _keys(self, tenant: str, user: str) -> list[str]:
        return [key async for key in self._store.scan(name_of(_KIND, tenant, user, ""))]


def digest(text: str) -> str:
    """Return the hash that names a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _decode(value: bytes) -> Capture:
    return Capture.model_validate(json.loads(zlib.decompress(value)))


def _key(tenant: str, owner: str, sha256: str, url: str) -> str:
    return name_of(_KIND, tenant, owner, sha256, digest(url)[:16])
