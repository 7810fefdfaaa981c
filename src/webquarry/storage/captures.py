"""What pages said when they were quoted, kept for those who quoted them."""

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
_MONTH = 30 * 86400.0


class Capture(Model):
    """The text of a page at a moment."""

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
    """Keeps captures for `ttl` seconds; only their tenant and owner can read them."""

    kinds = (_KIND,)

    def __init__(self, store: Store, *, ttl: float = _MONTH, clock: Clock = time.time) -> None:
        self._store = store
        self._ttl = ttl
        self._clock = clock

    async def keep(self, url: str, title: str, text: str, *, tenant: str, owner: str) -> Capture:
        """Keep the text; the same text of the same page again only lasts longer."""
        sha256 = digest(text)
        name = _name(tenant, owner, sha256, url)
        capture = await self.get(url, sha256, tenant=tenant, owner=owner) or Capture(
            url=url, title=title, captured_at=self._clock(), text=text, sha256=sha256
        )
        packed = zlib.compress(json.dumps(capture.model_dump()).encode())
        await self._store.set(name, packed, ttl=self._ttl)
        return capture

    async def get(self, url: str, sha256: str, *, tenant: str, owner: str) -> Capture | None:
        """Return the capture, or None when it has expired or never was the owner's."""
        entry = await self._store.get(_name(tenant, owner, sha256, url))
        return _read(entry.value) if entry else None

    async def export(self, tenant: str, user: str) -> list[Record]:
        """Return everything a person has, the oldest first."""
        found = [await self._store.get(name) for name in await self._names(tenant, user)]
        captures = [_read(entry.value) for entry in found if entry]
        ordered = sorted(captures, key=lambda capture: (capture.captured_at, capture.url))
        return [capture.model_dump() for capture in ordered]

    async def erase(self, tenant: str, user: str) -> int:
        """Remove everything a person has; return how many captures there were."""
        return sum([await self._store.delete(name) for name in await self._names(tenant, user)])

    async def _names(self, tenant: str, user: str) -> list[str]:
        return [name async for name in self._store.scan(name_of(_KIND, tenant, user, ""))]


def digest(text: str) -> str:
    """Return the hash that names a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _read(value: bytes) -> Capture:
    return Capture.model_validate(json.loads(zlib.decompress(value)))


def _name(tenant: str, owner: str, sha256: str, url: str) -> str:
    return name_of(_KIND, tenant, owner, sha256, digest(url)[:16])
