"""Encryption at rest: values are sealed with AES-256-GCM, names are blinded with HMAC.

A sealed blob is `version, expires_at, stored_at, nonce, ciphertext`. The header, the blinded name
and the part (label or body) are authenticated with it, so a blob that was changed, truncated, given
another expiry or moved to another name cannot be unsealed. Not hidden are sizes, times, and which
values share a namespace.
"""

import hmac
import math
import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from webquarry.storage.store import StoredValue

Kind = Literal["value", "counter", "log", "lock", "namespace"]
Part = Literal["label", "body"]

_VERSION = 1
_HEADER = struct.Struct(">Bdd")
_NONCE_BYTES = 12
_TAG_BYTES = 16
_NAME_BYTES = 16  # 128 bits of HMAC-SHA256: names do not collide


@dataclass(frozen=True, slots=True)
class Sealed:
    """One encrypted value: the label holds its name, the body its bytes."""

    name: bytes
    namespace: bytes | None
    label: bytes
    body: bytes


class Keyring:
    """Seals with the current key; unseals with it or the previous one."""

    def __init__(self, key: bytes, previous: bytes | None = None) -> None:
        self._current = _Cipher(key)
        self._all = (self._current,) if previous is None else (self._current, _Cipher(previous))

    def names(self, kind: Kind, key: str) -> tuple[bytes, ...]:
        """Return the blinded names of `key`, that of the current encryption key first."""
        return tuple(cipher.blind(kind, key) for cipher in self._all)

    def namespaces(self, key: str) -> tuple[bytes, ...]:
        """Return the blinded namespaces of `key`, in the order of its names."""
        return self.names("namespace", _namespace(key))

    def namespaces_to_scan(self, prefix: str) -> tuple[bytes, ...]:
        """Return the namespaces that keys starting with `prefix` can be in; none means any."""
        return self.namespaces(prefix) if ":" in prefix else ()

    def previous_names(self, kind: Kind, key: str) -> tuple[bytes, ...]:
        """Return the blinded names of `key` under the previous encryption key."""
        return tuple([cipher.blind(kind, key) for cipher in self._all[1:]])

    def seal(self, kind: Kind, key: str, entry: StoredValue) -> Sealed:
        """Return the entry ready to be stored."""
        return self.seal_all(kind, [(key, entry)])[0]

    def seal_all(self, kind: Kind, entries: list[tuple[str, StoredValue]]) -> list[Sealed]:
        """Return the entries ready to be stored."""
        nonces = _nonces(2 * len(entries))
        return [self._seal_entry(kind, key, entry, nonces) for key, entry in entries]

    def _seal_entry(
        self, kind: Kind, key: str, entry: StoredValue, nonces: Iterator[bytes]
    ) -> Sealed:
        name = self._current.blind(kind, key)
        label = StoredValue(_encode(key), entry.stored_at, entry.expires_at)
        return Sealed(
            name=name,
            namespace=self._current.blind("namespace", _namespace(key)),
            label=self._current.seal("label", name, label, next(nonces)),
            body=self._current.seal("body", name, entry, next(nonces)),
        )

    def seal_part(self, part: Part, name: bytes, entry: StoredValue) -> bytes:
        """Return one of several blobs under one blinded name."""
        return self._current.seal(part, name, entry)

    def seal_parts(self, part: Part, entries: list[tuple[bytes, StoredValue]]) -> list[bytes]:
        """Return many blobs, each under its own blinded name."""
        named = zip(entries, _nonces(len(entries)), strict=True)
        return [self._current.seal(part, name, entry, nonce) for (name, entry), nonce in named]

    def unseal(self, part: Part, name: object, blob: object) -> StoredValue | None:
        """Return what was sealed under that blinded name, or None if the blob is not authentic."""
        # a damaged database row may hold a number or NULL instead of bytes
        if not isinstance(name, bytes) or not isinstance(blob, bytes):
            return None
        entries = (cipher.unseal(part, name, blob) for cipher in self._all)
        return next((entry for entry in entries if entry is not None), None)

    def unseal_key(self, name: object, label: object) -> tuple[str, StoredValue] | None:
        """Return the key behind a blinded name, and the label with its times."""
        entry = self.unseal("label", name, label)
        return None if entry is None else (_decode(entry.value), entry)


class _Cipher:
    """The two keys derived from one master key."""

    def __init__(self, master: bytes) -> None:
        self._aes = AESGCM(_derive(master, b"webquarry storage: encryption"))
        self._blinding = _derive(master, b"webquarry storage: names")

    def blind(self, kind: Kind, key: str) -> bytes:
        message = kind.encode() + b"\0" + _encode(key)
        return hmac.digest(self._blinding, message, "sha256")[:_NAME_BYTES]

    def seal(self, part: Part, name: bytes, entry: StoredValue, nonce: bytes = b"") -> bytes:
        expires_at = math.inf if entry.expires_at is None else entry.expires_at
        header = _HEADER.pack(_VERSION, expires_at, entry.stored_at)
        nonce = nonce or os.urandom(_NONCE_BYTES)
        authenticated = part.encode() + name + header
        return header + nonce + self._aes.encrypt(nonce, entry.value, authenticated)

    def unseal(self, part: Part, name: bytes, blob: bytes) -> StoredValue | None:
        start = _HEADER.size + _NONCE_BYTES
        if len(blob) < start + _TAG_BYTES or blob[0] != _VERSION:
            return None
        header = blob[: _HEADER.size]
        try:
            value = self._aes.decrypt(
                blob[_HEADER.size : start], blob[start:], part.encode() + name + header
            )
        except InvalidTag:
            return None
        _, expires_at, stored_at = _HEADER.unpack(header)
        return StoredValue(value, stored_at, None if math.isinf(expires_at) else expires_at)


def _nonces(count: int) -> Iterator[bytes]:
    """Yield `count` nonces from one system call: each call releases the interpreter's lock."""
    data = os.urandom(_NONCE_BYTES * count)
    return (data[start : start + _NONCE_BYTES] for start in range(0, len(data), _NONCE_BYTES))


def _derive(master: bytes, purpose: bytes) -> bytes:
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=purpose).derive(master)


def _namespace(key: str) -> str:
    return key.partition(":")[0]


def _encode(key: str) -> bytes:
    # a key made from client input may hold lone surrogates
    return key.encode("utf-8", "surrogatepass")


def _decode(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogatepass")
