"""What the certificate of a server says, in a few words."""

import hashlib
from collections.abc import Mapping
from functools import lru_cache


@lru_cache(256)  # the pages of a site come with the same certificate
def peer_summary(certificate: bytes) -> Mapping[str, str]:
    """Return fingerprint, subject, issuer and end of a DER certificate; its names if readable."""
    from cryptography import x509

    summary = {"sha256": hashlib.sha256(certificate).hexdigest()}
    try:
        parsed = x509.load_der_x509_certificate(certificate)
        return summary | {
            "subject": parsed.subject.rfc4514_string(),
            "issuer": parsed.issuer.rfc4514_string(),
            "until": parsed.not_valid_after_utc.isoformat(),
        }
    except ValueError:  # the client accepted it; its names are only for readers
        return summary
