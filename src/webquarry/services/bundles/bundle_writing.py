"""Writes a bundle: WARC records, indexes, pages, reports and a signed list of hashes."""

import asyncio
import base64
import hashlib
import json
import tempfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Literal

from webquarry.content.html.quick_parse import is_simple, quick_parse
from webquarry.crawl.compression import decompress
from webquarry.errors import WebquarryError
from webquarry.models.exchange import Exchange
from webquarry.net.client.content_encoding import EncodingError
from webquarry.parsing.parsers import Parsers
from webquarry.parsing.task import INLINE_BYTES, WORKER_ONLY, ParseTask
from webquarry.services.bundles.bundle_plan import BundlePlan
from webquarry.services.bundles.time_stamping import TimeStamping
from webquarry.storage.exchange_store import ExchangeStore
from webquarry.version import __version__
from webquarry.webarchive.cdx import index_line
from webquarry.webarchive.signing import SigningKey, canonical
from webquarry.webarchive.warc_writing import WarcWriter, WrittenRecord, warc_date
from webquarry.webarchive.zip_container import ZipWriter

BundleForm = Literal["wacz", "warc"]
ARCHIVE, INDEX, PAGES = "archive/data.warc.gz", "indexes/index.cdx", "pages/pages.jsonl"
RECORDS, QUOTES = "evidence/records.jsonl", "evidence/quotes.json"
PACKAGE, DIGEST = "datapackage.json", "datapackage-digest.json"
SOFTWARE = f"webquarry {__version__}"
_HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
MAX_TEXT = 200_000  # characters of the text of a page
_MAX_PAGE = 32 * 2**20
_CHUNK = 2**18


@dataclass(kw_only=True)
class BundleWriter:
    """Writes one bundle. Memory holds one exchange at a time, and a line for each record."""

    plan: BundlePlan
    exchanges: ExchangeStore
    parsers: Parsers
    key: SigningKey
    now: float
    stamping: TimeStamping | None = None
    max_text: int = MAX_TEXT  # characters of each page in the list of pages
    _records: list[WrittenRecord] = field(default_factory=list[WrittenRecord])
    _main: dict[str, str] = field(default_factory=dict[str, str])

    async def write(self, file: BinaryIO, form: BundleForm) -> None:
        """Write the bundle to a file."""
        with tempfile.TemporaryFile() as warc, tempfile.TemporaryFile() as pages:
            await self._write_records(file if form == "warc" else warc, pages)
            if form == "wacz":
                writing = await asyncio.to_thread(self._write_container, file, warc, pages)
                await self._sign(*writing)

    async def _write_records(self, warc: BinaryIO, pages: BinaryIO) -> None:
        contents = self.plan.contents
        writer = WarcWriter(warc)
        facts = (
            ("software", SOFTWARE),
            ("format", "WARC file version 1.1"),
            ("description", f"{contents.subject} {contents.id}: {contents.title}"),
            ("conformsTo", "http://iipc.github.io/warc-specifications/specifications/warc-format/"
             "warc-1.1/"),
        )  # fmt: skip
        self._records.append(writer.write_info(facts, self.now))
        pages.write(_line({"format": "json-pages-1.0", "id": "pages", "title": contents.title,
                           "hasText": True}))  # fmt: skip
        reader = self.exchanges.reader()
        for key in self.plan.keys:
            exchange = await reader.exchange(key)
            if exchange is None:  # it has expired since the plan was made
                continue
            self._records += await asyncio.to_thread(writer.write, exchange)
            if page := await self._page(exchange):
                pages.write(_line(page))
                self._main = self._main or page

    async def _page(self, exchange: Exchange) -> dict[str, str] | None:
        """Return the entry of a page that a reader can open; None for everything else."""
        media_type = exchange.header("content-type").partition(";")[0].strip().lower()
        is_page = exchange.kind == "page" and exchange.method == "GET" and exchange.status == 200
        if not is_page or not exchange.body or media_type not in _HTML_TYPES:
            return None
        entry = {"id": "", "url": exchange.url, "ts": warc_date(exchange.at)}
        entry["id"] = hashlib.sha256(f"{entry['url']} {entry['ts']}".encode()).hexdigest()[:20]
        title, text = await self._title_and_text(exchange)
        return entry | {"title": title, "text": text}

    async def _title_and_text(self, exchange: Exchange) -> tuple[str, str]:
        try:
            body = decompress(exchange.body, exchange.header("content-encoding"), _MAX_PAGE) or b""
            task = ParseTask(
                title_and_text,
                subject=f"The page {exchange.url}",
                inline_bytes=INLINE_BYTES if is_simple(body) else WORKER_ONLY,
            )
            declared = exchange.header("content-type")
            limit = self.max_text
            return await self.parsers.run(task, body, content_type=declared, limit=limit)
        except (EncodingError, WebquarryError):  # the page is in the archive all the same
            return exchange.url, ""

    def _write_container(
        self, file: BinaryIO, warc: BinaryIO, pages: BinaryIO
    ) -> tuple[ZipWriter, dict[str, Any]]:
        """Write everything but the signed statement; return what is open, and the statement."""
        hashed = _HashingFile(file)
        container = ZipWriter(hashed)
        resources: list[dict[str, Any]] = []
        contents = self.plan.contents
        _add_stored(container, resources, ARCHIVE, warc)
        _add(container, resources, INDEX, self._index())
        _add_compressed(container, resources, PAGES, pages)
        _add(container, resources, RECORDS, b"".join(map(_record_line, self._records)))
        quotes = [quote.model_dump() for quote in contents.quotes]
        _add(container, resources, QUOTES, _line(quotes))
        for name, content in contents.files.items():
            _add(container, resources, name, content)
        package = _pretty(self._package(resources))
        container.add(PACKAGE, package)
        return container, self._statement(package, hashed)

    async def _sign(self, container: ZipWriter, statement: dict[str, Any]) -> None:
        """Write the statement: time-stamped if wanted, then signed with its time stamp."""
        if self.stamping:
            response = await self.stamping.stamp(canonical(statement))
            encoded = base64.b64encode(response).decode()
            statement["timestamp"] = {"url": self.stamping.url, "response": encoded}
        signature = self.key.sign(statement)
        container.add(DIGEST, _pretty(statement | {"signature": signature}))
        container.close()

    def _index(self) -> bytes:
        lines = (index_line(record, ARCHIVE.rpartition("/")[2]) for record in self._records)
        return "".join(f"{line}\n" for line in sorted(filter(None, lines))).encode()

    def _package(self, resources: list[dict[str, Any]]) -> dict[str, Any]:
        contents, summary = self.plan.contents, self.plan.summary
        main: dict[str, str] = {}
        if self._main:
            main = {"mainPageUrl": self._main["url"], "mainPageDate": self._main["ts"]}
        return {
            "profile": "data-package",
            "wacz_version": "1.1.1",
            "title": contents.title,
            "description": f"Evidence of the {contents.subject} {contents.id}.",
            "created": warc_date(self.now),
            "software": SOFTWARE,
            **main,
            "evidence": summary.model_dump(mode="json"),
            "resources": resources,
        }

    def _statement(self, package: bytes, hashed: "_HashingFile") -> dict[str, Any]:
        return {
            "path": PACKAGE,
            "hash": f"sha256:{hashlib.sha256(package).hexdigest()}",
            "created": warc_date(self.now),
            "software": SOFTWARE,
            "before": {"bytes": hashed.size, "hash": f"sha256:{hashed.digest.hexdigest()}"},
            "publicKey": self.key.public,
            "algorithm": "Ed25519",
        }


