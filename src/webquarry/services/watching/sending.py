"""Sends the notifications of monitors through their channels."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from webquarry.content.text.token_count import compact_json
from webquarry.crawl.webhook_delivery import SignedRequest, WebhookSender
from webquarry.models.webhook import WebhookTarget
from webquarry.services.watching.store.monitor_deliveries import MonitorDelivery


class SendsMessages(Protocol):
    """Sends a message to a mail or chat service."""

    async def send(self, url: str, title: str, text: str) -> str:
        """Return '' if it was accepted, otherwise why not; `GoneError` if that is permanent."""
        ...


@dataclass(frozen=True, kw_only=True)
class MonitorSender:
    """Sends one notification by webhook, or through a mail or chat service."""

    webhooks: WebhookSender
    services: Callable[[], SendsMessages]

    async def send(self, delivery: MonitorDelivery) -> str:
        """Return '' if it was accepted, otherwise why not; `GoneError` if that is permanent."""
        payload = json.loads(delivery.payload)
        if delivery.lane.startswith("service."):
            return await self.services().send(payload["url"], payload["title"], payload["text"])
        target = WebhookTarget.model_validate(payload["target"])
        body = payload["body"] | ({"metadata": target.metadata} if target.metadata else {})
        return await self.webhooks.post(
            SignedRequest(
                id=delivery.id,
                tenant=delivery.tenant,
                target=target,
                body=compact_json(body).encode("utf-8", "replace"),
            )
        )
