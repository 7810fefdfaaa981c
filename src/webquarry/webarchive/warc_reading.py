"""Reads WARC files of any program, plain or compressed, and says where a damaged one breaks."""

import hashlib
import zlib
from base64 import b32encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import BinaryIO

from webquarry.errors import PayloadError

_CHUNK = 64 * 1024
_MAX_HEAD = 64 * 1024
_MAX_FIELDS = 200
MAX_BLOCK = 256 * 2**20
_GZIP_MAGIC = b"\x1f\x8b"
_RECORD_END = b"\r\n\r\n"
_ZSTD_MAGICS = (b"\x28\xb5\x2f\xfd", b"\x5d\x2a\x4d\x18")
_VERSIONS = (b"WARC/1.0", b"WARC/1.1", b"WARC/0.17", b"WARC/0.18")


class DamagedArchiveError(PayloadError):
    """A file that is not a sound archive from some byte on."""

    def __init__(self, reason: str, *, offset: int, record: str = "") -> None:
        after = f", after {record}" if record else ""
        super().__init__(f"the archive is damaged at byte {offset}{after}: {reason}")
        self.offset = offset
        self.record = record


@dataclass(frozen=True, kw_only=True)
class WarcRecord:
    """One record with its content."""

    fields: Mapping[str, str]  # by name in lower case
    block: bytes
    offset: int  # of its gzip member, or of the record itself
    length: int = 0  # in the file
    seekable: bool = True  # whether it can be read from its offset

    @property
    def type(self) -> str:
        """The kind of record, e.g. response."""
        return self.fields.get("warc-type", "").lower()

    @property
    def url(self) -> str:
        """The target of the record; old programs put it in angle brackets."""
        return self.fields.get("warc-target-uri", "").strip("<>")

    @property
    def date(self) -> str:
        """When it was captured."""
        return self.fields.get("warc-date", "")

    @property
    def name(self) -> str:
        """What a message calls the record."""
        identity = self.fields.get("warc-record-id", "")
        return f"{self.type or 'record'} {self.url or identity} at byte {self.offset}"

    def digest_problem(self) -> str:
        """Return what is wrong with the digests of the record; '' if they match."""
        if _differs(self.fields.get("warc-block-digest", ""), self.block):
            return "its content does not have the digest that it states"
        if self.type == "response" and "warc-truncated" not in self.fields:
            body = self.block.partition(b"\r\n\r\n")[2]
            if _differs(self.fields.get("warc-payload-digest", ""), body):
                return "its payload does not have the digest that it states"
        return ""


def read_records(file: BinaryIO, start: int = 0) -> Iterator[WarcRecord]:
    """Yield the records of a file; `DamagedArchiveError` where it breaks."""
    file.seek(start)
    magic = file.read(4)
    file.seek(start)
    if not magic:
        raise DamagedArchiveError("it is empty", offset=start)
    if magic in _ZSTD_MAGICS:
        raise PayloadError("this WARC file is compressed with zstd; decompress it first (zstd -d)")
    stream: _Stream = _GzipStream(file, start)
    if magic[:2] != _GZIP_MAGIC:
        stream = _PlainStream(file, start)
    return _records(stream)


def _records(stream: "_Stream") -> Iterator[WarcRecord]:
    last = ""
    while True:
        try:
            record = _next_record(stream)
        except DamagedArchiveError as error:
            if error.record or not last:
                raise
            reason = str(error).partition(": ")[2]
            raise DamagedArchiveError(reason, offset=error.offset, record=last) from error
        if record is None:
            return
        last = record.name
        yield record


def _next_record(stream: "_Stream") -> WarcRecord | None:
    first = stream.start_record()
    if first is None:
        return None
    offset, seekable = stream.record_offset, stream.at_member_start
    if first.rstrip(b"\r\n") not in _VERSIONS:
        raise DamagedArchiveError(f"{first[:20]!r} does not begin a WARC record", offset=offset)
    fields = _read_fields(stream, offset)
    length = fields.get("content-length", "")
    if not (length.isascii() and length.isdigit()) or int(length) > MAX_BLOCK:
        raise DamagedArchiveError(f"its Content-Length is {length[:20]!r}", offset=offset)
    block = stream.read(int(length))
    if len(block) < int(length):
        raise DamagedArchiveError("the file ends within a record", offset=offset)
    record = WarcRecord(fields=fields, block=block, offset=offset, seekable=seekable)
    return replace(record, length=stream.end_record() - offset)


def _read_fields(stream: "_Stream", offset: int) -> dict[str, str]:
    fields: dict[str, str] = {}
    name = ""
    for _ in range(_MAX_FIELDS):
        line = stream.readline()
        text = line.decode("utf-8", "replace").rstrip("\r\n")
        if not line.endswith(b"\n"):
            raise DamagedArchiveError("the header of a record does not end", offset=offset)
        if not text:
            return fields
        if text[0] in " \t" and name:  # continues the line before
            fields[name] += " " + text.strip()
            continue
        name, colon, value = text.partition(":")
        if not colon:
            raise DamagedArchiveError(f"{text[:40]!r} is no header line", offset=offset)
        name = name.strip().lower()
        fields[name] = value.strip()
    raise DamagedArchiveError(f"a record has more than {_MAX_FIELDS} header lines", offset=offset)


