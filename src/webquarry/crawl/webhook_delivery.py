"""Sends notifications to webhooks: signed, in order, until accepted."""

import asyncio
import hashlib
import hmac
import logging
import random
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from webquarry.crawl.store.deliveries import Delivery
from webquarry.crawl.webhook_styles import styled_headers
from webquarry.errors import BadInputError, BlockedError, WebquarryError
from webquarry.models.webhook import WebhookTarget, webhook_in
from webquarry.net.clock import Clock
from webquarry.net.fetch import Fetcher, FetchRequest

logger = logging.getLogger(__name__)

_TIMEOUT = 10.0  # seconds for one attempt
_POLL_SECONDS = 1.0
_GONE = 410  # the receiver wants no more notifications
_FIRST_RETRY = 2.0  # seconds; doubles with every attempt
_MAX_RETRY = 3600.0
_JITTER = 0.2  # of the pause, so that many notifications do not return at once
_MAX_EXPONENT = 20
Secret = Callable[[str], str]  # the signing secret of a tenant


class GoneError(WebquarryError):
    """A webhook that will never accept a notification."""


@dataclass(frozen=True, kw_only=True)
class SignedRequest:
    """One notification: its id and body are the same in every attempt."""

    id: str
    tenant: str  # whose secret signs it, unless the webhook has one
    target: WebhookTarget
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict[str, str])  # further signatures


@dataclass(frozen=True, kw_only=True)
class WebhookSender:
    """Sends one notification through the guard, so that private networks cannot be reached."""

    fetcher: Fetcher
    secret: Secret
    clock: Clock = field(default_factory=Clock)

    async def send(self, delivery: Delivery) -> str:
        """Send the notification of a crawl; return and raise what `post` does."""
        webhook = webhook_in(delivery.job.request)
        if webhook is None:
            raise GoneError("the crawl has none")
        tenant = delivery.job.tenant
        headers = styled_headers(webhook, self._secret(webhook, tenant), delivery.body)
        return await self.post(
            SignedRequest(
                id=delivery.id, tenant=tenant, target=webhook, body=delivery.body, headers=headers
            )
        )

    async def post(self, request: SignedRequest) -> str:
        """Return '' if it was accepted, otherwise why not; `GoneError` if that is permanent."""
        try:
            response = await self.fetcher.fetch(self._request(request))
        except (BlockedError, BadInputError) as error:
            raise GoneError("the network guard refuses its URL") from error
        except WebquarryError as error:
            return str(error.details.get("detail") or "network")
        if response.status == _GONE:
            raise GoneError("it responded with HTTP 410")
        return "" if 200 <= response.status < 300 else f"HTTP {response.status}"

    def _secret(self, target: WebhookTarget, tenant: str) -> str:
        return target.secret or self.secret(tenant)

    def _request(self, request: SignedRequest) -> FetchRequest:
        secret = self._secret(request.target, request.tenant)
        headers = {
            **request.target.headers,
            "Content-Type": "application/json",
            "X-Webquarry-Delivery": request.id,
            "X-Webquarry-Signature": signature(secret, int(self.clock.time()), request.body),
            **request.headers,
        }
        return FetchRequest(
            url=request.target.url,
            method="POST",
            body=request.body,
            headers=headers,
            timeout=_TIMEOUT,
            own_user_agent=True,
            follow_redirects=False,  # the notification is for this URL only
            max_page_bytes=2**16,
            max_document_bytes=2**16,
        )


def signature(secret: str, timestamp: int, body: bytes) -> str:
    """Return the value of `X-Webquarry-Signature`."""
    signed = str(timestamp).encode() + b"." + body
    digest = hmac.digest(secret.encode(), signed, hashlib.sha256).hex()
    return f"t={timestamp},v1={digest}"


def retry_pause(attempts: int) -> float:
    """Return the seconds until the next attempt, after so many failed ones."""
    pause = min(_MAX_RETRY, _FIRST_RETRY * 2.0 ** min(attempts - 1, _MAX_EXPONENT))
    # not for cryptography
    return pause * random.uniform(1 - _JITTER, 1 + _JITTER)  # noqa: S311


class Deliverable(Protocol):
    """A stored notification."""

    @property
    def subject(self) -> str:
        """What it is about, for the log: never a URL, which may hold a token."""
        ...

    @property
    def age(self) -> float:
        """The seconds since it was stored."""
        ...

    @property
    def attempts(self) -> int:
        """The attempts that failed."""
        ...


D = TypeVar("D", bound=Deliverable)
D_contra = TypeVar("D_contra", contravariant=True)


class StoresDeliveries(Protocol[D]):
    """Notifications that wait to be sent."""

    async def claim(self) -> list[D]:
        """Return notifications that are due; no other process sends them meanwhile."""
        ...

    async def delete(self, delivery: D) -> None:
        """Remove a notification that was accepted or abandoned."""
        ...

    async def retry(self, delivery: D, seconds: float) -> None:
        """Send a notification again later."""
        ...

    async def pending(self, job_id: str) -> int:
        """Return how many notifications of a crawl or monitor wait."""
        ...


class SendsDeliveries(Protocol[D_contra]):
    """Sends one notification."""

    async def send(self, delivery: D_contra) -> str:
        """Return '' if it was accepted, otherwise why not; `GoneError` if that is permanent."""
        ...


class WebhookDeliveries(Generic[D]):
    """Sends what is due, and tries again for `retry_for` seconds what was not accepted."""

    def __init__(
        self, store: StoresDeliveries[D], sender: SendsDeliveries[D], *, retry_for: float
    ) -> None:
        self._store = store
        self._sender = sender
        self._retry_for = retry_for
        self._wake = asyncio.Event()
        self._sending = asyncio.Lock()

    def wake(self) -> None:
        """Look for new notifications at once."""
        self._wake.set()

    async def run(self) -> None:
        """Send notifications until cancelled."""
        while True:
            self._wake.clear()
            try:
                sent = await self.send_due()
            except WebquarryError as error:
                logger.warning("webhook notifications cannot be read now: %s", error)
                sent = 0
            if sent:
                continue  # the next notification of a crawl is due when the last was accepted
            with suppress(TimeoutError):
                async with asyncio.timeout(_POLL_SECONDS):
                    await self._wake.wait()

    async def send_due(self) -> int:
        """Send what is due; return how many notifications were accepted or abandoned."""
        async with self._sending:
            claimed = await self._store.claim()
            return sum(await asyncio.gather(*map(self._send, claimed)))

    async def finish(self, job_id: str, seconds: float) -> int:
        """Send until nothing is due or the time is over; return how many of a crawl are left."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while await self.send_due():
                    pass
        return await self._store.pending(job_id)

    async def _send(self, delivery: D) -> bool:
        subject, attempts = delivery.subject, delivery.attempts + 1
        try:
            problem = await self._sender.send(delivery)
        except GoneError as error:
            # without the URL, which may hold a token
            logger.warning("%s is not called again: %s", subject, error)
            problem = ""
        if not problem:
            await self._store.delete(delivery)
            return True
        pause = retry_pause(attempts)
        if delivery.age + pause > self._retry_for:
            logger.warning("%s failed %d times (%s): given up", subject, attempts, problem)
            await self._store.delete(delivery)
            return True
        logger.info("%s failed (%s), again in %.0f s", subject, problem, pause)
        await self._store.retry(delivery, pause)
        return False
