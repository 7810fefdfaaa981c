"""Time stamps by RFC 3161: a third party says that some bytes existed at a time."""

import hashlib
import ssl
import warnings
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from webquarry.errors import BadInputError

if TYPE_CHECKING:
    from cryptography.x509 import Certificate

StampStatus = Literal["valid", "untrusted", "invalid"]

# of OpenSSL: it compares the chain of certificates before the signature
_CHAIN_FAILURE = "certificate verify error"
_GRANTED = 0


@dataclass(frozen=True)
class ReadStamp:
    """What a time stamp says, and whether that is to be believed."""

    status: StampStatus
    reason: str = ""
    time: str = ""  # RFC 3339
    authority: str = ""  # name in the certificate that signed it


class StampRequest:
    """The request to a time stamping authority for some bytes."""

    def __init__(self, data: bytes) -> None:
        from rfc3161_client import HashAlgorithm, TimestampRequestBuilder

        builder = TimestampRequestBuilder().data(data).hash_algorithm(HashAlgorithm.SHA256)
        self._data = data
        self._request = builder.build()

    @property
    def content(self) -> bytes:
        """The bytes to send."""
        return self._request.as_bytes()

    def refusal(self, response: bytes) -> str:
        """Return why a response is no time stamp of these bytes; '' if it is one."""
        from rfc3161_client import decode_timestamp_response

        try:
            stamp = decode_timestamp_response(response)
            if stamp.status != _GRANTED:
                return f"it was refused: {' '.join(stamp.status_string) or stamp.status}"
            if stamp.tst_info.nonce != self._request.nonce:
                return "it belongs to another request"
            return "" if _is_about(stamp, self._data) else "it is about other bytes"
        except ValueError as error:
            return f"it is none ({error})"


def read_stamp(response: bytes, data: bytes, roots: Sequence["Certificate"]) -> ReadStamp:
    """Return what the response of an authority says about the bytes."""
    from rfc3161_client import decode_timestamp_response

    try:
        stamp = decode_timestamp_response(response)
        said = ReadStamp("valid", "", _time(stamp.tst_info.gen_time), _authority(stamp))
        if not _is_about(stamp, data):
            return replace(said, status="invalid", reason="it is about other bytes")
        status, reason = _verified(stamp, data, roots)
    # the library reads parts when they are asked for, and raises what its parsers do
    except Exception as error:  # noqa: BLE001
        return ReadStamp("invalid", f"it cannot be read ({error})")
    return replace(said, status=status, reason=reason)


def _verified(stamp: Any, data: bytes, roots: Sequence["Certificate"]) -> tuple[StampStatus, str]:
    from rfc3161_client import VerificationError, VerifierBuilder

    if not roots:
        return "untrusted", "there are no trusted certificates to compare"
    try:
        VerifierBuilder(roots=list(roots)).build().verify_message(stamp, data)
    except VerificationError as error:
        if _CHAIN_FAILURE in str(error):
            return "untrusted", "no trusted certificate vouches for that of the authority"
        return "invalid", "the signature of the authority does not fit"
    return "valid", ""


def system_roots() -> list["Certificate"]:
    """Return the certificates that this machine trusts."""
    return _loaded(ssl.create_default_context().get_ca_certs(binary_form=True))


def roots_in(path: Path) -> list["Certificate"]:
    """Return the certificates of a PEM file."""
    from cryptography.x509 import load_pem_x509_certificates

    try:
        return load_pem_x509_certificates(path.read_bytes())
    except OSError as error:
        raise BadInputError(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise BadInputError(f"{path} has no certificates in PEM format.") from error


def _loaded(certificates: Iterable[bytes]) -> list["Certificate"]:
    from cryptography.x509 import load_der_x509_certificate

    found: list[Certificate] = []
    with warnings.catch_warnings():  # about old roots that do not keep to the rules
        warnings.simplefilter("ignore")
        for each in certificates:
            with suppress(ValueError):
                found.append(load_der_x509_certificate(each))
    return found


def _is_about(stamp: Any, data: bytes) -> bool:
    return stamp.tst_info.message_imprint.message == hashlib.sha256(data).digest()


def _time(at: datetime) -> str:
    return at.isoformat().replace("+00:00", "Z")


def _authority(stamp: Any) -> str:
    """Return the name of the certificate that signed a stamp; '' if it is not included."""
    signers = {(each.issuer, each.serial_number) for each in stamp.signed_data.signer_infos}
    for each in _loaded(stamp.signed_data.certificates):
        if (each.issuer, each.serial_number) in signers:
            return each.subject.rfc4514_string()
    return ""
