"""The one place that knows wreq: sends a request, streams the answer, translates the failures."""

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import cache, cached_property
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any

from webquarry.errors import NetworkError
from webquarry.net.encodings import ACCEPTED, EncodingError
from webquarry.net.failures import failure
from webquarry.net.headers import Headers
from webquarry.net.resolve import Pinned
from webquarry.net.url import parse
from webquarry.net.vessel import Body, Vessel

if TYPE_CHECKING:
    import wreq

NO_COOKIES = "[]"  # the state of an empty jar

_IDLE = timedelta(seconds=60)
_CONNECTING = timedelta(seconds=8)
MOST_HEADERS = 200
MOST_HEADER_BYTES = 256 * 2**10
_THREADS = 2


@dataclass(frozen=True, kw_only=True)
class Wiring:
    """How requests leave this process."""

    emulate: bool = False  # look like Chrome, down to the handshake
    user_agent: str = ""
    http_proxy: str = ""
    https_proxy: str = ""
    no_proxy: tuple[str, ...] = ()
    ca_file: Path | None = None
    pinned: Pinned | None = None  # the only place this may go to, and its checked addresses


@dataclass(frozen=True, kw_only=True)
class Sending:
    """One request as it goes over the wire; nothing is followed."""

    method: str = "GET"
    url: str
    headers: Mapping[str, str]
    body: bytes | None = None
    timeout: float
    through: str = ""  # another proxy than the usual one
    cookies: "Cookies | None" = None


class Cookies:
    """The cookies of a few requests that belong together."""

    def __init__(self) -> None:
        import wreq

        self.jar = wreq.Jar()

    @property
    def state(self) -> str:
        """All names and values, to see whether anything changed."""
        return repr(sorted((cookie.name, cookie.value) for cookie in self.jar.get_all()))


class Answer:
    """The head of a response, and its body on demand."""

    def __init__(self, response: "wreq.Response") -> None:
        self._response = response
        self.status = response.status.as_int()
        self.headers = Headers(
            (bytes(name).decode("latin-1"), bytes(value).decode("latin-1"))
            for name, value in response.headers
        )

    async def read(self, most: int, larger: Callable[[bytes], int] | None = None) -> Body:
        """Return at most so many bytes; `larger` may raise that, seeing how the content begins."""
        try:
            return await self._filled(Vessel(self.headers, most, larger))
        except EncodingError as error:
            raise NetworkError(str(error)) from error

    async def wire(self, most: int) -> bytes | None:
        """Return the body as it came, still encoded; None when it is longer than `most`.

        Half the cost of `read`, for whoever keeps pages as they came; a broken connection raises.
        """
        length = self.headers.get("content-length", "")
        if length.isdigit() and int(length) > most:
            return None
        try:
            if length.isdigit():  # the protocol lets no more than that come
                return bytes(await self._response.bytes())
            return await self._gathered(most)
        except _foreign() as error:
            raise failure(error) from error

    async def _gathered(self, most: int) -> bytes | None:
        content = bytearray()
        async with self._response.stream() as stream:
            async for chunk in stream:
                if isinstance(chunk, memoryview):
                    content += chunk
                    if len(content) > most:
                        return None
        return bytes(content)

    async def _filled(self, vessel: Vessel) -> Body:
        try:
            async with self._response.stream() as stream:
                async for chunk in stream:
                    # the other kind is trailers
                    if isinstance(chunk, memoryview) and not vessel.takes(chunk.tobytes()):
                        return vessel.body("cap")
        except _foreign() as error:
            if not vessel.content:
                raise failure(error) from error
            return vessel.body("cut")
        return vessel.body("whole" if vessel.decoder.complete else "cut")


class Engine:
    """A pool of connections. wreq is imported when the first request is sent."""

    def __init__(self, wiring: Wiring) -> None:
        self._wiring = wiring

    @asynccontextmanager
    async def send(self, sending: Sending) -> AsyncGenerator[Answer]:
        """Send a request; the answer is open inside the block."""
        import wreq

        if self._wiring.pinned and not _is_at(sending, self._wiring.pinned):
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
            yield Answer(response)

    def close(self) -> None:
        """Close all connections; running requests fail."""
        client = self.__dict__.pop("_client", None)
        if client is not None:
            client.close()

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


def _is_at(sending: Sending, pinned: Pinned) -> bool:
    wanted = parse(sending.url)
    place = (wanted.host, wanted.port)
    return place == (pinned.url.host, pinned.url.port) and not sending.through


def _pinned(pinned: Pinned) -> dict[str, Any]:
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
