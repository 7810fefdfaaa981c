"""HTTP responses: headers, the open stream, and the response with its decoded body."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Literal

from webquarry.errors import NetworkError, PayloadError
from webquarry.net.client.content_encoding import Decoder, EncodingError
from webquarry.net.media_type import is_document

# how a body ended: with its last byte, at our size limit, or with a broken connection
BodyEnd = Literal["complete", "size_limit", "broken"]

MAX_HEADERS = 200
MAX_HEADER_BYTES = 256 * 2**10
_SNIFFED_BYTES = 1024


class Headers(dict[str, str]):
    """Response headers by their names in lower case. Repeated headers are joined."""

    __slots__ = ("_values",)

    def __init__(self, fields: Iterable[tuple[str, str]] = ()) -> None:
        values: dict[str, tuple[str, ...]] = {}
        for spelled, value in fields:
            name = spelled.lower()
            values[name] = (*values[name], value) if name in values else (value,)
        self._values = values
        super().__init__({name: ", ".join(each) for name, each in values.items()})

    def get_all(self, name: str) -> tuple[str, ...]:
        """Return each value of a header that must not be joined, such as Set-Cookie."""
        return self._values.get(name, ())

    def fields(self) -> list[tuple[str, str]]:
        """Return each header as often as it was received."""
        return [(name, value) for name, values in self._values.items() for value in values]

    def parameter(self, name: str, parameter: str) -> str:
        """Return one parameter of a header, such as the charset of Content-Type, or ''."""
        for part in self.get(name, "").split(";")[1:]:
            key, _, value = part.partition("=")
            if key.strip().lower() == parameter:
                return value.strip().strip("\"'")
        return ""

    @property
    def media_type(self) -> str:
        """The content type in lower case, without its parameters."""
        declared = self.get("content-type", "")
        return declared.partition(";")[0].partition(",")[0].strip().lower()


@dataclass(frozen=True, kw_only=True)
class RedirectHop:
    """One followed redirect."""

    url: str
    status: int


@dataclass(frozen=True, kw_only=True)
class FetchedResponse:
    """A response of any status, with its decoded body."""

    url: str = ""  # after redirects
    status: int
    headers: Headers = field(default_factory=Headers)
    content: bytes = b""
    ending: BodyEnd = "complete"
    hops: tuple[RedirectHop, ...] = ()
    downgraded: bool = False  # a redirect led from https to http
    elapsed: float = 0.0

    @property
    def truncated(self) -> bool:
        """Whether part of the body is missing."""
        return self.ending != "complete"

    @property
    def text(self) -> str:
        """The content as text; bytes invalid in its charset become U+FFFD."""
        charset = self.headers.parameter("content-type", "charset") or "utf-8"
        try:
            return self.content.decode(charset, "replace")
        except LookupError:
            return self.content.decode("utf-8", "replace")


@dataclass
class ResponseStream(ABC):
    """Status and headers of a response whose body is still to be read."""

    url: str
    status: int
    headers: Headers

    @abstractmethod
    def chunks(self) -> AsyncGenerator[bytes]:
        """Yield the body as received, still encoded; raise `NetworkError` if it is cut off."""
        ...

    def take_received(self, max_bytes: int) -> bytes | None:
        """Return a body that has arrived completely, still encoded; None if it is longer."""
        del max_bytes
        return None

    def tls_peer(self) -> Mapping[str, str]:
        """Return what is known about the certificate of the server, by name."""
        return {}

    async def read(
        self, max_bytes: int, *, max_document_bytes: int = 0, seconds: float | None = None
    ) -> FetchedResponse:
        """Return the response, decoded and cut at `max_bytes`; documents have their own limit.

        After `seconds` it is what was received until then; `TimeoutError` if that is nothing.
        """
        received = None if "content-encoding" in self.headers else self.take_received(max_bytes)
        if received is not None:
            return FetchedResponse(
                url=self.url, status=self.status, headers=self.headers, content=received
            )
        body = _BodyBuffer(self.headers, max_bytes, max_document_bytes)
        ending: BodyEnd = "size_limit"
        try:
            async with asyncio.timeout(seconds), aclosing(self.chunks()) as chunks:
                async for chunk in chunks:
                    if not body.add(chunk):
                        break
                else:
                    ending = "complete" if body.is_complete else "broken"
        except EncodingError:
            raise
        except (NetworkError, TimeoutError):
            if not body.content:
                raise
            ending = "broken"
        return FetchedResponse(
            url=self.url,
            status=self.status,
            headers=self.headers,
            content=bytes(memoryview(body.content)[: body.max_bytes]),
            ending=ending,
        )

    async def read_all(self, max_bytes: int) -> FetchedResponse:
        """Return the complete response; raise `PayloadError` if it is larger than `max_bytes`."""
        if "content-encoding" in self.headers:
            response = await self.read(max_bytes)
            if response.ending == "broken":
                raise NetworkError("the response was cut off")
            if response.truncated:
                raise _too_large(max_bytes)
            return response
        # not encoded, and this way costs half as much as `read`
        content = await self.read_encoded(max_bytes)
        if content is None:
            raise _too_large(max_bytes)
        return FetchedResponse(
            url=self.url, status=self.status, headers=self.headers, content=content
        )

    async def read_encoded(self, max_bytes: int) -> bytes | None:
        """Return the body still encoded; None if it is longer than `max_bytes`.

        Raises `NetworkError` if it is cut off.
        """
        if self.content_length > max_bytes:
            return None
        content = bytearray()
        async with aclosing(self.chunks()) as chunks:
            async for chunk in chunks:
                content += chunk
                if len(content) > max_bytes:
                    return None
        return bytes(content)

    @property
    def content_length(self) -> int:
        """The Content-Length header; -1 if there is none."""
        value = self.headers.get("content-length", "")
        return int(value) if value.isascii() and value.isdigit() else -1


class _BodyBuffer:
    """The decoded content of one body, up to its size limit."""

    def __init__(self, headers: Headers, max_bytes: int, max_document_bytes: int) -> None:
        encoding = headers.get("content-encoding")
        self._decoder = Decoder(encoding) if encoding else None
        self.content = bytearray()
        self.max_bytes = max_bytes
        self._max_document_bytes = max_document_bytes
        self._headers = headers
        self._received = 0

    def add(self, chunk: bytes) -> bool:
        """Decode the next bytes; return False once the size limit is exceeded."""
        self._received += len(chunk)
        for piece in self._decoder.feed(chunk) if self._decoder else (chunk,):
            self.content += piece
            if len(self.content) > self.max_bytes and not self._raise_limit():
                return False
        # an endless body may decode to nothing
        return self._received <= max(self.max_bytes, len(self.content))

    @property
    def is_complete(self) -> bool:
        """Whether the encoded data ends where its format says."""
        return self._decoder is None or self._decoder.complete

    def _raise_limit(self) -> bool:
        """Apply the limit for documents if this is one; return whether the content is within it."""
        start = bytes(self.content[:_SNIFFED_BYTES])
        if self._max_document_bytes > self.max_bytes and is_document(
            start, self._headers.media_type
        ):
            self.max_bytes = self._max_document_bytes
        return len(self.content) <= self.max_bytes


def _too_large(max_bytes: int) -> PayloadError:
    return PayloadError(f"the response is larger than {max_bytes} bytes")
