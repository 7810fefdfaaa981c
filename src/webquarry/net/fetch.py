"""Fetches pages that anyone may name: through the guard, looking like a browser, within limits."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from webquarry.errors import NetworkError
from webquarry.net.client import redirects
from webquarry.net.client.direct import DirectClients
from webquarry.net.client.headers import Headers
from webquarry.net.client.outgoing import NO_COOKIES, Cookies, OutgoingRequest
from webquarry.net.client.response import ResponseBody, ResponseStream
from webquarry.net.client.transport_errors import NoResponseError
from webquarry.net.client.wreq_client import ClientOptions, HttpClient
from webquarry.net.clock import Clock
from webquarry.net.guard.refusals import RefusedError, unreached
from webquarry.net.guard.resolver import PinnedHost
from webquarry.net.guard.server import Guard
from webquarry.net.media_type import is_document
from webquarry.net.upstream.http_port import USER_AGENT
from webquarry.net.url import Url, parse
from webquarry.observe.trace import span

MOST_REDIRECTS = 10
_MOST_SITES = 10_000
_BROKEN = "broken"
_REPEATABLE = frozenset({"GET", "HEAD"})
# no connection was made, so nothing was sent
_NOT_CONNECTED = frozenset({"connection_refused", "unreachable", "dns_no_such_name", "dns_failed"})


@dataclass(frozen=True, kw_only=True)
class FetchRequest:
    """What to fetch and how patiently."""

    url: str
    method: str = "GET"
    body: bytes | None = None  # sent to the first address only
    accept: str = ""  # instead of a browser's preferences
    headers: Mapping[str, str] = field(default_factory=dict[str, str])  # e.g. If-None-Match
    timeout: float = 20.0  # for everything, redirects included
    plain: bool = False  # under our own name instead of a browser's
    page_bytes: int = 8 * 2**20
    document_bytes: int = 50 * 2**20


@dataclass(frozen=True, kw_only=True)
class RedirectHop:
    """One redirect on the way."""

    url: str
    status: int


@dataclass(frozen=True, kw_only=True)
class FetchedResponse:
    """What came, whatever its status."""

    url: str  # after redirects
    status: int
    headers: Headers
    content: bytes
    hops: tuple[RedirectHop, ...] = ()
    truncated: bool = False  # there was more, or the connection broke
    downgraded: bool = False  # a redirect led from https to http
    elapsed: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RawResponseStep:
    """The answer to one request; nothing was followed."""

    url: Url
    status: int
    headers: Headers
    onward: Url | None = None  # where a redirect points
    wire: bytes | None = None  # the body as it came, still encoded; None: unwanted or too long


class Fetcher:
    """Fetches pages. Cookies live for one fetch only."""

    def __init__(
        self,
        guard: Guard,
        *,
        ca_file: Path | None = None,
        clock: Clock | None = None,
        direct: bool = False,
    ) -> None:
        """Go through the guard, or, with `direct`, often asked places by their checked address."""
        self._guard = guard
        self._ca_file = ca_file
        self._clock = clock or Clock()
        self._engines: dict[bool, HttpClient] = {}
        self._allowed: set[tuple[str, str, int]] = set()
        self._direct = {plain: self._short(plain=plain) for plain in (False, True) if direct}

    async def fetch(self, wanted: FetchRequest) -> FetchedResponse:
        """Return the page.

        Raises `BadInputError` or `BlockedError` for a URL we do not fetch and `NetworkError` when
        nothing comes.
        """
        trip = _Trip(wanted, parse(wanted.url), self._clock)
        try:
            with span("fetch", host=trip.here.host):
                async with asyncio.timeout(wanted.timeout):
                    return await self._travel(trip)
        except TimeoutError as error:
            late = f"nothing came within {wanted.timeout:g} seconds"
            raise unreached(trip.here.href, late, code="timeout") from error

    async def step(
        self, here: Url, wanted: FetchRequest, wants: Callable[[int, Headers], bool]
    ) -> RawResponseStep:
        """Return the answer to one request, without cookies; its body only if `wants` says so.

        Raises what `fetch` raises.
        """
        # the client's own deadline is enough here, where nobody waits for a single page
        began = self._clock.now()
        sending = OutgoingRequest(url=here.href, headers=wanted.headers, timeout=wanted.timeout)
        try:
            self._check(here)
            engine = await self._way(here, plain=wanted.plain)
            async with engine.send(sending) as answer:
                status, headers = answer.status, answer.headers
                onward = redirects.target(status, headers, here)
                wanting = onward is None and wants(status, headers)
                wire = await answer.wire(wanted.page_bytes) if wanting else None
        except RefusedError as error:
            raise error.error(here.href) from error
        except NetworkError as error:
            if self._gave_up(error, sending, plain=wanted.plain):
                return await self.step(here, wanted, wants)
            if self._clock.now() - began >= wanted.timeout:  # a body that stops is just broken
                late = f"it was not there within {wanted.timeout:g} seconds"
                raise unreached(here.href, late, code="timeout") from error
            raise self._explained(error, here) from error
        return RawResponseStep(url=here, status=status, headers=headers, onward=onward, wire=wire)

    def close(self) -> None:
        """Close all connections."""
        for way in (*self._direct.values(), *self._engines.values()):
            way.close()

    async def _travel(self, trip: "_Trip") -> FetchedResponse:
        plain = trip.wanted.plain
        while True:
            here, sending = trip.here, trip.sending()
            try:
                self._check(here)
                engine = await self._way(here, plain=plain)
                async with engine.send(sending) as answer:
                    onward = redirects.target(answer.status, answer.headers, here)
                    if onward is None:
                        return trip.arrived(answer, await _body(answer, trip.wanted))
            except RefusedError as error:
                raise error.error(here.href) from error
            except NetworkError as error:
                if self._gave_up(error, sending, plain=plain) or trip.may_repeat(error):
                    continue
                raise self._explained(error, here) from error
            trip.move(answer.status, onward)

    async def _way(self, here: Url, *, plain: bool) -> HttpClient:
        """Return what leads to a place: the guard, or a client that knows its checked address."""
        direct = self._direct.get(plain)
        if direct and (engine := await direct.engine(here)):
            return engine
        return self._engines.get(plain) or await self._engine(plain=plain)

    def _gave_up(self, error: NetworkError, sending: OutgoingRequest, *, plain: bool) -> bool:
        """Leave the short way to a place that cannot be reached on it; the guard knows why."""
        direct, detail = self._direct.get(plain), error.details.get("detail")
        # a server may close a connection that it kept open just when it is asked again
        again = detail == _BROKEN and sending.method in _REPEATABLE
        if direct is None or not (again or detail in _NOT_CONNECTED):
            return False
        return direct.forget(parse(sending.url))

    def _short(self, *, plain: bool) -> DirectClients:
        def make(pinned: PinnedHost) -> HttpClient:
            wiring = ClientOptions(emulate=not plain, user_agent=USER_AGENT, ca_file=self._ca_file)
            return HttpClient(replace(wiring, pinned=pinned))

        return DirectClients(self._guard, make, self._clock)

    async def _engine(self, *, plain: bool) -> HttpClient:
        door = await self._guard.start()
        if plain not in self._engines:
            self._engines[plain] = HttpClient(
                ClientOptions(
                    emulate=not plain,
                    user_agent=USER_AGENT,
                    http_proxy=door,
                    https_proxy=door,
                    ca_file=self._ca_file,
                )
            )
        return self._engines[plain]

    def _check(self, here: Url) -> None:
        """Ask the policy, which says the same of every page of a site, once per site."""
        place = (here.scheme, here.host, here.port)
        if place in self._allowed:
            return
        self._guard.policy.check(here)
        if len(self._allowed) >= _MOST_SITES:
            self._allowed.clear()
        self._allowed.add(place)

    def _explained(self, error: NetworkError, here: Url) -> Exception:
        """Return the failure with the guard's reason, if it was the guard who said no."""
        code = str(error.details.get("detail", ""))
        refusal = self._guard.refusal(here) if code == "proxy" else None
        return refusal.error(here.href) if refusal else unreached(here.href, str(error), code=code)


