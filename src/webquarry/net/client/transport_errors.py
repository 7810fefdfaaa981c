"""Translates connection and protocol failures of the HTTP client into `NetworkError`."""

import socket

from webquarry.errors import NetworkError

# text in the client's error, message for people, code for programs; the first match counts
_MEANINGS = (
    ("is_proxy_connect", "the proxy could not connect", "proxy"),
    ("NXDomain", "DNS lookup failed (no such host)", "dns_no_such_name"),
    ("dns error", "DNS lookup failed", "dns_failed"),
    ("ConnectionRefused", "the connection was refused", "connection_refused"),
    ("CERTIFICATE_VERIFY_FAILED", "its certificate is not valid", "tls"),
    ("Ssl(", "the TLS handshake failed", "tls"),
    ("is_timeout", "there was no response in time", "timeout"),
    ("tcp connect error", "the host cannot be reached", "unreachable"),
    ("ConnectionReset", "the connection was reset", "broken"),
    ("Parse(TooLarge)", "its headers are too large", "too_large"),
    ("IncompleteMessage", "the connection was closed without a response", "broken"),
    ("Parse(", "the response is not HTTP", "broken"),
    ("Invalid header", "a header cannot be sent", ""),
    ("is_decode", "the response was cut off", "broken"),
    ("is_body", "the response was cut off", "broken"),
)
_NO_RESPONSE = frozenset({"ConnectionReset", "IncompleteMessage"})


class NoResponseError(NetworkError):
    """The connection was closed before any response.

    A server may close an idle connection just as the next request is sent on it.
    """


def network_error(error: Exception) -> NetworkError:
    """Return the `NetworkError` for an error of the HTTP client."""
    text = str(error)
    unknown = ("", f"the request failed ({type(error).__name__})", "")
    marker, message, code = next((row for row in _MEANINGS if row[0] in text), unknown)
    kind = NoResponseError if marker in _NO_RESPONSE else NetworkError
    return kind(message, details={"detail": code} if code else None)


def broken_response_error(message: str) -> NetworkError:
    """Return the error of an incomplete or invalid response."""
    return NetworkError(message, details={"detail": "broken"})


def connect_error(error: OSError) -> NetworkError:
    """Return the error of a connection that could not be made."""
    if isinstance(error, socket.gaierror):
        unknown = error.errno in {socket.EAI_NONAME, getattr(socket, "EAI_NODATA", None)}
        marker = "NXDomain" if unknown else "dns error"
    else:
        refused = isinstance(error, ConnectionRefusedError)
        marker = "ConnectionRefused" if refused else "tcp connect error"
    return network_error(OSError(marker))


def no_response_error(error: Exception | None) -> NetworkError:
    """Return the error of a connection that was closed before any response."""
    reset = isinstance(error, ConnectionResetError)
    return network_error(ConnectionError("ConnectionReset" if reset else "IncompleteMessage"))


def timeout_error() -> NetworkError:
    """Return the error of a response that took too long."""
    return network_error(TimeoutError("is_timeout"))
