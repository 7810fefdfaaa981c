"""Records exchanges while a caller wants it: the response stream is read through a tap."""

import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import AbstractAsyncContextManager, aclosing
from dataclasses import dataclass
from types import TracebackType

from webquarry.models.exchange import Exchange, ExchangeKind, Fields, Truncation
from webquarry.net.client.request import HttpRequest
from webquarry.net.client.response import Headers, ResponseStream
from webquarry.observe.active_recorder import RecordsExchanges

_LEFT_OUT_RESPONSE_HEADERS = frozenset(
    {
        # they identify a person or open an account
        "set-cookie", "set-cookie2", "www-authenticate",
        # the body is recorded as one piece, after the client has joined the pieces of the transfer
        "transfer-encoding", "connection", "keep-alive", "trailer",
    }
)  # fmt: skip
# any other request header may hold a key: callers and upstreams name theirs as they like
_RECORDED_REQUEST_HEADERS = frozenset(
    {
        "accept", "accept-encoding", "accept-language", "content-type", "if-modified-since",
        "if-none-match", "priority", "range", "upgrade-insecure-requests", "user-agent",
    }
)  # fmt: skip


class TappedStream(ResponseStream):
    """A response stream that keeps a copy of the body as it is read."""

    def __init__(self, source: ResponseStream, max_bytes: int) -> None:
        super().__init__(source.url, source.status, source.headers)
        self._source = source
        self._max_bytes = max_bytes
        self._pieces: list[bytes] = []
        self._size = 0
        # the bodies of redirects and of types that cannot be read are not received
        self.truncated: Truncation = "unspecified"

    @property
    def body(self) -> bytes:
        """The body as received, up to the limit."""
        return self._pieces[0] if len(self._pieces) == 1 else b"".join(self._pieces)

    async def chunks(self) -> AsyncGenerator[bytes]:
        self.truncated = "disconnect"
        async with aclosing(self._source.chunks()) as chunks:
            async for chunk in chunks:
                self._keep(chunk)
                yield chunk
        self.truncated = "length" if self._size > self._max_bytes else ""

    def take_received(self, max_bytes: int) -> bytes | None:
        received = self._source.take_received(max_bytes)
        if received is not None:
            self._keep_all(received)
        return received

    async def read_encoded(self, max_bytes: int) -> bytes | None:
        self.truncated = "disconnect"
        received = await self._source.read_encoded(max_bytes)
        if received is None:
            self.truncated = "length"
        else:
            self._keep_all(received)
        return received

    def tls_peer(self) -> Mapping[str, str]:
        return self._source.tls_peer()

    def _keep(self, chunk: bytes) -> None:
        left = self._max_bytes - self._size
        self._size += len(chunk)
        if left > 0:
            self._pieces.append(chunk if len(chunk) <= left else chunk[:left])

    def _keep_all(self, received: bytes) -> None:
        self._keep(received)
        self.truncated = "length" if self._size > self._max_bytes else ""


@dataclass(slots=True, kw_only=True)
class RecordedSending(AbstractAsyncContextManager[ResponseStream]):
    """Opens the response of a request, and records both at the end of the block.

    No generator: that costs a tenth of what capturing costs.
    """

    sending: AbstractAsyncContextManager[ResponseStream]
    request: HttpRequest
    recorder: RecordsExchanges
    own_headers: Mapping[str, str]
    kind: ExchangeKind
    _at: float = 0.0
    _tapped: TappedStream | None = None

    async def __aenter__(self) -> ResponseStream:
        self._at = time.time()
        self._tapped = TappedStream(await self.sending.__aenter__(), self.recorder.max_body)
        return self._tapped

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool | None:
        try:
            if self._tapped:
                self.recorder.record(self._exchange(self._tapped))
        finally:
            ended = await self.sending.__aexit__(kind, error, traceback)
        return ended

    def _exchange(self, tapped: TappedStream) -> Exchange:
        request = self.request
        return Exchange(
            url=request.url,
            at=self._at,
            method=request.method,
            request_headers=recorded_request_headers({**self.own_headers, **request.headers}),
            request_body=request.body or b"",
            status=tapped.status,
            headers=recorded_response_headers(tapped.headers),
            body=tapped.body,
            truncated=tapped.truncated,
            kind=self.kind,
            tls=tapped.tls_peer(),
        )


def recorded_request_headers(headers: Mapping[str, str]) -> Fields:
    """Return the request headers that may be kept."""
    by_name = {name.lower(): value for name, value in headers.items()}
    return tuple([each for each in by_name.items() if each[0] in _RECORDED_REQUEST_HEADERS])


def recorded_response_headers(headers: Headers) -> Fields:
    """Return the response headers that may be kept."""
    return tuple([each for each in headers.fields() if each[0] not in _LEFT_OUT_RESPONSE_HEADERS])
