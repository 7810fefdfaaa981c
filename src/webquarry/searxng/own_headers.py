"""Headers that the operator configured for their own instances."""

import base64
import re
from collections.abc import Mapping

_TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
# a comma ends a value only where another "Name:" follows
_PAIRS = re.compile(r",\s*(?=[A-Za-z0-9!#$%&'*+.^_`|~-]+\s*:)")


def own_headers(basic_auth: str, headers: str) -> Mapping[str, str]:
    """Return the headers for the operator's own instances: credentials and further headers."""
    credentials: dict[str, str] = {}
    if basic_auth:
        credentials["Authorization"] = f"Basic {base64.b64encode(basic_auth.encode()).decode()}"
    return merge(credentials, dict(parse_headers(headers)))


def parse_headers(text: str) -> list[tuple[str, str]]:
    """Return the pairs of `Name: value, Other: value`; `ValueError` for any other text."""
    pairs: list[tuple[str, str]] = []
    for part in _PAIRS.split(text.strip()):
        name, colon, value = part.partition(":")
        if not part:
            continue
        if not colon or not _TOKEN.fullmatch(name.strip()) or not value.strip().isprintable():
            raise ValueError("not a list of headers")
        pairs.append((name.strip(), value.strip()))
    return pairs


def merge(*mappings: Mapping[str, str]) -> dict[str, str]:
    """Return all headers; a later one replaces an earlier one, whatever their case."""
    merged: dict[str, tuple[str, str]] = {}
    for headers in mappings:
        merged |= {name.lower(): (name, value) for name, value in headers.items()}
    return dict(merged.values())
