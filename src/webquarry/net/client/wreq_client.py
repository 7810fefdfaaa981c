"""The one place that knows wreq: sends a request, streams the answer, translates the failures."""

from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import cache, cached_property
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any

from webquarry.errors import NetworkError
from webquarry.net.client.chrome_headers import HEADERS
from webquarry.net.client.cleartext import Http1Pool
from webquarry.net.client.content_encoding import ACCEPTED
from webquarry.net.client.headers import Headers
from webquarry.net.client.outgoing import MOST_HEADER_BYTES, MOST_HEADERS, OutgoingRequest
from webquarry.net.client.response import ResponseStream
from webquarry.net.client.transport_errors import failure
from webquarry.net.guard.resolver import PinnedHost
from webquarry.net.url import parse

if TYPE_CHECKING:
    import wreq

_IDLE = timedelta(seconds=60)
_CONNECTING = timedelta(seconds=8)
_THREADS = 2


@dataclass(frozen=True, kw_only=True)
class ClientOptions:
    """How requests leave this process."""

    emulate: bool = False  # look like Chrome, down to the handshake
    user_agent: str = ""
    http_proxy: str = ""
    https_proxy: str = ""
    no_proxy: tuple[str, ...] = ()
    ca_file: Path | None = None
    pinned: PinnedHost | None = None  # the only place this may go to, and its checked addresses


class _WreqAnswer(ResponseStream):
    def __init__(self, response: "wreq.Response") -> None:
        fields = [(str(name, "latin-1"), str(value, "latin-1")) for name, value in response.headers]
        super().__init__(response.status.as_int(), Headers(fields))
        self._response = response

    async def chunks(self) -> AsyncGenerator[bytes]:
        try:
            async with self._response.stream() as stream:
                async for chunk in stream:
                    if isinstance(chunk, memoryview):  # the other kind is trailers
                        yield chunk.tobytes()
        except _foreign() as error:
            raise failure(error) from error

    async def wire(self, most: int) -> bytes | None:
        if not 0 <= self.length <= most:
            return await super().wire(most)
        try:
            return bytes(await self._response.bytes())  # the protocol lets no more than that come
        except _foreign() as error:
            raise failure(error) from error


class HttpClient:
    """A pool of connections. wreq is imported when it is first needed."""

    def __init__(self, wiring: ClientOptions) -> None:
        self._wiring = wiring
        self._cleartext = None if wiring.http_proxy else _cleartext(wiring)

    def send(self, sending: OutgoingRequest) -> AbstractAsyncContextManager[ResponseStream]:
        """Send a request; the answer is open inside the block."""
        spoken = self._cleartext.spoken(sending) if self._cleartext else None
        if self._cleartext and spoken and self._may_go_to(sending):
            return self._cleartext.send(spoken)
        return self._sent(sending)

    @asynccontextmanager
    async def _sent(self, sending: OutgoingRequest) -> AsyncGenerator[ResponseStream]:
        import wreq

        if not self._may_go_to(sending):
            raise NetworkError("the connection leads to another place")
        options: dict[str, Any] = {
            "headers": dict(sending.headers),
            # the caller's deadline comes first; this one frees the socket if nobody waits any more
            "timeout": timedelta(seconds=sending.timeout + 1),
        }
        if sending.body is not None:
            options["body"] = sending.body
        if sending.cookies is not None:
            options["cookie_provider"] = sending.cookies.jar
        if sending.through:
            options["proxy"] = wreq.Proxy.all(sending.through)
        method: wreq.Method = getattr(wreq.Method, sending.method)
        try:
            response = await self._client.request(method, sending.url, **options)
        except _foreign() as error:
            raise failure(error) from error
        async with response:
            yield _WreqAnswer(response)

    def let_go(self) -> None:
        """Close the connections that nobody uses now; nothing more will be sent."""
        if self._cleartext:
            self._cleartext.close()

    def close(self) -> None:
        """Close all connections; running requests fail."""
        self.let_go()
        client = self.__dict__.pop("_client", None)
        if client is not None:
            client.close()

    def _may_go_to(self, sending: OutgoingRequest) -> bool:
        pinned = self._wiring.pinned
        return pinned is None or _is_at(sending, pinned)

    @cached_property
    def _client(self) -> "wreq.Client":
        import wreq
        from wreq.redirect import Policy

        options: dict[str, Any] = {
            "runtime": _runtime(),
            "redirect": Policy.none(),
            "pool_idle_timeout": _IDLE,
            "http1_options": wreq.Http1Options(
                max_headers=MOST_HEADERS, max_buf_size=MOST_HEADER_BYTES
            ),
            **dict.fromkeys(("gzip", "brotli", "deflate", "zstd"), False),
            **self._identity(),
            **self._route(),
        }
        if self._wiring.ca_file:
            options["tls_verify"] = self._wiring.ca_file
        if self._wiring.pinned:
            options |= _pinned(self._wiring.pinned)
        return wreq.Client(**options)

    def _identity(self) -> dict[str, Any]:
        import wreq

        if self._wiring.emulate:
            return {
                "emulation": wreq.Emulation(wreq.Profile.Chrome154, platform=wreq.Platform.Linux)
            }
        return {
            "user_agent": self._wiring.user_agent,
            "headers": {"Accept-Encoding": ACCEPTED},
        }

    def _route(self) -> dict[str, Any]:
        import wreq

        wiring = self._wiring
        proxies: list[wreq.Proxy] = []
        exclusion = ",".join(wiring.no_proxy)
        if wiring.http_proxy:
            proxies.append(wreq.Proxy.http(wiring.http_proxy, exclusion=exclusion))
        if wiring.https_proxy:
            proxies.append(wreq.Proxy.https(wiring.https_proxy, exclusion=exclusion))
        # without proxies wreq would look for them in the environment
        direct = not proxies or "*" in wiring.no_proxy
        return {"no_proxy": True} if direct else {"proxies": proxies}


def _cleartext(wiring: ClientOptions) -> Http1Pool:
    usual = HEADERS if wiring.emulate else _own_headers(wiring)
    return Http1Pool(usual, wiring.pinned.addresses if wiring.pinned else ())


def _own_headers(wiring: ClientOptions) -> dict[str, str]:
    return {"user-agent": wiring.user_agent, "accept-encoding": ACCEPTED}


def _is_at(sending: OutgoingRequest, pinned: PinnedHost) -> bool:
    if sending.url.startswith(f"{pinned.url.origin}/") and not sending.through:
        return True  # as it nearly always is; nothing before the path could be read otherwise
    wanted = parse(sending.url)
    place = (wanted.host, wanted.port)
    return place == (pinned.url.host, pinned.url.port) and not sending.through


def _pinned(pinned: PinnedHost) -> dict[str, Any]:
    """Return the options of a client that never asks the DNS."""
    import wreq

    known = wreq.DnsOptions()
    if pinned.url.address is None:
        known.add_resolve(pinned.url.host, [ip_address(found) for found in pinned.addresses])
    return {"dns_options": known, "connect_timeout": _CONNECTING, "no_proxy": True}


@cache
def _runtime() -> "wreq.Runtime":
    import wreq

    # by default it starts a thread per core
    return wreq.Runtime(workers=_THREADS, thread_name="webquarry-net")


@cache
def _foreign() -> tuple[type[Exception], ...]:
    from wreq import exceptions

    named = (getattr(exceptions, name) for name in exceptions.__all__)
    # a header that cannot be sent arrives as RuntimeError
    return (*named, RuntimeError)
