"""Masks credentials in logs, errors, audit events and traces."""

import base64
import binascii
import json
import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast
from urllib.parse import quote, quote_plus

MASK = "***"
_MIN_SECRET_LENGTH = 4  # a shorter secret would match everywhere
_MAX_DEPTH = 8

_NAME = (
    r"(?:[\w-]*[_-])?(?:api|access|admin|auth|client|id|private|refresh|secret|session)?"
    r"(?:key|token|secret|password|passwd|pwd)"
)
_HEADER = r"(?:proxy-)?authorization|x-[\w-]*(?:key|token)|api-key|(?:set-)?cookie"
_SECRET_NAME = re.compile(rf"(?:{_NAME}|{_HEADER})", re.IGNORECASE | re.ASCII)

Replacement = str | Callable[[re.Match[str]], str]


def _basic(match: re.Match[str]) -> str:
    # "basic research" is not a credential; base64 of user:password is
    try:
        credentials = base64.b64decode(match[2], validate=True)
    except binascii.Error:
        return match[0]
    return f"{match[1]}{MASK}" if b":" in credentials else match[0]


def _json_web_token(match: re.Match[str]) -> str:
    return MASK if match[1] else match[0]


@dataclass(frozen=True)
class _Credential:
    """A form of credential. Lower-case text without any of the hints has none."""

    hints: tuple[str, ...]
    pattern: re.Pattern[str]
    replacement: Replacement = MASK


_NAME_HINTS = ("key", "token", "secret", "passw", "pwd")
_AFTER = rf"\g<1>{MASK}"
_ANY_CASE = re.IGNORECASE | re.ASCII

# the order matters: named secrets come before texts that look like one
_PATTERNS = (
    # user:password@host in a URL
    _Credential(("://",), re.compile(r"(://[^\s/:@\"'<>]{0,256}:)[^\s/@\"'<>]+(?=@)"), _AFTER),
    # Header: value, also quoted
    _Credential(
        ("authorization", "key", "token", "cookie"),
        re.compile(
            rf"((?<![\w-])(?:{_HEADER})\\{{0,8}}[\"']?\s{{0,8}}[:=]\s{{0,8}}\\{{0,8}}[\"']?)"
            r"[^\s\"'\\](?:[^\r\n\"'\\]|\\(?![\"']))*",
            _ANY_CASE,
        ),
        _AFTER,
    ),
    # "name": "value" in JSON and 'name': 'value' in Python
    _Credential(
        _NAME_HINTS,
        re.compile(
            rf"((?P<q>\\{{0,8}}[\"']){_NAME}(?P=q)\s{{0,8}}:\s{{0,8}}(?P<v>\\{{0,8}}[\"']))"
            r"(?:(?!(?P=v))[^\\]|(?!(?P=v))\\.?)+",
            _ANY_CASE | re.DOTALL,
        ),
        _AFTER,
    ),
    # name=value in queries, forms and assignments
    _Credential(
        _NAME_HINTS,
        re.compile(rf"((?<![\w-]){_NAME}=[\"']?)[^\s&;#\"'<>]+", _ANY_CASE),
        _AFTER,
    ),
    _Credential(("bearer",), re.compile(r"\b(bearer\s+)[\w.~+/=-]{8,}", _ANY_CASE), _AFTER),
    _Credential(
        ("basic",), re.compile(r"\b(basic\s+)([A-Za-z0-9+/]{4,}={0,2})", _ANY_CASE), _basic
    ),
    # keys with a known prefix: Google, OpenAI and others, Brave, Tavily, GitHub, AWS
    _Credential(
        ("aiza", "sk-", "bsa", "tvly-", "gh", "akia"),
        re.compile(
            r"AIza[\w-]{20,}|\bsk-[\w-]{16,}|\bBSA[\w-]{16,}|\btvly-[\w-]{16,}"
            r"|\bgh[opsur]_\w{20,}|\bgithub_pat_\w{20,}|\bAKIA[0-9A-Z]{16}\b",
            re.ASCII,
        ),
    ),
    # JSON web tokens
    _Credential(
        ("eyj",), re.compile(r"\beyJ[\w-]{8,}+(\.[\w-]{8,}+\.[\w-]*+)?", re.ASCII), _json_web_token
    ),
)
# 256-bit keys in hexadecimal; their only hint is the length
_HEX = re.compile(r"(?<![0-9A-Za-z])[0-9A-Fa-f]{64}(?![0-9A-Za-z])")


def mask(text: str, secrets: Iterable[str] = ()) -> str:
    """Return the text with known secrets and anything like a credential replaced by ***."""
    for form in _forms(tuple(secrets)):
        if form in text:
            text = text.replace(form, MASK)
    lowered = text.lower()
    for credential in _PATTERNS:
        if any(hint in lowered for hint in credential.hints):
            text = credential.pattern.sub(credential.replacement, text)
    return _HEX.sub(MASK, text) if len(text) >= 64 else text


def mask_value(value: object, secrets: Iterable[str] = (), depth: int = 0) -> Any:
    """Return a JSON value with its texts masked; values with a secret name are replaced."""
    if isinstance(value, str):
        return mask(value, secrets)
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)  # JSON has no NaN
    if isinstance(value, Mapping) and depth < _MAX_DEPTH:
        pairs = cast("Mapping[object, object]", value).items()
        return {
            mask(str(key), secrets): MASK
            if _SECRET_NAME.fullmatch(str(key)) and isinstance(item, str)
            else mask_value(item, secrets, depth + 1)
            for key, item in pairs
        }
    if isinstance(value, list | tuple | set | frozenset) and depth < _MAX_DEPTH:
        items = cast("Iterable[object]", value)
        return [mask_value(item, secrets, depth + 1) for item in items]
    return mask(str(cast("object", value)), secrets)


@lru_cache(maxsize=64)
def _forms(secrets: tuple[str, ...]) -> tuple[str, ...]:
    """Return the secrets as they are, and as encoded in URLs, forms and JSON."""
    forms: set[str] = set()
    for secret in secrets:
        if len(secret) >= _MIN_SECRET_LENGTH:
            data = secret.encode("utf-8", "surrogatepass")
            forms |= {secret, quote(data, safe=""), quote(data), quote_plus(data)}
            forms |= {json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]}
    # longest first: one secret may be a prefix of another
    return tuple(sorted(forms, key=len, reverse=True))
