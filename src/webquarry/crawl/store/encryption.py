"""Encryption of crawls at rest: URLs, requests and pages are sealed; their names are blinded."""

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
        """Return a value that can be unsealed under this name only."""
        return self._keys.seal_part("body", name, StoredValue(value, 0.0))

    def seal_all(self, named: list[tuple[bytes, bytes]]) -> list[bytes]:
        """Return values, each of which can be unsealed under its own name only."""
        return self._keys.seal_parts(
            "body", [(name, StoredValue(value, 0.0)) for name, value in named]
        )

    def unseal(self, name: bytes, blob: object) -> bytes:
        """Return what was sealed; `InternalError` for a blob that was changed or moved."""
        entry = self._keys.unseal("body", name, blob)
        if entry is None:
            raise InternalError("a stored crawl was damaged or sealed with another key")
        return entry.value

    def owner_names(self, tenant: str, user: str) -> tuple[bytes, ...]:
        """Return the blinded names of an owner, that of the current key first."""
        return self._keys.names("namespace", f"crawl owner:{json.dumps((tenant, user))}")

    def tenant_names(self, tenant: str) -> tuple[bytes, ...]:
        """Return the blinded names of a tenant."""
        return self._keys.names("namespace", f"crawl tenant:{tenant}")

    def blind(self, kind: str, text: str) -> bytes:
        """Return a blinded name, for example of a host."""
        return self._keys.names("namespace", f"crawl {kind}:{text}")[0]

    def encode_visit(self, visit: PreviousVisit | None) -> bytes:
        """Return what the next crawl needs to know of a page, to be sealed."""
        if visit is None:
            return b""
        return json.dumps((visit.etag, visit.last_modified, visit.hash)).encode()

    def decode_visit(self, key: bytes, blob: object) -> PreviousVisit | None:
        """Return what the previous crawl stored about a page."""
        if blob is None:
            return None
        etag, last_modified, digest = json.loads(self.unseal(key, blob))
        return PreviousVisit(etag=etag, last_modified=last_modified, hash=digest)