@dataclass
class _Stream:
    """The decompressed bytes of a file, and where its records begin."""

    file: BinaryIO
    position: int  # in the file, of the next byte to read from it
    buffer: bytearray = field(default_factory=bytearray)
    record_offset: int = 0
    at_member_start: bool = True

    def start_record(self) -> bytes | None:
        """Return the first line of the next record; None at the end of the file."""
        while True:
            self.record_offset = self._offset()
            line = self.readline()
            if not line:
                return None
            if line.strip():
                return line

    def end_record(self) -> int:
        """Skip the end of a record; return the position after it."""
        # the next member is not touched: damage there is not damage of this record
        while len(self.buffer) < len(_RECORD_END) and not self.is_member_over and self._more():
            pass
        while self.buffer.startswith((b"\r\n", b"\n")):
            del self.buffer[: 2 if self.buffer.startswith(b"\r\n") else 1]
        return self._offset()

    @property
    def is_member_over(self) -> bool:
        """Whether all bytes of a compressed member are in the buffer."""
        return False

    def readline(self) -> bytes:
        """Return one line, or what is left."""
        searched = 0
        while (end := self.buffer.find(b"\n", searched)) < 0:
            searched = len(self.buffer)
            if searched > _MAX_HEAD:
                raise DamagedArchiveError("a header line is too long", offset=self._offset())
            if not self._more():
                end = len(self.buffer) - 1
                break
        line = bytes(self.buffer[: end + 1])
        del self.buffer[: end + 1]
        return line

    def read(self, count: int) -> bytes:
        """Return so many bytes, or what is left."""
        self._fill(count)
        taken = bytes(self.buffer[:count])
        del self.buffer[:count]
        return taken

    def _fill(self, count: int) -> bool:
        while len(self.buffer) < count:
            if not self._more():
                return bool(self.buffer)
        return True

    def _offset(self) -> int:
        return self.position - len(self.buffer)

    def _more(self) -> bool:
        """Read more into the buffer; return whether there was any."""
        raise NotImplementedError


class _PlainStream(_Stream):
    def _more(self) -> bool:
        chunk = self.file.read(_CHUNK)
        self.position += len(chunk)
        self.buffer += chunk
        return bool(chunk)


class _GzipStream(_Stream):
    """Gzip members, usually one for each record."""

    def __init__(self, file: BinaryIO, start: int) -> None:
        super().__init__(file, start)
        self._input = b""
        self._member = zlib.decompressobj(31)
        self._member_offset = start
        self._produced = 0  # bytes of this member so far
        self._ended = False

    @property
    def is_member_over(self) -> bool:
        return self._ended

    def start_record(self) -> bytes | None:
        first = super().start_record()
        self.at_member_start = first is not None and self._produced == len(first) + len(self.buffer)
        return first

    def _offset(self) -> int:
        # the next record begins in the next member if this one is used up
        return self.position - len(self._input) if not self.buffer else self._member_offset

    def _more(self) -> bool:
        if self._ended and not self._next_member():
            return False
        if not self._input:
            self._input = self.file.read(_CHUNK)
            self.position += len(self._input)
            if not self._input:
                raise DamagedArchiveError(
                    "the file ends within compressed data", offset=self._member_offset
                )
        try:
            # bounded, so that a small file cannot fill the memory
            piece = self._member.decompress(self._input, _CHUNK * 16)
        except zlib.error as error:
            reason = f"its compressed data is broken ({error})"
            raise DamagedArchiveError(reason, offset=self._member_offset) from error
        self._input = self._member.unconsumed_tail or self._member.unused_data
        self._ended = self._member.eof
        self._produced += len(piece)
        self.buffer += piece
        return True

    def _next_member(self) -> bool:
        if not self._input:
            self._input = self.file.read(_CHUNK)
            self.position += len(self._input)
        if not self._input:
            return False
        self._member_offset = self.position - len(self._input)
        self._member, self._produced, self._ended = zlib.decompressobj(31), 0, False
        return True


def _differs(stated: str, content: bytes) -> bool:
    algorithm, _, value = stated.partition(":")
    algorithm = algorithm.lower().replace("-", "")
    if algorithm not in {"sha1", "sha256", "md5"} or not value:
        return False  # not stated, or in a way that cannot be checked
    digest = hashlib.new(algorithm, content, usedforsecurity=False)
    spelled = {digest.hexdigest(), b32encode(digest.digest()).decode().lower()}
    return value.strip().lower() not in spelled | {each.rstrip("=") for each in spelled}
