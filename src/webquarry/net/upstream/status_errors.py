"""Translates HTTP statuses of upstream APIs into the error classes."""

import json
import math
import re
from email.utils import parsedate_to_datetime
from typing import Any, cast

from webquarry.content.text.length_limits import cap_text
from webquarry.errors import (
    AccessError,
    Advice,
    NotFoundError,
    ProviderError,
    RateLimitError,
    WebquarryError,
)
from webquarry.net.client.response import FetchedResponse, Headers
from webquarry.observe.mask import mask

_MAX_MESSAGE_LENGTH = 200
_MAX_MESSAGE_DEPTH = 3
_CONTROL_CHARACTERS = re.compile(r"[\x00-\x20\x7f-\x9f\u2028\u2029]+")
_MESSAGE_KEYS = (
    "message",
    "error",
    "error_description",
    "detail",
    "description",
    "errors",
    "title",
)
_MARKUP = re.compile(r"<(?:!doctype|!--|\?xml|[a-z][a-z0-9]*[\s/>])", re.IGNORECASE)
_DEFAULT_WAIT = 60.0
_KEY_STATUSES = frozenset({400, 422})
# Google, Brave, FRED, NCBI and OAuth token endpoints (EPO) reject keys with 400 or 422
_KEY_REJECTED = re.compile(
    r"API_KEY_INVALID|API_KEY_EXPIRED|SUBSCRIPTION_TOKEN_INVALID|invalid_client"
    r"|API key (?:not valid|expired|invalid|is (?:invalid|missing|not valid))"
    r"|invalid (?:API )?(?:key|token)|variable api_key",
    re.IGNORECASE,
)
_TEMPORARY = frozenset({408, 423, 425})
_PERMANENT = frozenset({501, 505, 506, 508, 510, 511})


class UnavailableError(ProviderError):
    """The upstream fails for now."""


class RequestRefusedError(ProviderError):
    """The upstream rejects the request, and will reject it again."""

    advice = Advice("upstream_unavailable", retryable=False, action="try_different_provider")

    def block(self) -> dict[str, Any]:
        """Advise another provider only if there is one."""
        found = super().block()
        return found if self.alternatives else found | {"suggestedAction": "inform_user"}


class CreditsError(RequestRefusedError):
    """The account has no credits left, so the upstream serves no request."""


def error_for_status(
    provider: str, response: FetchedResponse, now: float, key_advice: str = ""
) -> WebquarryError:
    """Return the error for a response that is not a success.

    `key_advice` says which setting holds the key, and where to get one.
    """
    status = response.status
    if _is_rate_limited(response):
        return rate_limited(provider, retry_after(response.headers, now))
    reason = f"HTTP {status}{_upstream_message(response)}"
    if status == 402:
        return CreditsError(
            f"No credits ({provider}): {reason}. Its account must be topped up.", provider=provider
        )
    if status in {401, 403, 407} or _rejects_key(response):
        advice = key_advice or "Check its API key."
        return AccessError(f"Access refused ({provider}): {reason}. {advice}", provider=provider)
    if status in {404, 410}:
        return NotFoundError(f"Not found ({provider}): {reason}.", provider=provider)
    if is_temporary(status):
        return UnavailableError(
            f"Unavailable ({provider}): {reason}. Retry later, or try a different provider.",
            provider=provider,
            retry_after=retry_after(response.headers, now),
        )
    return RequestRefusedError(f"Request refused ({provider}): {reason}.", provider=provider)


def _rejects_key(response: FetchedResponse) -> bool:
    """Tell whether an upstream rejects its key with a status that other errors have as well."""
    text = cap_text(response.content, 4096).decode("utf-8", "replace")
    return response.status in _KEY_STATUSES and bool(_KEY_REJECTED.search(text))


def is_temporary(status: int) -> bool:
    """Tell whether an error status may be another one at the next attempt."""
    return status in _TEMPORARY or (status >= 500 and status not in _PERMANENT)


def rate_limited(provider: str, seconds: float | None) -> RateLimitError:
    """Return the error that says how long to wait."""
    wait = _DEFAULT_WAIT if seconds is None else max(1.0, seconds)
    return RateLimitError(
        f"Rate limited ({provider}). Wait {math.ceil(wait)} seconds and retry, "
        "or try a different provider.",
        provider=provider,
        retry_after=wait,
    )


def retry_after(headers: Headers, now: float) -> float | None:
    """Return the seconds to wait as the headers of a response say; None if they do not."""
    value = headers.get("retry-after", "").strip()
    if not value:
        return _until_reset(headers.get("x-ratelimit-reset", ""), now)
    if value.isascii() and value.replace(".", "", 1).isdigit():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - now)
    except (ValueError, OverflowError):
        return None


def _until_reset(value: str, now: float) -> float | None:
    if not (value.isascii() and value.isdigit() and len(value) < 12):
        return None
    # some upstreams send a timestamp, others a number of seconds
    reset = float(value)
    return max(0.0, reset - now) if reset > 10**9 else reset


def _is_rate_limited(response: FetchedResponse) -> bool:
    if response.status == 429:
        return True
    exhausted = response.headers.get("x-ratelimit-remaining", "").strip() == "0"
    return response.status == 403 and (exhausted or "retry-after" in response.headers)


def _upstream_message(response: FetchedResponse) -> str:
    """Return the upstream's own message, short and without secrets."""
    text = cap_text(response.content, 4096).decode("utf-8", "replace").strip()
    if text.startswith("<"):
        return ""  # an HTML page has no short message
    if text.startswith(("{", "[")):
        text = _message_in(_json(response.content)) or ""
    text = _MARKUP.split(text, maxsplit=1)[0]  # a message may quote the page of a proxy
    # masked before it is cut, so that no part of a secret stays
    text = mask(_CONTROL_CHARACTERS.sub(" ", text).strip())[:_MAX_MESSAGE_LENGTH].rstrip(" .")
    return f": {text}" if text else ""


def _json(content: bytes) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


def _message_in(value: Any, depth: int = 0) -> str | None:
    """Return the first message in a JSON error, under the usual keys."""
    if isinstance(value, str):
        return value or None
    if depth > _MAX_MESSAGE_DEPTH:
        return None
    if isinstance(value, list):
        first = next(iter(cast("list[Any]", value)), None)
        return _message_in(first, depth + 1)
    if isinstance(value, dict):
        fields = cast("dict[str, Any]", value)
        messages = (_message_in(fields.get(key), depth + 1) for key in _MESSAGE_KEYS)
        return next((message for message in messages if message), None)
    return None
