"""Turns HTTP statuses into the error tree, once for all upstreams."""

import json
import math
import re
from email.utils import parsedate_to_datetime
from typing import Any, cast

from webquarry.errors import (
    AccessError,
    NotFoundError,
    ProviderError,
    RateLimitError,
    WebquarryError,
)
from webquarry.net.upstream.http_port import Response
from webquarry.observe.mask import mask

_LONGEST_MESSAGE = 200
_NOISE = re.compile(r"[\x00-\x20\x7f-\x9f\u2028\u2029]+")
_MESSAGE_KEYS = (
    "message",
    "error",
    "error_description",
    "detail",
    "description",
    "errors",
    "title",
)
_DEFAULT_WAIT = 60.0


class UnavailableError(ProviderError):
    """The upstream answered with HTTP 5xx."""


def error_of(provider: str, response: Response, today: float) -> WebquarryError:
    """Return the error that a refused request means to a caller."""
    status = response.status
    if _limited(response):
        return rate_limited(provider, wait_of(response, today))
    said = f"HTTP {status}{_said(response)}"
    if status in {401, 402, 403, 407}:
        return AccessError(
            f"Access refused ({provider}): {said}. Check its API key.", provider=provider
        )
    if status in {404, 410}:
        return NotFoundError(f"Not found ({provider}): {said}.", provider=provider)
    if status >= 500:
        return UnavailableError(
            f"Unavailable ({provider}): {said}. Retry later, or try a different provider.",
            provider=provider,
            retry_after=wait_of(response, today),
        )
    return ProviderError(
        f"Request refused ({provider}): {said}. Try a different provider.", provider=provider
    )


def rate_limited(provider: str, seconds: float | None) -> RateLimitError:
    """Return the error that says how long to wait."""
    wait = _DEFAULT_WAIT if seconds is None else max(1.0, seconds)
    return RateLimitError(
        f"Rate limited ({provider}). Wait {math.ceil(wait)} seconds and retry, "
        "or try a different provider.",
        provider=provider,
        retry_after=wait,
    )


def wait_of(response: Response, today: float) -> float | None:
    """Return the seconds an upstream asks us to wait; None when it does not say."""
    value = response.headers.get("retry-after", "").strip()
    if not value:
        return _until_reset(response.headers.get("x-ratelimit-reset", ""), today)
    if value.isascii() and value.replace(".", "", 1).isdigit():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - today)
    except (ValueError, OverflowError):
        return None


def _until_reset(value: str, today: float) -> float | None:
    if not (value.isascii() and value.isdigit() and len(value) < 12):
        return None
    # some send a moment, some a number of seconds
    moment = float(value)
    return max(0.0, moment - today) if moment > 10**9 else moment


def _limited(response: Response) -> bool:
    if response.status == 429:
        return True
    spent = response.headers.get("x-ratelimit-remaining", "").strip() == "0"
    return response.status == 403 and (spent or "retry-after" in response.headers)


def _said(response: Response) -> str:
    """Return the upstream's own words, short and without anything secret."""
    text = response.content[:4096].decode("utf-8", "replace").strip()
    if text.startswith("<"):
        return ""  # a web page says nothing that fits in a sentence
    if text.startswith(("{", "[")):
        text = _message(_json(response.content)) or ""
    # cleaned before it is cut, so that no part of a secret stays
    text = mask(_NOISE.sub(" ", text).strip())[:_LONGEST_MESSAGE].rstrip(" .")
    return f": {text}" if text else ""


def _json(content: bytes) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


def _message(found: Any, depth: int = 0) -> str | None:
    if isinstance(found, str):
        return found or None
    if depth > 3:
        return None
    if isinstance(found, list):
        first = next(iter(cast("list[Any]", found)), None)
        return _message(first, depth + 1)
    if isinstance(found, dict):
        known = cast("dict[str, Any]", found)
        said = (_message(known.get(key), depth + 1) for key in _MESSAGE_KEYS)
        return next((text for text in said if text), None)
    return None
