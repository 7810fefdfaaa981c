"""Removes the operator's keys from captured exchanges with upstreams."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from webquarry.models.exchange import Exchange

_MIN_SECRET = 6  # characters; a shorter text would be replaced where it is none
_MASK = "***"
_SECRET_PARAMETER = re.compile(
    r"(?i)([?&][a-z_\-]{0,40}(?:key|password|secret|token|signature)=)[^&#]*"
)


def redactor(secrets: Sequence[str]) -> Callable[[Exchange], Exchange]:
    """Return what replaces these texts, and parameters named like keys, in an exchange."""
    known = sorted((each for each in secrets if len(each) >= _MIN_SECRET), key=len, reverse=True)

    def clean(text: str) -> str:
        for secret in known:
            text = text.replace(secret, _MASK)
        return _SECRET_PARAMETER.sub(rf"\g<1>{_MASK}", text)

    def clean_bytes(content: bytes) -> bytes:
        for secret in known:
            content = content.replace(secret.encode(), _MASK.encode())
        return content

    def redact(exchange: Exchange) -> Exchange:
        if exchange.kind != "api":  # pages are not asked with the operator's keys
            return exchange
        return replace(
            exchange,
            url=clean(exchange.url),
            request_body=clean_bytes(exchange.request_body),
            headers=tuple((name, clean(value)) for name, value in exchange.headers),
            body=clean_bytes(exchange.body),
        )

    return redact