class _Trip:
    """One fetch on its way from redirect to redirect."""

    def __init__(self, wanted: FetchRequest, start: Url, clock: Clock) -> None:
        self._clock = clock
        self._began = clock.now()
        self.wanted = wanted
        self.here = start
        self._start = start
        self._method = wanted.method
        self._cookies = Cookies()
        self._hops: list[RedirectHop] = []
        self._seen = {(start.href, NO_COOKIES)}
        self._downgraded = False
        self._repeated = False

    def may_repeat(self, error: NetworkError) -> bool:
        """Tell once whether what was not answered may be asked again."""
        repeats = isinstance(error, NoResponseError) and self._method in _REPEATABLE
        may, self._repeated = repeats and not self._repeated, self._repeated or repeats
        return may

    def sending(self) -> OutgoingRequest:
        """Return the next request."""
        # what the caller sent along was meant for the first host
        headers = dict(self.wanted.headers) if self.here.origin == self._start.origin else {}
        if self.wanted.accept:
            headers["Accept"] = self.wanted.accept
        return OutgoingRequest(
            method=self._method,
            url=self.here.href,
            headers=headers,
            body=self.wanted.body if self._method == "POST" and not self._hops else None,
            timeout=self.wanted.timeout,
            cookies=self._cookies,
        )

    def move(self, status: int, onward: Url) -> None:
        """Follow a redirect."""
        self._hops.append(RedirectHop(url=self.here.href, status=status))
        if len(self._hops) > MOST_REDIRECTS:
            raise unreached(self._start.href, f"it redirects more than {MOST_REDIRECTS} times")
        # back to the same page is fine if a cookie was set on the way
        place = (onward.href, self._cookies.state)
        if place in self._seen:
            raise unreached(self._start.href, "it redirects in a circle")
        self._seen.add(place)
        self._method = redirects.method_after(status, self._method)
        self._downgraded |= (self.here.scheme, onward.scheme) == ("https", "http")
        self.here = onward

    def arrived(self, answer: ResponseStream, body: ResponseBody) -> FetchedResponse:
        """Return the page at the end of the way."""
        return FetchedResponse(
            url=self.here.href,
            status=answer.status,
            headers=answer.headers,
            content=body.content,
            hops=tuple(self._hops),
            truncated=body.ending != "whole",
            downgraded=self._downgraded,
            elapsed=self._clock.now() - self._began,
        )


async def _body(answer: ResponseStream, wanted: FetchRequest) -> ResponseBody:
    def larger(head: bytes) -> int:
        document = is_document(head, answer.headers.media_type)
        return wanted.document_bytes if document else wanted.page_bytes

    return await answer.read(wanted.page_bytes, larger)
