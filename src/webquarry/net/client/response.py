"""An answer: its head at once, its body on demand, decompressed and never beyond a cap."""

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Literal

from webquarry.errors import NetworkError
from webquarry.net.client.content_encoding import Decoder, EncodingError
from webquarry.net.client.headers import Headers

Ending = Literal["whole", "cap", "cut"]

_SNIFFED = 1024


@dataclass(frozen=True)
class ResponseBody:
    """Decompressed content, and how it ended: `cap` is our limit, `cut` is a broken connection."""

    content: bytes
    ending: Ending = "whole"


class ResponseStream(ABC):
    """The head of a response, and its body on demand."""

    def __init__(self, status: int, headers: Headers) -> None:
        self.status = status
        self.headers = headers

    @abstractmethod
    def chunks(self) -> AsyncGenerator[bytes]:
        """Yield the body as it comes, still encoded; `NetworkError` where it breaks off."""
        ...

    def arrived(self) -> bytes | None:
        """Return the body, still encoded, if it is here already and nobody began to read it."""
        return None

    async def read(self, most: int, larger: Callable[[bytes], int] | None = None) -> ResponseBody:
        """Return at most so many bytes; `larger` may raise that, seeing how the content begins."""
        try:
            return await self._filled(_BodyBuffer(self.headers, most, larger))
        except EncodingError as error:
            raise NetworkError(str(error)) from error

    async def wire(self, most: int) -> bytes | None:
        """Return the body as it came, still encoded; None when it is longer than `most`.

        Half the cost of `read`, for whoever keeps pages as they came; a broken connection raises.
        """
        if self.length > most:
            return None
        if (whole := self.arrived()) is not None:
            return whole if len(whole) <= most else None
        content = bytearray()
        async with aclosing(self.chunks()) as chunks:
            async for chunk in chunks:
                content += chunk
                if len(content) > most:
                    return None
        return bytes(content)

    @property
    def length(self) -> int:
        """The bytes of the body as the head tells them; -1 when it does not."""
        told = self.headers.get("content-length", "")
        return int(told) if told.isascii() and told.isdigit() else -1

    async def _filled(self, vessel: "_BodyBuffer") -> ResponseBody:
        if (whole := self.arrived()) is not None:
            return vessel.body(vessel.ending if vessel.takes(whole) else "cap")
        try:
            async with aclosing(self.chunks()) as chunks:
                async for chunk in chunks:
                    if not vessel.takes(chunk):
                        return vessel.body("cap")
        except NetworkError:
            if not vessel.content:
                raise
            return vessel.body("cut")
        return vessel.body(vessel.ending)


class _BodyBuffer:
    """Holds the content of one body up to its cap."""

    def __init__(self, headers: Headers, most: int, larger: Callable[[bytes], int] | None) -> None:
        self._decoder = Decoder(headers.get("content-encoding", ""))
        self.content = bytearray()
        self._received = 0
        self._most = most
        self._larger = larger

    def takes(self, chunk: bytes) -> bool:
        """Unfold the next bytes; return False when the cap is reached."""
        self._received += len(chunk)
        for piece in self._decoder.feed(chunk):
            self.content += piece
            if len(self.content) > self._most and not self._grow():
                return False
        # a body can also go on for ever while it unfolds to nothing
        return self._received <= max(self._most, len(self.content))

    @property
    def ending(self) -> Ending:
        """How it ends if nothing more comes."""
        return "whole" if self._decoder.complete else "cut"

    def body(self, ending: Ending) -> ResponseBody:
        return ResponseBody(bytes(memoryview(self.content)[: self._most]), ending)

    def _grow(self) -> bool:
        if self._larger:
            self._most = max(self._most, self._larger(bytes(self.content[:_SNIFFED])))
            self._larger = None
        return len(self.content) <= self._most
