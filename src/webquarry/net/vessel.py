"""The body of an answer while it comes: decompressed piece by piece, never beyond its cap."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from webquarry.net.encodings import Decoder
from webquarry.net.headers import Headers

Ending = Literal["whole", "cap", "cut"]

_SNIFFED = 1024


@dataclass(frozen=True)
class Body:
    """Decompressed content, and how it ended: `cap` is our limit, `cut` is a broken connection."""

    content: bytes
    ending: Ending = "whole"


class Vessel:
    """Holds the content of one body up to its cap."""

    def __init__(
        self, headers: Headers, most: int, larger: Callable[[bytes], int] | None = None
    ) -> None:
        """`larger` may raise the cap, seeing how the content begins.

        Raises `EncodingError` for an encoding nobody knows, as `takes` does for one that is a lie.
        """
        self.decoder = Decoder(headers.get("content-encoding", ""))
        self.content = bytearray()
        self._received = 0
        self._most = most
        self._larger = larger

    def takes(self, chunk: bytes) -> bool:
        """Unfold the next bytes; return False when the cap is reached."""
        self._received += len(chunk)
        for piece in self.decoder.feed(chunk):
            self.content += piece
            if len(self.content) > self._most and not self._grow():
                return False
        # a body can also go on for ever while it unfolds to nothing
        return self._received <= max(self._most, len(self.content))

    def body(self, ending: Ending) -> Body:
        """Return what came."""
        return Body(bytes(memoryview(self.content)[: self._most]), ending)

    def _grow(self) -> bool:
        if self._larger:
            self._most = max(self._most, self._larger(bytes(self.content[:_SNIFFED])))
            self._larger = None
        return len(self.content) <= self._most
