"""HTTP client for one SearXNG instance: JSON results, or HTML where JSON is switched off."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from webquarry.errors import (
    AccessError,
    BlockedError,
    NetworkError,
    PayloadError,
    ProviderError,
    RateLimitError,
    WebquarryError,
)
from webquarry.net.client.response import FetchedResponse
from webquarry.net.clock import Clock
from webquarry.net.upstream import status_errors
from webquarry.net.upstream.api import new_parsers
from webquarry.net.upstream.http_port import ApiRequest, Http, Params
from webquarry.searxng.instance import OWN, Instance
from webquarry.searxng.json_results import read_json
from webquarry.searxng.latency import RequestTimer
from webquarry.searxng.own_headers import merge
from webquarry.searxng.query_values import InstancePage, SearxngQuery
from webquarry.settings.groups.web_search import WebSearchSettings

if TYPE_CHECKING:
    from webquarry.parsing.parsers import Parsers

_MAX_BYTES = 4 * 2**20
_JSON_REFUSED = frozenset({403, 406, 415})
_JSON_OFF_SECONDS = 86_400.0
_API_LIMIT_SECONDS = 3600.0  # SearXNG allows 4 requests for JSON per hour, and more for pages
_FIREFOX = "Mozilla/5.0 ({platform}; rv:{version}.0) Gecko/20100101 Firefox/{version}.0"
_CHROME = (
    "Mozilla/5.0 ({platform}) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/{version}.0.0.0 Safari/537.36"
)
_WINDOWS = "Windows NT 10.0; Win64; x64"
_MAC = "Macintosh; Intel Mac OS X 10_15_7"
_LINUX = "X11; Linux x86_64"
USER_AGENTS = (
    *(_FIREFOX.format(platform=p, version=v) for p in (_WINDOWS, _LINUX) for v in (143, 144, 145)),
    *(_CHROME.format(platform=p, version=v) for p in (_WINDOWS, _MAC, _LINUX) for v in (152, 154)),
)


class QueryRefusedError(ProviderError):
    """The instance works but rejects this query."""


class InstanceClient:
    """Sends requests to instances: spaced out, and without anything that identifies the caller."""

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
        self.parsers: Callable[[], Parsers] = new_parsers
        self._public = public or http  # for instances that a catalogue lists
        self.options = options
        self.clock = clock
        self._own_headers = own_headers
        self._anonymous_headers = AnonymousHeaders(clock, rotate=options.rotate_user_agents)
        self._next_request_at: dict[str, float] = {}  # by URL of the instance

    async def search(
        self,
        instance: Instance,
        query: SearxngQuery,
        page: int,
        seconds: float,
        timer: RequestTimer | None = None,
    ) -> InstancePage:
        """Return a page of results; `ProviderError` when there is none within `seconds`."""
        params: dict[str, str | int | None] = {
            "q": query.text,
            "categories": query.category,
            "language": query.language or None,
            "safesearch": query.safe_search,
            "time_range": query.time_range or None,
            "pageno": page if page > 1 else None,
        }
        send = partial(self._send, instance, "/search", language=query.language, timer=timer)
        async with _time_limit(instance, seconds):
            refusal: FetchedResponse | None = None
            if instance.offers_json(self.clock.time()):
                response = await send(params | {"format": "json"})
                if not _is_json_refused(response):
                    if response.status >= 300:
                        raise self._error_for(instance, response)
                    return read_json(response, name=instance.url, now=self.clock.time())
                refusal = response
            response = await send(params)
        return await self._read_page(instance, response, refusal)

    async def _read_page(
        self, instance: Instance, response: FetchedResponse, refusal: FetchedResponse | None
    ) -> InstancePage:
        """Return the results of an HTML page; `refusal` is the response to a request for JSON."""
        # imported here because lxml is large and few instances need it
        from webquarry.parsing.task import ParseTask
        from webquarry.searxng.html_results import read_html

        limited = refusal is not None and refusal.status == 429
        try:
            if response.status >= 300:
                raise self._error_for(instance, response)
            subject = f"The page of results of {instance.url}"
            page = await self.parsers().run(
                ParseTask(read_html, subject, error=PayloadError),
                response.text.encode("utf-8", "replace"),
                url=response.url,
                name=instance.url,
                now=self.clock.time(),
            )
        except ProviderError as error:
            # the limit is why there is no result: what came instead of a page is part of it
            if refusal is not None and limited and not isinstance(error, RateLimitError):
                raise self._error_for(instance, refusal) from error
            raise
        if refusal is None:
            return page
        pause = status_errors.retry_after(refusal.headers, self.clock.time()) if limited else None
        usual = _API_LIMIT_SECONDS if limited else _JSON_OFF_SECONDS
        return replace(page, json_pause=usual if pause is None else pause)

    async def check(self, instance: Instance, seconds: float) -> None:
        """Raise `ProviderError` if the instance does not respond, or reports that it is ill."""
        async with _time_limit(instance, seconds):
            response = await self._send(instance, "/healthz", {}, language="en")
        # instances without this page, or that hide it, still respond
        if response.status == 429 or response.status >= 500:
            raise self._error_for(instance, response)

    async def _send(
        self,
        instance: Instance,
        path: str,
        params: Params,
        *,
        language: str,
        timer: RequestTimer | None = None,
    ) -> FetchedResponse:
        await self._wait_turn(instance.url)
        if timer is not None:
            timer.sent_at = self.clock.monotonic()
        own = instance.grade == OWN
        headers = self._anonymous_headers.build("" if language == "all" else language)
        if own and self._own_headers:
            headers = merge(headers, self._own_headers)
        request = ApiRequest(
            url=f"{instance.url}{path}",
            params=params,
            headers=headers,
            timeout=self.options.default_timeout,
            max_bytes=_MAX_BYTES,
        )
        try:
            return await (self._http if own else self._public).send(request)
        except BlockedError as error:
            raise PayloadError(f"Unexpected response ({instance.url}): {error}") from error

    async def _wait_turn(self, url: str) -> None:
        """Wait for a random delay between two requests to one instance."""
        shortest, longest = self.options.request_delay_range
        delay = (shortest + self.clock.random() * (longest - shortest)) / 1000
        now = self.clock.monotonic()
        start = max(now, self._next_request_at.get(url, now))
        # set before waiting, so that concurrent requests queue behind this one
        self._next_request_at[url] = start + delay
        if start > now:
            await self.clock.sleep(start - now)

    def _error_for(self, instance: Instance, response: FetchedResponse) -> WebquarryError:
        error = status_errors.error_for_status(instance.url, response, self.clock.time())
        if isinstance(error, RateLimitError):
            # None when the instance gives no time
            error.retry_after = status_errors.retry_after(response.headers, self.clock.time())
        elif response.status == 400:
            return QueryRefusedError(str(error))
        elif not isinstance(error, ProviderError):
            return PayloadError(str(error))
        elif isinstance(error, AccessError):
            return AccessError(f"Access refused ({instance.url}): HTTP {response.status}.")
        return error


class AnonymousHeaders:
    """Builds new headers for each request, without cookies, referrer or our own name."""

    def __init__(self, clock: Clock, *, rotate: bool) -> None:
        self._clock = clock
        self._rotate = rotate

    def build(self, language: str) -> dict[str, str]:
        """Return headers of a browser that opens a page in this language."""
        index = int(self._clock.random() * len(USER_AGENTS)) if self._rotate else 0
        base = language.partition("-")[0] or "en"
        accepted = f"{language},{base};q=0.8" if "-" in language else base
        return {
            "User-Agent": USER_AGENTS[min(index, len(USER_AGENTS) - 1)],
            # instances treat clients that do not accept HTML as bots
            "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
            "Accept-Language": accepted if base == "en" else f"{accepted},en;q=0.5",
            "DNT": "1",
            "Sec-GPC": "1",
            "Sec-Fetch-Dest": "document",
            "Sec-Fetch-Mode": "navigate",
            "Sec-Fetch-Site": "none",
        }


def _is_json_refused(response: FetchedResponse) -> bool:
    """Tell whether the instance offers its results as HTML only, for now or at all."""
    if response.status == 429:
        return True
    if response.status in _JSON_REFUSED:
        return "retry-after" not in response.headers  # with it, the refusal is a rate limit
    return response.status < 300 and response.content.lstrip()[:1] == b"<"


@asynccontextmanager
async def _time_limit(instance: Instance, seconds: float) -> AsyncGenerator[None]:
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError as error:
        raise NetworkError(
            f"Network error ({instance.url}): no response within {seconds:g} seconds.",
            details={"detail": "timeout"},
        ) from error
