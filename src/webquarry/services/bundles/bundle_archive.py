"""Opens bundles and archives of any program: their records by URL, pages, quotes and report."""

import json
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO, Self, cast

from webquarry.errors import BadInputError
from webquarry.models.exchange import Exchange, ExchangeKind
from webquarry.models.research import Anchor
from webquarry.services.research.found_anchors import anchors_in
from webquarry.webarchive.file_slice import FileSlice
from webquarry.webarchive.http_block import parse_http
from webquarry.webarchive.warc_reading import DamagedArchiveError, WarcRecord, read_records
from webquarry.webarchive.warc_writing import URN_OF_KIND

QUOTES, REPORT = "evidence/quotes.json", "evidence/report.html"
_MAX_FILE = 64 * 2**20  # of an index or report
_TYPES = frozenset({"response", "resource", "revisit", "request"})
_ZIP_MAGIC = b"PK\x03\x04"


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedRecord:
    """Where a record is, and what it is about."""

    url: str
    date: str
    type: str
    warc: int  # number of the WARC file
    offset: int
    payload: str  # digest as stated
    refers_to: tuple[str, str] = ("", "")  # URL and date of the first record of a revisit
    concurrent_to: str = ""  # id of the response of a request
    id: str = ""
    method: str = ""  # of a request
    truncated: bool = False


