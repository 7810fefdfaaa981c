"""Fetches pages from any public host: through the guard, as a browser, within limits."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from webquarry.errors import NetworkError
from webquarry.net.client.direct import DirectClients
from webquarry.net.client.request import (
    NO_COOKIES,
    Cookies,
    HttpRequest,
    redirect_method,
    redirect_target,
)
from webquarry.net.client.response import FetchedResponse, Headers, RedirectHop
from webquarry.net.client.transport_errors import NoResponseError
from webquarry.net.client.wreq_client import ClientOptions, HttpClient
from webquarry.net.clock import Clock
from webquarry.net.guard.refusals import RefusedError, unreachable_error
from webquarry.net.guard.resolver import PinnedHost
from webquarry.net.guard.server import Guard
from webquarry.net.upstream.http_port import USER_AGENT
from webquarry.net.url import Url, parse
from webquarry.observe.trace import span

MAX_REDIRECTS = 10
_MAX_ALLOWED_ORIGINS = 10_000
_IDEMPOTENT = frozenset({"GET", "HEAD"})
# seconds after the deadline in which what was received of a body is returned
_BODY_GRACE = 5.0
# no connection was made, so no request was sent
_NOT_CONNECTED = frozenset({"connection_refused", "unreachable", "dns_no_such_name", "dns_failed"})


@dataclass(frozen=True, kw_only=True)
class FetchRequest:
    """What to fetch, and the limits for it."""

    url: str
    method: str = "GET"
    body: bytes | None = None  # not sent again after a redirect
    accept: str = ""  # replaces the Accept header of a browser
    headers: Mapping[str, str] = field(default_factory=dict[str, str])  # e.g. If-None-Match
    timeout: float = 20.0  # seconds, redirects included
    own_user_agent: bool = False  # instead of emulating a browser
    follow_redirects: bool = True
    max_page_bytes: int = 8 * 2**20
    max_document_bytes: int = 50 * 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class EncodedResponse:
    """The response to one request, redirects not followed, its body not decoded."""

    url: Url
    status: int
    headers: Headers
    redirect_target: Url | None = None
    encoded_body: bytes | None = None  # None: not requested, or too long


class Fetcher:
    """Fetches pages. Cookies live for one fetch only."""

    def __init__(
        self,
        guard: Guard,
        *,
        ca_file: Path | None = None,
        clock: Clock | None = None,
        direct: bool = False,
        tls_peers: bool = False,
    ) -> None:
        """Connect through the guard; with `direct`, also to the pinned addresses of busy hosts.

        With `tls_peers`, captured exchanges say which certificate the server had.
        """
        self._tls_peers = tls_peers
        self._guard = guard
        self._ca_file = ca_file
        self._clock = clock or Clock()
        self._allowed_origins: set[tuple[str, str, int]] = set()
        # clients by `own_user_agent`
        self._guarded: dict[bool, HttpClient] = {}
        self._direct = {own: self._direct_clients(own=own) for own in (False, True) if direct}

    async def fetch(self, request: FetchRequest) -> FetchedResponse:
        """Return the page at the end of the redirects.

        Raises `BadInputError` or `BlockedError` for a URL that must not be fetched, and
        `NetworkError` if there is no response.
        """
        started = self._clock.monotonic()
        chain = _RedirectChain(request, parse(request.url))
        try:
            with span("fetch", host=chain.url.host):
                async with asyncio.timeout(request.timeout) as limit:
                    response = await self._follow(chain, limit)
        except TimeoutError as error:
            raise _timed_out(chain.url, request.timeout) from error
        return replace(
            response,
            hops=tuple(chain.hops),
            downgraded=chain.downgraded,
            elapsed=self._clock.monotonic() - started,
        )

    async def fetch_once(
        self, url: Url, request: FetchRequest, body_limit: Callable[[int, Headers], int]
    ) -> EncodedResponse:
        """Return the response to one request without cookies.

        Its body is read up to the `body_limit` of its status and headers; 0: not at all. Raises
        what `fetch` raises.
        """
        # a crawl has no overall deadline for one page: the timeout of the client is enough
        started = self._clock.monotonic()
        http_request = HttpRequest(url=url.href, headers=request.headers, timeout=request.timeout)
        try:
            client = await self._client_for(url, own=request.own_user_agent)
            async with client.send(http_request) as stream:
                target = redirect_target(stream.status, stream.headers, url)
                limit = 0 if target else body_limit(stream.status, stream.headers)
                body = await stream.read_encoded(limit) if limit else None
        except RefusedError as error:
            raise error.to_error(url.href) from error
        except NetworkError as error:
            if self._drop_direct_client(error, http_request, own=request.own_user_agent):
                return await self.fetch_once(url, request, body_limit)
            # the client reports a timeout within the body as a broken connection
            if self._clock.monotonic() - started >= request.timeout:
                raise _timed_out(url, request.timeout) from error
            raise self._explained(error, url) from error
        return EncodedResponse(
            url=url,
            status=stream.status,
            headers=stream.headers,
            redirect_target=target,
            encoded_body=body,
        )

    def close(self) -> None:
        """Close all connections."""
        for clients in (*self._direct.values(), *self._guarded.values()):
            clients.close()

    async def _follow(self, chain: "_RedirectChain", limit: asyncio.Timeout) -> FetchedResponse:
        """Send one request after the other until a response is not a redirect."""
        limits = chain.request
        while True:
            url, http_request = chain.url, chain.next_request()
            try:
                client = await self._client_for(url, own=limits.own_user_agent)
                async with client.send(http_request) as stream:
                    target = redirect_target(stream.status, stream.headers, url)
                    if target is None or not limits.follow_redirects:
                        # the body has the deadline of its own; this one would discard it
                        deadline = limit.when() or 0.0
                        left = deadline - asyncio.get_running_loop().time()
                        limit.reschedule(deadline + _BODY_GRACE)
                        return await stream.read(
                            limits.max_page_bytes,
                            max_document_bytes=limits.max_document_bytes,
                            seconds=left,
                        )
            except RefusedError as error:
                raise error.to_error(url.href) from error
            except NetworkError as error:
                dropped = self._drop_direct_client(error, http_request, own=limits.own_user_agent)
                if dropped or chain.may_retry(error):
                    continue
                raise self._explained(error, url) from error
            chain.follow(stream.status, target)

    async def _client_for(self, url: Url, *, own: bool) -> HttpClient:
        """Return the client for an allowed URL: a direct one, or that through the guard."""
        origin = (url.scheme, url.host, url.port)
        if origin not in self._allowed_origins:
            # the policy depends on nothing but the origin
            self._guard.policy.check(url)
            if len(self._allowed_origins) >= _MAX_ALLOWED_ORIGINS:
                self._allowed_origins.clear()
            self._allowed_origins.add(origin)
        direct = self._direct.get(own)
        if direct and (client := await direct.client_for(url)):
            return client
        return self._guarded.get(own) or await self._guarded_client(own=own)

    async def _guarded_client(self, *, own: bool) -> HttpClient:
        proxy = await self._guard.start()
        if own not in self._guarded:
            options = replace(self._client_options(own=own), http_proxy=proxy, https_proxy=proxy)
            self._guarded[own] = HttpClient(options)
        return self._guarded[own]

    def _direct_clients(self, *, own: bool) -> DirectClients:
        def connect_to(pinned: PinnedHost) -> HttpClient:
            return HttpClient(replace(self._client_options(own=own), pinned=pinned))

        return DirectClients(self._guard, connect_to, self._clock)

    def _client_options(self, *, own: bool) -> ClientOptions:
        return ClientOptions(
            emulate_chrome=not own,
            user_agent=USER_AGENT,
            ca_file=self._ca_file,
            tls_peers=self._tls_peers,
        )

    def _drop_direct_client(
        self, error: NetworkError, http_request: HttpRequest, *, own: bool
    ) -> bool:
        """Return to the guard for a host whose direct client failed; False if it has none."""
        direct, detail = self._direct.get(own), error.details.get("detail")
        # a server may close an idle connection just as the next request is sent on it
        may_repeat = detail == "broken" and http_request.method in _IDEMPOTENT
        if direct is None or not (may_repeat or detail in _NOT_CONNECTED):
            return False
        return direct.forget(parse(http_request.url))

    def _explained(self, error: NetworkError, url: Url) -> Exception:
        """Return the error, with the guard's reason if the guard refused the connection."""
        code = str(error.details.get("detail", ""))
        refusal = self._guard.refusal(url) if code == "proxy" else None
        if refusal:
            return refusal.to_error(url.href)
        return unreachable_error(url.href, str(error), code=code)


