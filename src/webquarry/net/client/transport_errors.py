"""Puts the failures of the HTTP client into words."""

import socket

from webquarry.errors import NetworkError

# what to look for in the client's text, what it means to a person, and what to a program; the
# first match counts
_MEANINGS = (
    ("is_proxy_connect", "the proxy could not connect", "proxy"),
    ("NXDomain", "there is no such host", "dns_no_such_name"),
    ("dns error", "the name of the host could not be resolved", "dns_failed"),
    ("ConnectionRefused", "the connection was refused", "connection_refused"),
    ("CERTIFICATE_VERIFY_FAILED", "its certificate is not valid", "tls"),
    ("Ssl(", "the TLS handshake failed", "tls"),
    ("is_timeout", "there was no answer in time", "timeout"),
    ("tcp connect error", "the host cannot be reached", "unreachable"),
    ("ConnectionReset", "the connection was reset", "broken"),
    ("Parse(TooLarge)", "its headers are too large", "too_large"),
    ("IncompleteMessage", "the connection was closed without an answer", "broken"),
    ("Parse(", "the answer is not HTTP", "broken"),
    ("Invalid header", "a header cannot be sent", ""),
    ("is_decode", "the answer broke off", "broken"),
    ("is_body", "the answer broke off", "broken"),
)
_SILENT = frozenset({"ConnectionReset", "IncompleteMessage"})


class NoResponseError(NetworkError):
    """The connection was closed without a word.

    A server may do that to a connection it kept open just when it is asked again.
    """


def failure(error: Exception) -> NetworkError:
    """Return the error of ours that says what happened."""
    text = str(error)
    unknown = ("", f"the request failed ({type(error).__name__})", "")
    told, words, code = next((found for found in _MEANINGS if found[0] in text), unknown)
    kind = NoResponseError if told in _SILENT else NetworkError
    return kind(words, details={"detail": code} if code else None)


def broken(words: str) -> NetworkError:
    """Return the error of an answer that did not come to its end."""
    return NetworkError(words, details={"detail": "broken"})


def unconnected(error: OSError) -> NetworkError:
    """Return the error of a connection that could not be made."""
    if isinstance(error, socket.gaierror):
        unknown = error.errno in {socket.EAI_NONAME, getattr(socket, "EAI_NODATA", None)}
        looked_for = "NXDomain" if unknown else "dns error"
    else:
        refused = isinstance(error, ConnectionRefusedError)
        looked_for = "ConnectionRefused" if refused else "tcp connect error"
    return failure(OSError(looked_for))


def silent(error: Exception | None) -> NetworkError:
    """Return the error of a connection that was closed without a word."""
    reset = isinstance(error, ConnectionResetError)
    return failure(ConnectionError("ConnectionReset" if reset else "IncompleteMessage"))


def late() -> NetworkError:
    """Return the error of an answer that took too long."""
    return failure(TimeoutError("is_timeout"))
