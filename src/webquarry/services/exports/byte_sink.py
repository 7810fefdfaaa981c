"""A file that is sent away while it is written."""

import io
from typing import Any


class ByteSink(io.RawIOBase):
    """Collects what is written to it until it is taken."""

    def __init__(self) -> None:
        super().__init__()
        self._parts: list[bytes] = []

    def writable(self) -> bool:
        """Return that this file can be written."""
        return True

    def write(self, data: Any, /) -> int:
        """Add bytes to what can be taken."""
        part = bytes(data)
        self._parts.append(part)
        return len(part)

    def take(self) -> bytes:
        """Return what was written since the last call."""
        taken = b"".join(self._parts)
        self._parts.clear()
        return taken