class _RedirectChain:
    """The requests of one fetch, from redirect to redirect."""

    def __init__(self, request: FetchRequest, start: Url) -> None:
        self.request = request
        self.url = start
        self.hops: list[RedirectHop] = []
        self.downgraded = False
        self._start = start
        self._method = request.method
        self._cookies = Cookies()
        self._visited = {(start.href, NO_COOKIES)}
        self._retried = False

    def next_request(self) -> HttpRequest:
        """Return the request for the current URL."""
        # the caller's headers are meant for the first origin only
        same_origin = not self.hops or self.url.origin == self._start.origin
        headers = dict(self.request.headers) if same_origin else {}
        if self.request.accept:
            headers["Accept"] = self.request.accept
        return HttpRequest(
            method=self._method,
            url=self.url.href,
            headers=headers,
            body=self.request.body if self._method == "POST" and not self.hops else None,
            timeout=self.request.timeout,
            cookies=self._cookies,
        )

    def may_retry(self, error: NetworkError) -> bool:
        """Return True once, if the server closed the connection of an idempotent request."""
        retryable = isinstance(error, NoResponseError) and self._method in _IDEMPOTENT
        if not retryable or self._retried:
            return False
        self._retried = True
        return True

    def follow(self, status: int, target: Url) -> None:
        """Go to the target of a redirect."""
        self.hops.append(RedirectHop(url=self.url.href, status=status))
        if len(self.hops) > MAX_REDIRECTS:
            raise unreachable_error(
                self._start.href, f"it redirects more than {MAX_REDIRECTS} times"
            )
        # a redirect to the same page is fine if it sets a cookie
        visit = (target.href, self._cookies.state)
        if visit in self._visited:
            raise unreachable_error(self._start.href, "its redirects form a loop")
        self._visited.add(visit)
        self._method = redirect_method(status, self._method)
        self.downgraded |= (self.url.scheme, target.scheme) == ("https", "http")
        self.url = target


def _timed_out(url: Url, seconds: float) -> NetworkError:
    return unreachable_error(url.href, f"no response within {seconds:.3g} seconds", code="timeout")
