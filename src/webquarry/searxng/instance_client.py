"""Asks one instance: one request, or two when it gives pages only."""

import asyncio
from collections.abc import Awaitable, Mapping
from typing import TypeVar

from webquarry.errors import (
    AccessError,
    BlockedError,
    NetworkError,
    PayloadError,
    ProviderError,
    RateLimitError,
)
from webquarry.net.clock import Clock
from webquarry.net.upstream import status_errors
from webquarry.net.upstream.http_port import Http, Params, Request, Response
from webquarry.searxng.instance import OWN, Instance
from webquarry.searxng.json_results import read_json
from webquarry.searxng.query_values import InstancePage, SearxngQuery
from webquarry.searxng.request_headers import AnonymousHeaders, merge
from webquarry.settings.groups.web_search import WebSearchSettings

T = TypeVar("T")

_MOST_BYTES = 4 * 2**20
_JSON_REFUSED = frozenset({403, 406, 415})


class QueryRefusedError(ProviderError):
    """The instance works but does not take this question."""


class InstanceClient:
    """Sends requests to instances, spaced out, without anything that tells who asks."""

    def __init__(
        self,
        http: Http,
        options: WebSearchSettings,
        clock: Clock,
        *,
        own_headers: Mapping[str, str],
        public: Http | None = None,
    ) -> None:
        self._http = http
        self._public = public or http  # for addresses that somebody else listed
        self.options = options
        self.clock = clock
        self._own_headers = own_headers
        self._disguise = AnonymousHeaders(clock, rotate=options.rotate_user_agents)
        self._due: dict[str, float] = {}  # when an instance may be asked again

    async def search(
        self, instance: Instance, question: SearxngQuery, page: int, seconds: float
    ) -> tuple[InstancePage, bool]:
        """Return a page of results, and whether the instance gives JSON."""
        return await _patiently(self._search(instance, question, page), instance, seconds)

    async def check(self, instance: Instance, seconds: float) -> None:
        """Raise when the instance does not answer, or answers that it is not well."""
        sending = self._send(instance, f"{instance.url}/healthz", {}, "en")
        response = await _patiently(sending, instance, seconds)
        # some do not have this page or do not show it, but they did answer
        if response.status == 429 or response.status >= 500:
            self._judge(instance, response)

    async def _search(
        self, instance: Instance, question: SearxngQuery, page: int
    ) -> tuple[InstancePage, bool]:
        if instance.gives_json(self.clock.today()):
            answer = await self._search_json(instance, question, page)
            if answer is not None:
                return answer, True
        from webquarry.searxng.html_results import read_html  # lxml, which few instances need

        response = await self._get(instance, question, _params(question, page))
        self._judge(instance, response)
        now = self.clock.today()
        return read_html(response, name=instance.url, now=now), False

    async def _search_json(
        self, instance: Instance, question: SearxngQuery, page: int
    ) -> InstancePage | None:
        """Return the results, or None when only a page can be had."""
        params = _params(question, page) | {"format": "json"}
        response = await self._get(instance, question, params)
        if response.status in _JSON_REFUSED and "retry-after" not in response.headers:
            return None
        self._judge(instance, response)
        if response.content.lstrip()[:1] == b"<":
            return None
        return read_json(response, name=instance.url, now=self.clock.today())

    async def _get(self, instance: Instance, question: SearxngQuery, params: Params) -> Response:
        return await self._send(instance, f"{instance.url}/search", params, question.language)

    async def _send(self, instance: Instance, url: str, params: Params, language: str) -> Response:
        await self._turn(instance.url)
        own = instance.grade == OWN
        own_headers = own and self._own_headers
        headers = self._disguise.headers("" if language == "all" else language)
        try:
            return await (self._http if own else self._public).send(
                Request(
                    url=url,
                    params=params,
                    headers=merge(headers, self._own_headers) if own_headers else headers,
                    timeout=self.options.default_timeout,
                    max_bytes=_MOST_BYTES,
                )
            )
        except BlockedError as error:
            raise PayloadError(f"Unexpected answer ({instance.url}): {error}") from error

    async def _turn(self, url: str) -> None:
        """Leave a random pause between two requests to one instance."""
        shortest, longest = self.options.request_delay_range
        pause = (shortest + self.clock.chance() * (longest - shortest)) / 1000
        now = self.clock.now()
        start = max(now, self._due.get(url, now))
        # taken before waiting, so that the next in line queues behind
        self._due[url] = start + pause
        if start > now:
            await self.clock.sleep(start - now)

    def _judge(self, instance: Instance, response: Response) -> None:
        if response.status < 300:
            return
        error = status_errors.error_of(instance.url, response, self.clock.today())
        if isinstance(error, RateLimitError):
            # None when the instance does not say how long
            error.retry_after = status_errors.wait_of(response, self.clock.today())
        elif response.status == 400:
            raise QueryRefusedError(str(error))
        elif not isinstance(error, ProviderError):
            raise PayloadError(str(error))
        elif isinstance(error, AccessError):
            raise AccessError(f"Access refused ({instance.url}): HTTP {response.status}.")
        raise error


async def _patiently(work: Awaitable[T], instance: Instance, seconds: float) -> T:
    try:
        async with asyncio.timeout(seconds):
            return await work
    except TimeoutError as error:
        raise NetworkError(
            f"Network error ({instance.url}): no answer within {seconds:g} seconds.",
            details={"detail": "timeout"},
        ) from error


def _params(question: SearxngQuery, page: int) -> dict[str, str | int | None]:
    return {
        "q": question.text,
        "categories": question.category,
        "language": question.language or None,
        "safesearch": question.safe,
        "time_range": question.time_range or None,
        "pageno": page if page > 1 else None,
    }
