"""A part of a file, read as a file of its own."""

from typing import BinaryIO


class FileSlice:
    """Reads `size` bytes from `start`; several slices of a file may be read in turn."""

    def __init__(self, file: BinaryIO, start: int, size: int) -> None:
        self._file = file
        self._start = start
        self._size = size
        self._position = 0

    def read(self, count: int = -1) -> bytes:
        """Return the next bytes."""
        left = max(0, self._size - self._position)
        self._file.seek(self._start + self._position)
        content = self._file.read(left if count < 0 else min(count, left))
        self._position += len(content)
        return content

    def seek(self, position: int, whence: int = 0) -> int:
        """Go to a position, from the start or (2) from the end."""
        self._position = position + (self._size if whence == 2 else 0)
        return self._position

    def tell(self) -> int:
        """Return the position."""
        return self._position
