"""The outbox of webhooks: notifications are stored in the transaction that they report."""

import json
import secrets
from collections.abc import Sequence
from typing import Any, NamedTuple

from webquarry.crawl.store.connection import SqlConnection
from webquarry.crawl.store.counters import CrawlCounters
from webquarry.crawl.store.crawl_values import NewPage
from webquarry.crawl.store.encryption import CrawlCipher
from webquarry.crawl.webhook_styles import styled_body
from webquarry.models.crawl import State
from webquarry.models.webhook import Webhook, WebhookEvent
from webquarry.storage import bulk_sql

PAGES_PER_EVENT = 64
_EVENTS: dict[State, WebhookEvent] = {
    "queued": "started", "running": "started", "completed": "completed", "failed": "failed",
    "cancelled": "cancelled",
}  # fmt: skip
_INSERT = """INSERT INTO crawl_deliveries (job, delivery, created, due, sealed) VALUES {rows}"""


class EventCounts(NamedTuple):
    """The counts that every notification has."""

    found: int
    crawled: int


class NotifyingJob(NamedTuple):
    """A crawl and the webhook that it notifies."""

    id: str
    number: int
    webhook: Webhook | None


class Outbox:
    """Adds the notifications of one crawl, in a transaction that the caller has started."""

    def __init__(self, db: SqlConnection, cipher: CrawlCipher, job: NotifyingJob) -> None:
        self._db = db
        self._cipher = cipher
        self._job = job

    def add(self, state: State, counts: EventCounts, error: str | None = None) -> None:
        """Report a new state, if the webhook wants it."""
        event = _EVENTS[state]
        if webhook := self._wanted(event):
            self._insert([self._body(webhook, event, state, counts) | {"error": error}], webhook)

    def add_pages(
        self, pages: Sequence[NewPage], stored: frozenset[bytes], counters: CrawlCounters
    ) -> None:
        """Report the pages of a commit, if the webhook wants them."""
        webhook = self._wanted("page")
        if webhook is None:
            return
        rows = [_row(page) for page in pages if page.key in stored]
        body = self._body(webhook, "page", "running", EventCounts(counters.found, counters.crawled))
        bodies = [
            body | {"pages": rows[start : start + PAGES_PER_EVENT]}
            for start in range(0, len(rows), PAGES_PER_EVENT)
        ]
        self._insert(bodies, webhook)

    def _wanted(self, event: WebhookEvent) -> Webhook | None:
        webhook = self._job.webhook
        return webhook if webhook is not None and event in webhook.events else None

    def _body(
        self, webhook: Webhook, event: WebhookEvent, state: State, counts: EventCounts
    ) -> dict[str, Any]:
        body: dict[str, Any] = {
            "event": event,
            "crawlId": self._job.id,
            "status": state,
            "pagesFound": counts.found,
            "pagesCrawled": counts.crawled,
            "error": None,
        }
        return body | ({"metadata": webhook.metadata} if webhook.metadata else {})

    def _insert(self, bodies: list[dict[str, Any]], webhook: Webhook) -> None:
        now = self._db.time()
        rows: list[tuple[Any, ...]] = []
        for body in bodies:
            name = secrets.token_urlsafe(16)
            styled = styled_body(webhook, body)
            sealed = self._cipher.seal(name.encode() + b"d", json.dumps(styled).encode())
            rows.append((self._job.number, name, now, now, sealed))
        bulk_sql.insert(self._db, _INSERT, rows)


def _row(page: NewPage) -> dict[str, Any]:
    meta = json.loads(page.meta)
    return {
        "url": meta["url"],
        "title": meta["title"],
        "statusCode": meta["status"],
        "contentLength": meta["bytes"],
    }
