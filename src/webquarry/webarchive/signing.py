"""The Ed25519 key of an installation, and the signature of a bundle."""

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_PURPOSE = b"webquarry evidence bundle v1\n"


@dataclass(frozen=True)
class SigningKey:
    """Signs bundles."""

    private: "Ed25519PrivateKey"

    @classmethod
    def from_seed(cls, seed: bytes) -> "SigningKey":
        """Return the key of 32 secret bytes."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return cls(Ed25519PrivateKey.from_private_bytes(seed))

    @property
    def public(self) -> str:
        """The public key in base64."""
        return base64.b64encode(self.private.public_key().public_bytes_raw()).decode()

    def sign(self, statement: Mapping[str, Any]) -> str:
        """Return the signature of a statement in base64."""
        return base64.b64encode(self.private.sign(_PURPOSE + canonical(statement))).decode()


def is_signed(statement: Mapping[str, Any], signature: str, public: str) -> bool:
    """Whether the holder of the public key has signed the statement."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        key = Ed25519PublicKey.from_public_bytes(base64.b64decode(public, validate=True))
        key.verify(base64.b64decode(signature, validate=True), _PURPOSE + canonical(statement))
    except (InvalidSignature, ValueError):
        return False
    return True


def fingerprint(public: str) -> str:
    """Return the short name of a public key, for people to compare."""
    digest = hashlib.sha256(public.encode()).hexdigest()[:32]
    return ":".join(digest[at : at + 4] for at in range(0, 32, 4))


def signing_key_path(data_dir: Path) -> Path:
    """Return the file with the secret of the installation."""
    return data_dir / "signing.key"


def canonical(statement: Mapping[str, Any]) -> bytes:
    """Return the bytes of a statement that are signed and time-stamped."""
    return json.dumps(statement, sort_keys=True, separators=(",", ":")).encode()
