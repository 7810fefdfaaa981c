"""A small token issuer on the loopback: discovery, a key set, keys that rotate."""

import base64
import json
import threading
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

AUDIENCE = "https://research.example.org"


def encoded(value: Any) -> str:
    """Return JSON as one part of a token."""
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


@dataclass(frozen=True)
class Signer:
    """A key pair and the name it is published under."""

    kid: str
    algorithm: str
    private: Any

    def sign(self, claims: dict[str, Any], **head: Any) -> str:
        return jwt.encode(
            claims, self.private, algorithm=self.algorithm, headers={"kid": self.kid} | head
        )

    def published(self) -> dict[str, Any]:
        public = self.private.public_key()
        kinds: dict[str, Any] = {
            "RS256": RSAAlgorithm, "ES256": ECAlgorithm, "EdDSA": OKPAlgorithm,
        }  # fmt: skip
        raw = kinds[self.algorithm].to_jwk(public, as_dict=True)
        return raw | {"kid": self.kid, "use": "sig", "alg": self.algorithm}

    def pem(self) -> bytes:
        """Return the public key, as everybody can have it."""
        return self.private.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )


def new_signer(kid: str, algorithm: str = "RS256", *, bits: int = 2048) -> Signer:
    makers = {
        "RS256": lambda: rsa.generate_private_key(65537, bits),
        "ES256": lambda: ec.generate_private_key(ec.SECP256R1()),
        "EdDSA": ed25519.Ed25519PrivateKey.generate,
    }
    return Signer(kid, algorithm, makers[algorithm]())


@dataclass
class Issuer:
    """A token issuer whose metadata and keys can be changed while it runs."""

    url: str = ""
    keys: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    requests: Counter[str] = field(default_factory=Counter[str])
    broken: bool = False
    discovery: dict[str, Any] | None = None  # None: the usual document

    @property
    def fetches(self) -> int:
        """Return how often the keys were fetched."""
        return self.requests["/keys"] + self.requests["/.well-known/jwks.json"]

    def answer(self, path: str) -> tuple[int, Any]:
        self.requests[path] += 1
        if self.broken:
            return 500, {}
        if path == "/.well-known/openid-configuration":
            usual = {"issuer": self.url, "jwks_uri": f"{self.url}/keys"}
            said = usual if self.discovery is None else self.discovery
            return (404, {}) if said == {} else (200, said)
        if path in {"/keys", "/.well-known/jwks.json"}:
            return 200, {"keys": self.keys}
        return 404, {}

    def claims(self, now: float, **others: Any) -> dict[str, Any]:
        """Return the claims of a good token, with some changed and those that are None left out."""
        usual = {"iss": self.url, "aud": AUDIENCE, "sub": "alice", "tenant_id": "acme",
                 "iat": int(now), "exp": int(now) + 300}  # fmt: skip
        return {name: value for name, value in (usual | others).items() if value is not None}


@contextmanager
def running_issuer() -> Generator[Issuer]:
    issuer = Issuer()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            status, said = issuer.answer(self.path)
            body = json.dumps(said).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        # the name of the argument is the library's
        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    issuer.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield issuer
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
