"""Webhooks of crawls and batches: where notifications go, and which."""

import json
import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from webquarry.models.cinder import Link
from webquarry.models.model import Model
from webquarry.models.short_schemas import ShortSchema

WebhookEvent = Literal["started", "page", "completed", "failed", "cancelled"]
# of clients that know the notifications of another API; they name the kind of job
WebhookStyle = Literal["webquarry", "firecrawl.crawl", "firecrawl.batch_scrape"]

_MAX_METADATA_BYTES = 4096
_MAX_HEADERS = 20
_HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}")
# printable: prevents header injection
_HEADER_VALUE = re.compile(r"[\x20-\x7e\t]{0,4000}")
_OWN_HEADERS = frozenset({"host", "content-type", "content-length", "connection", "te", "upgrade",
                          "transfer-encoding", "user-agent"})  # fmt: skip


def _checked_headers(headers: Mapping[str, str]) -> Mapping[str, str]:
    if len(headers) > _MAX_HEADERS:
        raise ValueError(f"at most {_MAX_HEADERS} headers are allowed")
    for name, value in headers.items():
        lower = name.lower()
        if not _HEADER_NAME.fullmatch(name) or not _HEADER_VALUE.fullmatch(value):
            raise ValueError(f"{name!r} is not a valid HTTP header")
        if lower in _OWN_HEADERS or lower.startswith("x-webquarry-"):
            raise ValueError(f"the header {name} cannot be set")
    return headers


def _checked_metadata(metadata: dict[str, Any]) -> dict[str, Any]:
    if len(json.dumps(metadata).encode()) > _MAX_METADATA_BYTES:
        raise ValueError(f"at most {_MAX_METADATA_BYTES} bytes of JSON are allowed")
    return metadata


class WebhookTarget(Model):
    """A URL that receives signed POST requests."""

    url: str = Field(min_length=1, max_length=8192, description="URL to POST to.")
    headers: Annotated[Mapping[str, str], AfterValidator(_checked_headers)] = Field(
        default_factory=dict[str, str], description="HTTP headers to add, stored encrypted."
    )
    metadata: Annotated[dict[str, Any], AfterValidator(_checked_metadata)] = Field(
        default_factory=dict[str, Any], description="Repeated in every notification."
    )
    secret: str | None = Field(
        default=None,
        min_length=16,
        max_length=255,
        description="Signs the notifications, instead of the secret of the server.",
    )


class Webhook(WebhookTarget):
    """A URL that receives a signed POST for each chosen event."""

    events: tuple[WebhookEvent, ...] = Field(
        default=("completed", "failed"),
        min_length=1,
        max_length=5,
        description="Events to send; page events list up to 64 new pages each.",
    )
    style: WebhookStyle = Field(
        default="webquarry", description="Whose form the notifications have."
    )


# models pass a URL; programs may choose events, headers, metadata and a secret
WebhookArgument = Annotated[Link | Webhook, ShortSchema(type="string")]


def webhook_in(request: bytes) -> Webhook | None:
    """Return the webhook of a stored request, which may be a plain URL."""
    stored = json.loads(request).get("webhook")
    if stored is None:
        return None
    return Webhook(url=stored) if isinstance(stored, str) else Webhook.model_validate(stored)
