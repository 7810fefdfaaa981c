"""TLS servers for tests, with certificates of their own authority."""

import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.net.fetching import LOCAL, loopback
from tests.replay import FakeClock
from webquarry.net.fetch import Fetcher
from webquarry.net.guard.resolver import Resolver
from webquarry.net.guard.server import Guard

NOW = datetime.now(UTC)
VALID = timedelta(days=2)


@dataclass(frozen=True)
class CertificateAuthority:
    """A certificate authority for tests."""

    key: ec.EllipticCurvePrivateKey
    name: x509.Name
    file: Path


def authority(folder: Path, name: str) -> CertificateAuthority:
    key = ec.generate_private_key(ec.SECP256R1())
    called = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    made = _certificate(called, called, key, VALID).add_extension(
        x509.BasicConstraints(ca=True, path_length=None), critical=True
    )
    file = folder / f"{name}.pem"
    file.write_bytes(made.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    return CertificateAuthority(key, called, file)


def context(folder: Path, signer: CertificateAuthority, ends: timedelta) -> ssl.SSLContext:
    """Return the TLS context of a server for owls.test."""
    key = ec.generate_private_key(ec.SECP256R1())
    called = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "owls.test")])
    made = _certificate(called, signer.name, key, ends).add_extension(
        x509.SubjectAlternativeName([x509.DNSName("owls.test")]), critical=False
    )
    pem, secret = folder / "server.pem", folder / "server.key"
    signed = made.sign(signer.key, hashes.SHA256())
    pem.write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    secret.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    made_for = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    made_for.load_cert_chain(pem, secret)
    return made_for


def _certificate(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, ends: timedelta
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(NOW - timedelta(days=9))
        .not_valid_after(NOW + ends)
    )


@asynccontextmanager
async def fetching_with(ca_file: Path) -> AsyncGenerator[Fetcher]:
    """Return a fetcher that knows this authority."""
    async with Guard(Resolver(LOCAL, lookup=loopback)) as guard:
        made = Fetcher(guard, ca_file=ca_file, clock=FakeClock().clock(), direct=True)
        yield made
        made.close()
