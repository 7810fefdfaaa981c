"""Answers requests from a bundle instead of the network, so that a result can be repeated."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from webquarry.errors import NetworkError
from webquarry.models.exchange import Exchange
from webquarry.net.client.request import redirect_target
from webquarry.net.client.response import FetchedResponse, Headers, RedirectHop
from webquarry.net.fetch import MAX_REDIRECTS, EncodedResponse, Fetcher, FetchRequest
from webquarry.net.guard.refusals import unreachable_error
from webquarry.net.guard.server import Guard
from webquarry.net.policy import Policy
from webquarry.net.upstream.http_port import ApiRequest
from webquarry.net.url import Url, parse
from webquarry.services.bundles.bundle_archive import BundleArchive, IndexedRecord
from webquarry.services.bundles.bundle_reading import fetched_response
from webquarry.webarchive.http_block import parse_http
from webquarry.webarchive.warc_writing import URN_OF_KIND

_OFFLINE = "it is not in the bundle, and --offline is set: nothing is requested from the network"


class OfflinePolicy(Policy):
    """Allows every URL: an archived page may come from any host, and nothing is connected to."""

    def check(self, url: Url) -> None:
        """Allow it."""


class ClosedGuard(Guard):
    """A guard that lets nothing through, not even a browser."""

    async def start(self) -> str:
        raise NetworkError("--offline is set: no page is requested", details={"detail": "offline"})


class OfflineArchive:
    """The exchanges of a bundle, opened when the first is needed."""

    def __init__(self, path: Path, redact: Callable[[Exchange], Exchange]) -> None:
        self._path = path
        self._redact = redact
        self._archive: BundleArchive | None = None
        self._requests: dict[str, bytes] = {}  # bodies by the id of the response

    def close(self) -> None:
        """Close the file."""
        if self._archive:
            self._archive.close()

    async def page(self, url: str) -> Exchange | None:
        """Return the latest capture of a page; that of the browser first."""
        archive = await self._opened()
        records = [*archive.find(URN_OF_KIND["dom"] + url), *archive.find(url)]
        return archive.exchange(records[0]) if records else None

    async def api(self, method: str, url: str, body: bytes) -> Exchange | None:
        """Return the latest response to a request to an upstream."""
        archive = await self._opened()
        asked = self._redact(
            Exchange(url=url, at=0.0, method=method, request_body=body, kind="api")
        )
        for record in archive.find(asked.url):
            if self._requests.get(record.id, b"") == asked.request_body:
                return archive.exchange(record)
        return None

    async def _opened(self) -> BundleArchive:
        if self._archive is None:
            self._archive = await asyncio.to_thread(BundleArchive.open, self._path)
            self._requests = self._request_bodies(self._archive)
        return self._archive

    @staticmethod
    def _request_bodies(archive: BundleArchive) -> dict[str, bytes]:
        """Return the bodies of all requests that have one."""
        requests = [record for record in archive.records if record.type == "request"]
        bodies = {each.concurrent_to: _request_body(archive, each) for each in requests}
        return {record_id: body for record_id, body in bodies.items() if body}


class OfflineFetcher(Fetcher):
    """A fetcher of pages that a bundle has."""

    def __init__(self, archive: OfflineArchive, guard: Guard) -> None:
        super().__init__(guard)
        self._archive = archive

    async def fetch(self, request: FetchRequest) -> FetchedResponse:
        url = parse(request.url)
        hops: list[RedirectHop] = []
        for _ in range(MAX_REDIRECTS + 1):
            exchange = await self._exchange(url)
            headers = Headers(exchange.headers)
            target = redirect_target(exchange.status, headers, url)
            if target is None or not request.follow_redirects:
                limit = request.max_document_bytes
                found = fetched_response(exchange, limit=limit)
                return FetchedResponse(
                    url=url.href,
                    status=found.status,
                    headers=found.headers,
                    content=found.content,
                    ending=found.ending,
                    hops=tuple(hops),
                )
            hops.append(RedirectHop(url=url.href, status=exchange.status))
            url = target
        raise unreachable_error(request.url, f"it redirects more than {MAX_REDIRECTS} times")

    async def fetch_once(
        self, url: Url, request: FetchRequest, body_limit: Callable[[int, Headers], int]
    ) -> EncodedResponse:
        exchange = await self._exchange(url)
        headers = Headers(exchange.headers)
        target = redirect_target(exchange.status, headers, url)
        limit = 0 if target else body_limit(exchange.status, headers)
        body = exchange.body if limit and len(exchange.body) <= limit else None
        return EncodedResponse(
            url=url,
            status=exchange.status,
            headers=headers,
            redirect_target=target,
            encoded_body=body,
        )

    def close(self) -> None:
        self._archive.close()

    async def _exchange(self, url: Url) -> Exchange:
        exchange = await self._archive.page(url.href)
        if exchange is None:
            raise unreachable_error(url.href, _OFFLINE, code="offline")
        return exchange


class OfflineHttp:
    """`Http` for upstreams whose responses a bundle has."""

    def __init__(self, archive: OfflineArchive) -> None:
        self._archive = archive

    async def send(self, request: ApiRequest) -> FetchedResponse:
        """Return the captured response to the same request."""
        body = request.payload[0] or b""
        url = request.full_url
        for _ in range(MAX_REDIRECTS):
            exchange = await self._archive.api(request.method, url, body)
            if exchange is None:
                raise NetworkError(_OFFLINE, details={"detail": "offline"})
            target = redirect_target(exchange.status, Headers(exchange.headers), parse(url))
            if target is None:
                return fetched_response(exchange, limit=request.max_bytes)
            url = target.href
        raise NetworkError(f"more than {MAX_REDIRECTS} redirects")

    def close(self) -> None:
        """There are no connections to close."""


def _request_body(archive: BundleArchive, record: IndexedRecord) -> bytes:
    return parse_http(archive.read(record).block)[2]
