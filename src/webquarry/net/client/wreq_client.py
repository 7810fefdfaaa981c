"""The HTTP client. The only module that uses wreq: it sends requests and translates its errors."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import cache, cached_property
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any

from webquarry.errors import NetworkError
from webquarry.models.exchange import ExchangeKind
from webquarry.net.client.chrome_headers import HEADERS
from webquarry.net.client.cleartext import Http1Pool
from webquarry.net.client.content_encoding import ACCEPTED
from webquarry.net.client.recording import RecordedSending
from webquarry.net.client.request import HttpRequest
from webquarry.net.client.response import MAX_HEADER_BYTES, MAX_HEADERS, Headers, ResponseStream
from webquarry.net.client.tls_peer import peer_summary
from webquarry.net.client.transport_errors import network_error
from webquarry.net.guard.resolver import PinnedHost
from webquarry.net.url import parse
from webquarry.observe.active_recorder import active_recorder

if TYPE_CHECKING:
    import wreq

_IDLE_TIMEOUT = timedelta(seconds=60)
_CONNECT_TIMEOUT = timedelta(seconds=8)
_THREADS = 2


@dataclass(frozen=True, kw_only=True)
class ClientOptions:
    """How a client connects and identifies itself."""

    emulate_chrome: bool = False  # headers, TLS and HTTP/2 fingerprint
    user_agent: str = ""
    http_proxy: str = ""
    https_proxy: str = ""
    no_proxy: tuple[str, ...] = ()
    ca_file: Path | None = None
    pinned: PinnedHost | None = None  # the only host to connect to, at its checked addresses
    records_as: ExchangeKind = "page"
    tls_peers: bool = False  # also record the certificates of servers


@dataclass
class _WreqResponse(ResponseStream):
    response: "wreq.Response"

    async def chunks(self) -> AsyncGenerator[bytes]:
        try:
            async with self.response.stream() as stream:
                async for chunk in stream:
                    if isinstance(chunk, memoryview):  # anything else is a trailer
                        yield chunk.tobytes()
        except _wreq_errors() as error:
            raise network_error(error) from error

    def tls_peer(self) -> Mapping[str, str]:
        info = self.response.tls_info
        certificate = info.peer_certificate() if info else None
        return peer_summary(bytes(certificate)) if certificate else {}

    async def read_encoded(self, max_bytes: int) -> bytes | None:
        if not 0 <= self.content_length <= max_bytes:
            return await super().read_encoded(max_bytes)
        try:
            # HTTP delivers at most Content-Length bytes, so this is bounded
            return bytes(await self.response.bytes())
        except _wreq_errors() as error:
            raise network_error(error) from error


class HttpClient:
    """A pool of connections. wreq is imported when first needed."""

    def __init__(self, options: ClientOptions) -> None:
        self._options = options
        self._own_headers = _own_headers(options)
        addresses = options.pinned.addresses if options.pinned else ()
        self._http1_pool = None if options.http_proxy else Http1Pool(self._own_headers, addresses)

    def send(self, request: HttpRequest) -> AbstractAsyncContextManager[ResponseStream]:
        """Send a request; the response is open inside the block."""
        recorder = active_recorder.get()
        if recorder is None:
            return self._send(request)
        return RecordedSending(
            sending=self._send(request),
            request=request,
            recorder=recorder,
            own_headers=self._own_headers,
            kind=self._options.records_as,
        )

    def _send(self, request: HttpRequest) -> AbstractAsyncContextManager[ResponseStream]:
        pinned = self._options.pinned
        if pinned and not _is_for(pinned, request):
            raise NetworkError("the URL is not that of the pinned host")
        # the one switch between our own HTTP/1.1 client and wreq (ADR 10)
        if self._http1_pool and (encoded := self._http1_pool.encode(request)):
            return self._http1_pool.send(encoded)
        return self._send_with_wreq(request)

    def close_idle(self) -> None:
        """Close idle connections. The client must not be used for new requests."""
        if self._http1_pool:
            self._http1_pool.close()

    def close(self) -> None:
        """Close all connections; running requests fail."""
        self.close_idle()
        client = self.__dict__.pop("_client", None)
        if client is not None:
            client.close()

    @asynccontextmanager
    async def _send_with_wreq(self, request: HttpRequest) -> AsyncGenerator[ResponseStream]:
        import wreq

        options: dict[str, Any] = {
            "headers": dict(request.headers),
            # the caller's deadline comes first; this one frees the socket of an abandoned request
            "timeout": timedelta(seconds=request.timeout + 1),
        }
        if request.body is not None:
            options["body"] = request.body
        if request.cookies is not None:
            options["cookie_provider"] = request.cookies.jar
        if request.proxy:
            options["proxy"] = wreq.Proxy.all(request.proxy)
        method: wreq.Method = getattr(wreq.Method, request.method)
        try:
            response = await self._client.request(method, request.url, **options)
        except _wreq_errors() as error:
            raise network_error(error) from error
        fields = ((str(name, "latin-1"), str(value, "latin-1")) for name, value in response.headers)
        async with response:
            yield _WreqResponse(request.url, response.status.as_int(), Headers(fields), response)

    @cached_property
    def _client(self) -> "wreq.Client":
        import wreq
        from wreq.redirect import Policy

        options: dict[str, Any] = {
            "runtime": _runtime(),
            "redirect": Policy.none(),
            "pool_idle_timeout": _IDLE_TIMEOUT,
            "http1_options": wreq.Http1Options(
                max_headers=MAX_HEADERS, max_buf_size=MAX_HEADER_BYTES
            ),
            **dict.fromkeys(("gzip", "brotli", "deflate", "zstd"), False),
            **self._identity_options(),
            **self._proxy_options(),
        }
        if self._options.ca_file:
            options["tls_verify"] = self._options.ca_file
        if self._options.tls_peers:
            options["tls_info"] = True
        if self._options.pinned:
            options |= _pinned_options(self._options.pinned)
        return wreq.Client(**options)

    def _identity_options(self) -> dict[str, Any]:
        import wreq

        if self._options.emulate_chrome:
            return {
                "emulation": wreq.Emulation(wreq.Profile.Chrome154, platform=wreq.Platform.Linux)
            }
        return {
            "user_agent": self._options.user_agent,
            "headers": {"Accept-Encoding": ACCEPTED},
        }

    def _proxy_options(self) -> dict[str, Any]:
        import wreq

        options = self._options
        proxies: list[wreq.Proxy] = []
        exclusion = ",".join(options.no_proxy)
        if options.http_proxy:
            proxies.append(wreq.Proxy.http(options.http_proxy, exclusion=exclusion))
        if options.https_proxy:
            proxies.append(wreq.Proxy.https(options.https_proxy, exclusion=exclusion))
        # without `no_proxy` wreq would read proxies from the environment
        direct = not proxies or "*" in options.no_proxy
        return {"no_proxy": True} if direct else {"proxies": proxies}


def _own_headers(options: ClientOptions) -> Mapping[str, str]:
    """Return the headers that every request has."""
    if options.emulate_chrome:
        return HEADERS
    return {"user-agent": options.user_agent, "accept-encoding": ACCEPTED}


def _is_for(pinned: PinnedHost, request: HttpRequest) -> bool:
    if request.proxy:
        return False
    if request.url.startswith(f"{pinned.url.origin}/"):  # nearly always; saves parsing the URL
        return True
    url = parse(request.url)
    return (url.host, url.port) == (pinned.url.host, pinned.url.port)


def _pinned_options(pinned: PinnedHost) -> dict[str, Any]:
    """Return the options of a client that never uses the DNS."""
    import wreq

    dns = wreq.DnsOptions()
    if pinned.url.ip is None:
        dns.add_resolve(pinned.url.host, [ip_address(address) for address in pinned.addresses])
    return {"dns_options": dns, "connect_timeout": _CONNECT_TIMEOUT, "no_proxy": True}


@cache
def _runtime() -> "wreq.Runtime":
    import wreq

    # the default is one thread per core
    return wreq.Runtime(workers=_THREADS, thread_name="webquarry-net")


@cache
def _wreq_errors() -> tuple[type[Exception], ...]:
    from wreq import exceptions

    named = (getattr(exceptions, name) for name in exceptions.__all__)
    # an invalid request header raises RuntimeError
    return (*named, RuntimeError)
