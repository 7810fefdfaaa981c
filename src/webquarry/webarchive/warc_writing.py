"""Writes WARC 1.1 records, each in its own gzip member."""

import gzip
import hashlib
import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from http import HTTPStatus
from typing import BinaryIO
from urllib.parse import urlsplit

from webquarry.models.exchange import Exchange, Fields

_LEVEL = 9
_REVISIT = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
_NO_CONTENT = hashlib.sha256(b"").hexdigest()
# records that replay can show
INDEXED = frozenset({"response", "resource", "revisit"})
URN_OF_KIND = {"dom": "urn:dom:", "screenshot": "urn:view:"}


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenRecord:
    """Where a record is, and what identifies it."""

    type: str
    id: str
    url: str
    date: str
    offset: int
    length: int  # of the gzip member
    sha256: str  # of the gzip member
    status: int = 0
    media_type: str = ""
    payload: str = ""  # SHA-256
    is_page: bool = True  # False: the response to a request other than GET


@dataclass
class WarcWriter:
    """Writes records to a file; a body that was written before becomes a revisit."""

    file: BinaryIO
    offset: int = 0
    # first record of each payload: its id, URL and date
    _payloads: dict[str, tuple[str, str, str]] = field(
        default_factory=dict[str, tuple[str, str, str]]
    )

    def write_info(self, facts: Fields, at: float) -> WrittenRecord:
        """Write the record that describes the file."""
        fields = [("Content-Type", "application/warc-fields")]
        block = "".join(f"{name}: {_line(value)}\r\n" for name, value in facts).encode()
        return self._write("warcinfo", "", warc_date(at), fields, block)

    def write(self, exchange: Exchange) -> list[WrittenRecord]:
        """Write an exchange: a response and its request, or a resource that a browser made."""
        date = warc_date(exchange.at)
        prefix = URN_OF_KIND.get(exchange.kind)
        if prefix:
            fields = [("Content-Type", exchange.header("content-type"))]
            url = prefix + exchange.url
            facts = (0, exchange.header("content-type"), _sha256(exchange.body))
            return [self._write("resource", url, date, fields, exchange.body, facts)]
        response = self._write_response(exchange, date)
        response = replace(response, is_page=exchange.method == "GET")
        fields = [
            ("WARC-Concurrent-To", response.id),
            ("Content-Type", "application/http; msgtype=request"),
        ]
        request = self._write("request", exchange.url, date, fields, _request_block(exchange))
        return [response, request]

    def _write_response(self, exchange: Exchange, date: str) -> WrittenRecord:
        payload = _sha256(exchange.body)
        fields = [("Content-Type", "application/http; msgtype=response")]
        if exchange.truncated:
            fields.append(("WARC-Truncated", exchange.truncated))
        if exchange.tls:
            summary = "; ".join(f"{name}={value}" for name, value in exchange.tls.items())
            fields.append(("Webquarry-TLS-Peer", _line(summary)))
        head = _response_head(exchange)
        facts = (exchange.status, exchange.header("content-type"), payload)
        first = self._payloads.get(payload)
        if first and not exchange.truncated:
            fields += [
                ("WARC-Profile", _REVISIT),
                ("WARC-Refers-To", first[0]),
                ("WARC-Refers-To-Target-URI", first[1]),
                ("WARC-Refers-To-Date", first[2]),
            ]
            return self._write("revisit", exchange.url, date, fields, head, facts)
        record = self._write("response", exchange.url, date, fields, head + exchange.body, facts)
        if exchange.body and not exchange.truncated:
            self._payloads[payload] = (record.id, exchange.url, date)
        return record

    def _write(
        self,
        kind: str,
        url: str,
        date: str,
        fields: Iterable[tuple[str, str]],
        block: bytes,
        facts: tuple[int, str, str] = (0, "", ""),
    ) -> WrittenRecord:
        record_id = f"<urn:uuid:{uuid.uuid4()}>"
        status, media_type, payload = facts
        head = [("WARC-Type", kind), ("WARC-Record-ID", record_id), ("WARC-Date", date)]
        if url:
            head.append(("WARC-Target-URI", url))
        if payload:
            head.append(("WARC-Payload-Digest", f"sha256:{payload}"))
        if kind != "response":  # its digest is that of the payload
            head.append(("WARC-Block-Digest", f"sha256:{_sha256(block)}"))
        head += [*fields, ("Content-Length", str(len(block)))]
        lines = "".join(f"{name}: {value}\r\n" for name, value in head)
        member = gzip.compress(
            b"WARC/1.1\r\n" + lines.encode() + b"\r\n" + block + b"\r\n\r\n", _LEVEL, mtime=0
        )
        self.file.write(member)
        written = WrittenRecord(
            type=kind,
            id=record_id,
            url=url,
            date=date,
            offset=self.offset,
            length=len(member),
            sha256=_sha256(member),
            status=status,
            media_type=media_type.partition(";")[0].strip().lower(),
            payload=payload,
        )
        self.offset += len(member)
        return written


def warc_date(at: float) -> str:
    """Return a time in unix seconds as WARC-Date."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest() if content else _NO_CONTENT


def _response_head(exchange: Exchange) -> bytes:
    try:
        reason = HTTPStatus(exchange.status).phrase
    except ValueError:  # a status that nobody registered
        reason = ""
    return _head(f"HTTP/1.1 {exchange.status} {reason}".rstrip(), exchange.headers)


def _request_block(exchange: Exchange) -> bytes:
    parts = urlsplit(exchange.url)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    fields = (("host", parts.netloc.rpartition("@")[2]), *exchange.request_headers)
    return _head(f"{exchange.method} {target} HTTP/1.1", fields) + exchange.request_body


def _head(first: str, fields: Fields) -> bytes:
    lines = [first, *(f"{name}: {_line(value)}" for name, value in fields)]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1", "replace")


def _line(value: str) -> str:
    return " ".join(value.split("\r\n")).replace("\n", " ").replace("\r", " ")
