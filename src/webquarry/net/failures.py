"""Puts the failures of the HTTP client into words."""

from webquarry.errors import NetworkError

# what to look for in the client's text, and what it means to a person; the first match counts
_MEANINGS = (
    ("NXDomain", "there is no such host"),
    ("dns error", "the name of the host could not be resolved"),
    ("ConnectionRefused", "the connection was refused"),
    ("CERTIFICATE_VERIFY_FAILED", "the certificate is not valid"),
    ("Ssl(", "the TLS handshake failed"),
    ("is_proxy_connect", "the proxy could not connect"),
    ("is_timeout", "no answer in time"),
    ("Unreachable", "the host cannot be reached"),
    ("tcp connect error", "the host cannot be reached"),
    ("ConnectionReset", "the connection was reset"),
    ("Parse(TooLarge)", "the headers are too large"),
    ("IncompleteMessage", "the connection was closed without an answer"),
    ("IncompleteBody", "the connection was closed in the middle of the answer"),
    ("Parse(", "the answer is not HTTP"),
    ("Invalid header", "a header cannot be sent"),
    ("is_decode", "the answer broke off"),
    ("is_body", "the answer broke off"),
)


def failure(error: Exception) -> NetworkError:
    """Return the error of ours that says what happened."""
    text = str(error)
    meaning = next((words for mark, words in _MEANINGS if mark in text), None)
    return NetworkError(meaning or f"the request failed ({type(error).__name__})")