def title_and_text(content: bytes, *, content_type: str, limit: int) -> tuple[str, str]:
    """Return the title and the visible text of a page."""
    parsed = quick_parse(content, content_type)
    return parsed.title, parsed.text[:limit]


@dataclass
class _HashingFile:
    """A file whose content is hashed as it is written."""

    file: BinaryIO
    size: int = 0
    digest: Any = field(default_factory=hashlib.sha256)

    def write(self, content: bytes) -> None:
        self.file.write(content)
        self.digest.update(content)
        self.size += len(content)


def _add(container: ZipWriter, resources: list[dict[str, Any]], name: str, data: bytes) -> None:
    container.add(name, data)
    resources.append(_resource(name, len(data), hashlib.sha256(data).hexdigest()))


def _add_stored(
    container: ZipWriter, resources: list[dict[str, Any]], name: str, source: BinaryIO
) -> None:
    size, crc, digest = 0, 0, hashlib.sha256()
    for piece in _pieces(source):
        size, crc = size + len(piece), zlib.crc32(piece, crc)
        digest.update(piece)
    container.add_stored(name, _pieces(source), size, crc)
    resources.append(_resource(name, size, digest.hexdigest()))


def _add_compressed(
    container: ZipWriter, resources: list[dict[str, Any]], name: str, source: BinaryIO
) -> None:
    digest, size = hashlib.sha256(), 0
    for piece in _pieces(source):
        digest.update(piece)
        size += len(piece)
    container.add_compressed(name, lambda: _pieces(source))
    resources.append(_resource(name, size, digest.hexdigest()))


def _pieces(source: BinaryIO) -> Iterable[bytes]:
    source.seek(0)
    while piece := source.read(_CHUNK):
        yield piece


def _resource(name: str, size: int, digest: str) -> dict[str, Any]:
    short = name.rpartition("/")[2].lower()
    return {"name": short, "path": name, "hash": f"sha256:{digest}", "bytes": size}


def _record_line(record: WrittenRecord) -> bytes:
    names = ("type", "url", "date", "offset", "length", "sha256")
    return _line({name: getattr(record, name) for name in names})


def _line(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False) + "\n").encode("utf-8", "replace")


def _pretty(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode("utf-8", "replace")
