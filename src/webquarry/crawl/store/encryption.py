"""Encryption of crawls at rest. URLs, requests and pages are sealed; what names them is blinded."""

import json

from webquarry.crawl.store.crawl_values import PreviousVisit
from webquarry.errors import InternalError
from webquarry.storage.cipher import Keyring
from webquarry.storage.store import StoredValue


class CrawlCipher:
    """Seals values under names, with the keys of the store."""

    def __init__(self, keys: Keyring) -> None:
        self._keys = keys

    def seal(self, name: bytes, value: bytes) -> bytes:
        """Return a value that opens under this name only."""
        return self._keys.seal_part("body", name, StoredValue(value, 0.0))

    def seal_all(self, named: list[tuple[bytes, bytes]]) -> list[bytes]:
        """Return values each of which opens under its own name only."""
        return self._keys.seal_parts(
            "body", [(name, StoredValue(value, 0.0)) for name, value in named]
        )

    def open(self, name: bytes, blob: object) -> bytes:
        """Return what was sealed; a blob that was changed or moved is refused."""
        entry = self._keys.open("body", name, blob)
        if entry is None:
            raise InternalError("a stored crawl was damaged or sealed with another key")
        return entry.value

    def owners(self, tenant: str, user: str) -> tuple[bytes, ...]:
        """Return what an owner is called, under the current key first."""
        return self._keys.names("namespace", f"crawl owner:{json.dumps((tenant, user))}")

    def tenants(self, tenant: str) -> tuple[bytes, ...]:
        """Return what a tenant is called."""
        return self._keys.names("namespace", f"crawl tenant:{tenant}")

    def name(self, kind: str, text: str) -> bytes:
        """Return something blinded, like the name of a host."""
        return self._keys.names("namespace", f"crawl {kind}:{text}")[0]

    def noted(self, memory: PreviousVisit | None) -> bytes:
        """Return what the next crawl needs of a page, to be sealed."""
        if memory is None:
            return b""
        return json.dumps((memory.etag, memory.last_modified, memory.hash)).encode()

    def recall(self, key: bytes, blob: object) -> PreviousVisit | None:
        """Return what the crawl before knew of a page."""
        if blob is None:
            return None
        etag, last_modified, digest = json.loads(self.open(key, blob))
        return PreviousVisit(etag=etag, last_modified=last_modified, hash=digest)
