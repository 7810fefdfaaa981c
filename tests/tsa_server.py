"""A time stamping authority on loopback, made of `openssl ts`."""

import subprocess
import tempfile
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

_CONFIG = """[tsa]
default_tsa = authority
[authority]
serial = {folder}/serial
signer_digest = sha256
default_policy = 1.2.3.4
digests = sha256
ess_cert_id_alg = sha256
"""
_BEGIN, _END = datetime(2020, 1, 1, tzinfo=UTC), datetime(2120, 1, 1, tzinfo=UTC)


@dataclass
class Authority:
    """A running authority."""

    folder: Path
    port: int = 0
    respond: bytes | None = None  # instead of a time stamp
    requests: list[str] = field(default_factory=list[str])  # their content types

    @property
    def url(self) -> str:
        """Its URL."""
        return f"http://127.0.0.1:{self.port}/tsr"

    @property
    def roots(self) -> Path:
        """The certificate that vouches for it."""
        return self.folder / "root.pem"

    def stamp(self, request: bytes) -> bytes:
        """Return the response to a request."""
        query, reply = self.folder / "query.tsq", self.folder / "reply.tsr"
        query.write_bytes(request)
        names = {"config": "ts.cnf", "signer": "leaf.pem", "inkey": "key.pem"}
        command = ["openssl", "ts", "-reply", "-queryfile", str(query), "-out", str(reply)]
        for name, file in names.items():
            command += [f"-{name}", str(self.folder / file)]
        subprocess.run(command, check=True, capture_output=True)
        return reply.read_bytes()


@contextmanager
def serving_authority() -> Generator[Authority]:
    """Serve an authority with a certificate of its own."""
    with tempfile.TemporaryDirectory(prefix="tsa-") as name:
        authority = Authority(Path(name))
        _write_certificates(authority.folder)
        (authority.folder / "serial").write_text("01\n")
        (authority.folder / "ts.cnf").write_text(_CONFIG.format(folder=name))
        server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(authority))
        authority.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield authority
        finally:
            server.shutdown()
            server.server_close()
            thread.join()


def _handler(authority: Authority) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = self.rfile.read(int(self.headers["content-length"]))
            authority.requests.append(self.headers["content-type"])
            reply = authority.stamp(request) if authority.respond is None else authority.respond
            self.send_response(200)
            self.send_header("content-type", "application/timestamp-reply")
            self.send_header("content-length", str(len(reply)))
            self.end_headers()
            self.wfile.write(reply)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    return Handler


def _write_certificates(folder: Path) -> None:
    root_key, key = generate_private_key(SECP256R1()), generate_private_key(SECP256R1())
    root_name, name = _name("Owl Root"), _name("Owl Time")
    root = _certificate(root_name, root_name, root_key.public_key(), 1)
    leaf = _certificate(name, root_name, key.public_key(), 2)
    usage = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.TIME_STAMPING])
    root = root.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    signed_root = root.sign(root_key, SHA256())
    signed_leaf = leaf.add_extension(usage, critical=True).sign(root_key, SHA256())
    (folder / "root.pem").write_bytes(signed_root.public_bytes(Encoding.PEM))
    (folder / "leaf.pem").write_bytes(signed_leaf.public_bytes(Encoding.PEM))
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (folder / "key.pem").write_bytes(secret)


def _name(common: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common)])


def _certificate(
    subject: x509.Name, issuer: x509.Name, key: object, number: int
) -> x509.CertificateBuilder:
    builder = x509.CertificateBuilder().subject_name(subject).issuer_name(issuer)
    builder = builder.public_key(key).serial_number(number)  # type: ignore[arg-type]
    return builder.not_valid_before(_BEGIN).not_valid_after(_END)
