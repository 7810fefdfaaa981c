"""HTTPS certificates are checked through the guard and by direct clients."""

import asyncio
import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.net.fetching import LOCAL, failure_of, loopback
from tests.net.servers import listen
from tests.replay import FakeClock
from webquarry.errors import NetworkError
from webquarry.net.client.direct import REQUESTS_THROUGH_GUARD
from webquarry.net.fetch import Fetcher, FetchRequest
from webquarry.net.guard.resolver import Resolver
from webquarry.net.guard.server import Guard

pytestmark = pytest.mark.anyio

OFTEN = REQUESTS_THROUGH_GUARD + 2  # the last requests use a direct client
NOW = datetime.now(UTC)
OVER = timedelta(days=-2)
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
async def https(wrapped: ssl.SSLContext) -> AsyncGenerator[int]:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await writer.start_tls(wrapped)  # a client that rejects the certificate causes an OSError
        while await reader.readline():
            while (await reader.readline()).strip():
                pass
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nowls")

    async with listen(answer) as port:
        yield port


@asynccontextmanager
async def fetcher(ca_file: Path) -> AsyncGenerator[Fetcher]:
    async with Guard(Resolver(LOCAL, lookup=loopback)) as guard:
        made = Fetcher(guard, ca_file=ca_file, clock=FakeClock().clock(), direct=True)
        yield made
        made.close()


async def test_a_certificate_of_a_known_authority_is_accepted(tmp_path: Path) -> None:
    known = authority(tmp_path, "known")
    async with https(context(tmp_path, known, VALID)) as port, fetcher(known.file) as reader:
        wanted = FetchRequest(url=f"https://owls.test:{port}/")
        pages = [(await reader.fetch(wanted)).content for _ in range(OFTEN)]

    assert pages == [b"owls"] * OFTEN


@pytest.mark.parametrize(
    ("signed_by", "host", "ends"),
    [
        ("stranger", "owls.test", VALID),
        ("known", "rooks.test", VALID),
        ("known", "owls.test", OVER),
    ],
    ids=["an unknown authority", "another name", "expired"],
)
async def test_any_other_certificate_is_rejected_through_the_guard_and_directly(
    tmp_path: Path, signed_by: str, host: str, ends: timedelta
) -> None:
    signers = {name: authority(tmp_path, name) for name in ("known", "stranger")}
    server = context(tmp_path, signers[signed_by], ends)
    async with https(server) as port, fetcher(signers["known"].file) as reader:
        url = f"https://{host}:{port}/"
        failures = [await failure_of(reader, url) for _ in range(OFTEN)]

    assert {type(failure) for failure in failures} == {NetworkError}
    assert {failure.details.get("detail") for failure in failures} == {"tls"}
