"""Notifications in the form of another API, for receivers that were written for it."""

import hashlib
import hmac
from typing import Any

from webquarry.models.webhook import Webhook

Json = dict[str, Any]


def styled_body(webhook: Webhook, body: Json) -> Json:
    """Return a notification in the form that the receiver knows."""
    api, _, kind = webhook.style.partition(".")
    return body if api == "webquarry" else _firecrawl_body(kind, body)


def styled_headers(webhook: Webhook, secret: str, body: bytes) -> dict[str, str]:
    """Return the signature in the form that the receiver knows, besides ours."""
    if not webhook.style.startswith("firecrawl."):
        return {}
    digest = hmac.digest(secret.encode(), body, hashlib.sha256).hex()
    return {"X-Firecrawl-Signature": f"sha256={digest}"}


def _firecrawl_body(kind: str, body: Json) -> Json:
    error = {"error": body["error"]} if body.get("error") else {}
    return {
        "success": body["status"] != "failed",
        "type": f"{kind}.{body['event']}",
        "id": body["crawlId"],
        "data": [_firecrawl_page(page) for page in body.get("pages", ())],
        "metadata": body.get("metadata", {}),
        **error,
    }


def _firecrawl_page(page: Json) -> Json:
    """Return a page without its content, which is not read yet when it is announced."""
    values = {"title": page["title"], "sourceURL": page["url"], "statusCode": page["statusCode"]}
    return {"metadata": {name: value for name, value in values.items() if value}}
