"""A ZIP file whose every byte follows from its entries, so that a changed byte is noticed."""

import struct
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import BinaryIO, Protocol

from webquarry.errors import BadInputError
from webquarry.webarchive.warc_reading import DamagedArchiveError

_LOCAL = struct.Struct("<4s5H3I2H")
_CENTRAL = struct.Struct("<4s6H3I5H2I")
_END = struct.Struct("<4s4H2IH")
_VERSION, _UTF8, _DATE = 20, 0x800, 0x21  # 1980-01-01: no clock in the file
STORED, DEFLATED = 0, 8
_MAX_BYTES = 2**32 - 2**20
_LEVEL = 9


@dataclass(frozen=True, kw_only=True)
class ZipEntry:
    """One file in the container."""

    name: str
    method: int
    crc: int
    stored: int  # bytes in the container
    size: int
    offset: int  # of its local header

    @property
    def start(self) -> int:
        """Where its data begins."""
        return self.offset + _LOCAL.size + len(self.name.encode())

    @property
    def end(self) -> int:
        """The byte after its data."""
        return self.start + self.stored

    def local_header(self) -> bytes:
        """Return the bytes before its data."""
        name = self.name.encode()
        sizes = (self.crc, self.stored, self.size, len(name), 0)
        return _LOCAL.pack(b"PK\x03\x04", _VERSION, _UTF8, self.method, 0, _DATE, *sizes) + name

    def central_header(self) -> bytes:
        """Return its line in the directory at the end."""
        name = self.name.encode()
        sizes = (self.crc, self.stored, self.size, len(name), 0, 0, 0, 0, 0, self.offset)
        return (
            _CENTRAL.pack(b"PK\x01\x02", _VERSION, _VERSION, _UTF8, self.method, 0, _DATE, *sizes)
            + name
        )


class TakesBytes(Protocol):
    """What a container is written to."""

    def write(self, content: bytes, /) -> object:
        """Write the next bytes."""
        ...


@dataclass
class ZipWriter:
    """Writes entries one after the other; nothing is patched later."""

    file: TakesBytes
    entries: list[ZipEntry] = field(default_factory=list[ZipEntry])
    offset: int = 0

    def add(self, name: str, content: bytes) -> None:
        """Add a file, compressed."""
        self.add_compressed(name, lambda: (content,))

    def add_stored(self, name: str, pieces: Iterable[bytes], size: int, crc: int) -> None:
        """Add a file as it is, piece by piece."""
        self._begin(name, STORED, crc, size, size)
        for piece in pieces:
            self.file.write(piece)

    def add_compressed(self, name: str, read: Callable[[], Iterable[bytes]]) -> None:
        """Add a long file, compressed piece by piece; `read` is called three times."""
        crc = size = stored = 0
        for piece in read():
            crc, size = zlib.crc32(piece, crc), size + len(piece)
        for piece in _deflated(read()):
            stored += len(piece)
        self._begin(name, DEFLATED, crc, stored, size)
        for piece in _deflated(read()):
            self.file.write(piece)

    def close(self) -> None:
        """Write the directory."""
        self.file.write(directory(self.entries, self.offset))

    def _begin(self, name: str, method: int, crc: int, stored: int, size: int) -> None:
        entry = ZipEntry(
            name=name, method=method, crc=crc, stored=stored, size=size, offset=self.offset
        )
        if entry.end > _MAX_BYTES:
            raise BadInputError(
                "the bundle would be larger than 4 GiB; export a part, or a .warc.gz file"
            )
        self.entries.append(entry)
        self.file.write(entry.local_header())
        self.offset = entry.end


def _deflated(pieces: Iterable[bytes]) -> Iterator[bytes]:
    deflate = zlib.compressobj(_LEVEL, zlib.DEFLATED, -15)
    for piece in pieces:
        yield deflate.compress(piece)
    yield deflate.flush()


def directory(entries: list[ZipEntry], offset: int) -> bytes:
    """Return the end of a container: the list of its entries."""
    listed = b"".join(entry.central_header() for entry in entries)
    count = len(entries)
    return listed + _END.pack(b"PK\x05\x06", 0, 0, count, count, len(listed), offset, 0)


def walk_entries(file: BinaryIO) -> Iterator[ZipEntry]:
    """Yield the entries of a container that `ZipWriter` wrote, without its directory."""
    offset, last = 0, ""
    file.seek(0, 2)
    size = file.tell()
    while True:
        file.seek(offset)
        head = file.read(_LOCAL.size)
        if head[:4] == b"PK\x01\x02":
            return
        if len(head) < _LOCAL.size or head[:4] != b"PK\x03\x04":
            raise DamagedArchiveError("no entry of a ZIP file begins", offset=offset, record=last)
        *_, method, _time, _date, crc, stored, full, name_length, extra = _LOCAL.unpack(head)
        name = file.read(name_length).decode("utf-8", "replace")
        entry = ZipEntry(name=name, method=method, crc=crc, stored=stored, size=full, offset=offset)
        if extra or entry.local_header() != head + name.encode():
            raise DamagedArchiveError("the header of an entry is wrong", offset=offset, record=last)
        yield entry
        if entry.end > size:
            raise DamagedArchiveError(f"the file ends within {name}", offset=size, record=last)
        offset, last = entry.end, name


def read_entry(file: BinaryIO, entry: ZipEntry, max_bytes: int) -> bytes:
    """Return the content of an entry; `DamagedArchiveError` if it is broken or too long."""
    file.seek(entry.start)
    data = file.read(entry.stored)
    if entry.method == STORED:
        return data
    inflate = zlib.decompressobj(-15)
    try:
        content = inflate.decompress(data, max_bytes + 1)
    except zlib.error as error:
        reason = f"the compressed data of {entry.name} is broken"
        raise DamagedArchiveError(reason, offset=entry.start) from error
    if len(content) > max_bytes or not inflate.eof or inflate.unused_data:
        raise DamagedArchiveError(f"{entry.name} has the wrong length", offset=entry.start)
    return content