@dataclass
class BundleArchive:
    """An open bundle or WARC file."""

    path: Path
    records: list[IndexedRecord] = field(default_factory=list[IndexedRecord])
    damage: DamagedArchiveError | None = None  # records after it are missing
    _files: dict[str, zipfile.ZipInfo] = field(default_factory=dict[str, zipfile.ZipInfo])
    _zip: zipfile.ZipFile | None = None
    warcs: list[BinaryIO] = field(default_factory=list[BinaryIO])
    _by_url: dict[str, list[IndexedRecord]] = field(default_factory=dict[str, list[IndexedRecord]])
    _stack: ExitStack = field(default_factory=ExitStack)

    @classmethod
    def open(cls, path: Path, *, tolerant: bool = False) -> Self:
        """Open and index a file; `tolerant` keeps what comes before damage."""
        archive = cls(path)
        try:
            archive._open_file()
            archive._read_index(tolerant=tolerant)
        except BaseException:
            archive.close()
            raise
        return archive

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._stack.close()

    @property
    def names(self) -> list[str]:
        """The files of a WACZ; none for a WARC file."""
        return list(self._files)

    def read_file(self, name: str) -> bytes | None:
        """Return a file of a WACZ; None if it has none of that name."""
        info = self._files.get(name)
        if info is None or self._zip is None:
            return None
        if info.file_size > _MAX_FILE:
            raise BadInputError(f"{self.path.name}: {name} is larger than {_MAX_FILE} bytes")
        try:
            return self._zip.read(info)
        except (zipfile.BadZipFile, OSError, EOFError, ValueError) as error:
            raise DamagedArchiveError(f"{name}: {error}", offset=info.header_offset) from error

    def read_json(self, name: str) -> Any:
        """Return a JSON file of a WACZ; None if it has none."""
        content = self.read_file(name)
        if content is None:
            return None
        try:
            return json.loads(content)
        except ValueError as error:
            offset = self._files[name].header_offset
            raise DamagedArchiveError(f"{name} is no JSON", offset=offset) from error

    @property
    def quotes(self) -> list[Anchor]:
        """The quotations of a bundle."""
        return list(anchors_in(self.read_json(QUOTES) or []))

    def pages(self) -> Iterator[dict[str, str]]:
        """Yield the entries of pages that a WACZ lists."""
        for name in self._files:
            if name.startswith("pages/") and name.endswith(".jsonl"):
                for line in (self.read_file(name) or b"").splitlines():
                    entry = _json_object(line)
                    if isinstance(entry.get("url"), str):
                        yield {key: str(entry.get(key, "")) for key in ("url", "ts", "title")}

    def find(self, url: str) -> list[IndexedRecord]:
        """Return the captures of a URL: complete ones first, then the newest."""
        return self._by_url.get(url, [])

    def exchange(self, record: IndexedRecord) -> Exchange:
        """Return the content of a record; of a revisit, with the body it refers to."""
        raw = self.read(record)
        if record.type == "resource":
            return _resource(raw)
        status, fields, body = parse_http(raw.block)
        if record.type == "revisit" and (first := self._first(record)):
            body = parse_http(self.read(first).block)[2]
        return Exchange(
            url=record.url,
            at=unix_time(record.date),
            status=status,
            headers=fields,
            body=body,
            kind="page",
        )

    def read(self, record: IndexedRecord) -> WarcRecord:
        """Return the record itself."""
        return next(iter(read_records(self.warcs[record.warc], record.offset)))

    def _first(self, revisit: IndexedRecord) -> IndexedRecord | None:
        url, date = revisit.refers_to
        candidates = self.find(url) if url else self.records
        whole = [each for each in candidates if each.type == "response"]
        same = [each for each in whole if each.payload and each.payload == revisit.payload]
        return next((each for each in (*same, *whole) if not date or each.date == date), None)

    def _open_file(self) -> None:
        try:
            file = self._stack.enter_context(self.path.open("rb"))
        except OSError as error:
            raise BadInputError(f"{self.path}: {error.strerror}") from error
        magic = file.read(4)
        if magic != _ZIP_MAGIC:
            self.warcs.append(file)
            return
        try:
            self._zip = self._stack.enter_context(zipfile.ZipFile(file))
        except (zipfile.BadZipFile, ValueError, OSError) as error:
            size = self.path.stat().st_size
            reason = f"it is no complete ZIP file ({error})"
            raise DamagedArchiveError(reason, offset=size) from error
        self._files = {info.filename: info for info in self._zip.infolist() if info.file_size}
        self.warcs = [self._warc(file, info) for info in self._files.values() if _is_warc(info)]
        if not self.warcs:
            raise BadInputError(f"{self.path.name} is a ZIP file without WARC files in archive/")

    def _warc(self, file: BinaryIO, info: zipfile.ZipInfo) -> BinaryIO:
        if info.compress_type != zipfile.ZIP_STORED:
            raise BadInputError(
                f"{info.filename} is compressed once more in the ZIP file; a WACZ stores it "
                "as it is"
            )
        file.seek(info.header_offset + 26)
        head = file.read(4)
        skipped = 30 + int.from_bytes(head[:2], "little") + int.from_bytes(head[2:], "little")
        return cast("BinaryIO", FileSlice(file, info.header_offset + skipped, info.file_size))

    def _read_index(self, *, tolerant: bool) -> None:
        for number, warc in enumerate(self.warcs):
            try:
                for record in read_records(warc):
                    self._add(number, record)
            except DamagedArchiveError as error:
                if not tolerant:
                    raise
                self.damage = self.damage or error
        heads = {each.concurrent_to for each in self.records if each.method == "HEAD"}
        for each in self.records:
            # the response to HEAD has no body
            if each.type != "request" and each.id not in heads:
                self._by_url.setdefault(each.url, []).append(each)
        for listed in self._by_url.values():
            listed.sort(key=lambda each: (not each.truncated, each.date), reverse=True)

    def _add(self, number: int, record: WarcRecord) -> None:
        if record.type not in _TYPES:
            return
        if not record.seekable:
            raise BadInputError(
                f"{self.path.name}: its records are compressed together and cannot be read one by "
                "one; rewrite it with `warcio recompress`"
            )
        fields, is_request = record.fields, record.type == "request"
        entry = IndexedRecord(
            url=record.url,
            date=record.date,
            type=record.type,
            warc=number,
            offset=record.offset,
            payload=fields.get("warc-payload-digest", ""),
            refers_to=(
                fields.get("warc-refers-to-target-uri", "").strip("<>"),
                fields.get("warc-refers-to-date", ""),
            ),
            concurrent_to=fields.get("warc-concurrent-to", ""),
            id=fields.get("warc-record-id", ""),
            method=record.block[:8].partition(b" ")[0].decode("latin-1") if is_request else "",
            truncated="warc-truncated" in fields,
        )
        self.records.append(entry)


def unix_time(date: str) -> float:
    """Return a WARC-Date in unix seconds; 0 if it is none."""
    try:
        return datetime.fromisoformat(date).timestamp()
    except ValueError:
        return 0.0


def _resource(raw: WarcRecord) -> Exchange:
    kind: ExchangeKind = "page"
    url = raw.url
    if url.startswith(URN_OF_KIND["dom"]):
        kind, url = "dom", url.removeprefix(URN_OF_KIND["dom"])
    elif url.startswith(URN_OF_KIND["screenshot"]):
        kind, url = "screenshot", url.removeprefix(URN_OF_KIND["screenshot"])
    headers = (("content-type", raw.fields.get("content-type", "")),)
    return Exchange(url=url, at=unix_time(raw.date), headers=headers, body=raw.block, kind=kind)


def _is_warc(info: zipfile.ZipInfo) -> bool:
    name = info.filename.lower()
    return name.startswith("archive/") and name.endswith((".warc", ".warc.gz"))


def _json_object(line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except ValueError:
        return {}
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
