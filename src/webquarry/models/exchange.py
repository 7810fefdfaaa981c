"""Exchanges: one request and its response, as they went over the wire."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Fields = tuple[tuple[str, str], ...]  # of a header, in the order they were received
# `api`: from an upstream that the operator chose; `dom`, `screenshot`: made in the browser
ExchangeKind = Literal["page", "api", "dom", "screenshot"]
# why part of the body is missing, in the words of WARC-Truncated; '' if none is
Truncation = Literal["", "length", "disconnect", "unspecified"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One request and its response; the body still has its content encoding."""

    url: str
    at: float  # unix seconds, when the request was sent
    method: str = "GET"
    request_headers: Fields = ()
    request_body: bytes = b""
    status: int = 200
    headers: Fields = ()
    body: bytes = b""
    truncated: Truncation = ""
    kind: ExchangeKind = "page"
    tls: Mapping[str, str] = field(default_factory=dict[str, str])  # about the peer's certificate

    def header(self, name: str) -> str:
        """Return the first value of a response header, by its name in lower case, or ''."""
        return next((value for key, value in self.headers if key.lower() == name), "")
