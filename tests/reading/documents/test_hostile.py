"""Hostile and damaged documents."""

import contextlib
from collections.abc import Iterator

import anyio.from_thread
import pytest
from anyio.from_thread import BlockingPortal
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from tests.reading.documents.reading import read as read_here
from tests.reading.documents.samples import docx, epub, lines, odt, paragraph, pdf, workbook, zipped
from webquarry.errors import WebquarryError
from webquarry.models.document_content import Document
from webquarry.reading.documents.document_reader import DocumentReader
from webquarry.reading.documents.document_type import sniff
from webquarry.reading.documents.document_workers import WorkerLimits
from webquarry.reading.documents.draft import NoSuchPages, UnreadableDocument

TYPES = some.sampled_from(
    ["application/pdf", "text/csv", "application/json", "text/plain", "text/xml", "text/html",
     "application/rss+xml", "application/zip", "application/octet-stream", "nonsense", None,
     "text/markdown; charset=x"]
)  # fmt: skip
MARKS = some.sampled_from(
    [b"", b"%PDF-1.7\n", b"PK\x03\x04", b"{\\rtf1 ", b"<rss>", b"<feed>", b'{"a":', b"[", b"a,b\n",
     b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"\xff\xfe", b"<?xml version='1.0'?>"]
)  # fmt: skip
SAMPLES = {
    "pdf": pdf(lines("Words of a page.", "- more", size=12), lines("Other words.")),
    "docx": docx(paragraph("Words.") + "<w:tbl><w:tr><w:tc/></w:tr></w:tbl>"),
    "xlsx": workbook({"S": [["a", 1], ["b", 2.5]]}),
    "epub": epub({"a": "<p>Words.</p>"}),
    "odt": odt("<text:h>Head</text:h><text:p>Words.</text:p>"),
    "rtf": rb"{\rtf1\ansi{\fonttbl x}\pard Words \u8364?\'e4 {\b bold}\par\trowd a\cell\row}",
    "feed": b"<rss><channel><title>T</title><item><title>x</title></item></channel></rss>",
    "json": b'{"a": [1, 2, {"b": "c"}], "d": null}',
    "csv": b'a;b\n"1;2";3\n',
}
CALM = settings(
    max_examples=150, deadline=None, derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)  # fmt: skip


@pytest.fixture(scope="module")
def portal() -> Iterator[BlockingPortal]:
    with anyio.from_thread.start_blocking_portal() as opened:
        yield opened


@pytest.fixture(scope="module")
def served(portal: BlockingPortal) -> Iterator[DocumentReader]:
    async def made() -> DocumentReader:
        return DocumentReader(limits=WorkerLimits(count=1), timeout=20)

    documents = portal.call(made)
    yield documents
    portal.call(documents.aclose)


@CALM
@given(mark=MARKS, rest=some.binary(max_size=400), content_type=TYPES)
def test_random_bytes_are_read_or_rejected(
    served: DocumentReader,
    portal: BlockingPortal,
    mark: bytes,
    rest: bytes,
    content_type: str | None,
) -> None:
    async def read() -> Document | WebquarryError:
        try:
            return await served.read(mark + rest, content_type=content_type, url="https://x.test/y")
        except WebquarryError as error:
            return error

    found = portal.call(read)

    assert "its reader failed" not in str(found)


@pytest.mark.parametrize("kind", SAMPLES)
@CALM
@given(data=some.data())
def test_damaged_documents_are_read_or_rejected(kind: str, data: some.DataObject) -> None:
    damaged = bytearray(SAMPLES[kind])
    for _ in range(data.draw(some.integers(1, 6))):
        place = data.draw(some.integers(0, len(damaged) - 1))
        damaged[place] = data.draw(some.integers(0, 255))
    if data.draw(some.booleans()):
        del damaged[data.draw(some.integers(1, len(damaged))) :]
    if sniff(bytes(damaged), "text/csv", "https://x.test/") is None:
        return
    with contextlib.suppress(UnreadableDocument, NoSuchPages):
        assert read_here(bytes(damaged), "text/csv").markdown


DEEP_XML = b"<?xml version='1.0'?><rss>" + b"<a>" * 200_000
LAUGHS = (
    b"<?xml version='1.0'?><!DOCTYPE rss [<!ENTITY l0 'ha'>"
    + b"".join(b"<!ENTITY l%d '%s'>" % (n, b"&l%d;" % (n - 1) * 10) for n in range(1, 10))
    + b"]><rss><channel><title>&l9;</title></channel></rss>"
)


@pytest.mark.parametrize(
    ("data", "content_type"),
    [
        (DEEP_XML, None),
        (LAUGHS, None),
        (b"[" * 1_000_000, "application/json"),
        (b'{"a":' * 500_000, "application/json"),
        (b'"' * 10_000_000, "text/csv"),
        (b"," * 8_000_000, "text/csv"),
        (b"\n" * 50_000_000, "text/plain"),
        (b"{\\rtf1 " + b"{" * 1_000_000, None),
        (b"{\\rtf1 " + b"\\u1?" * 400_000, None),
        (b"%PDF-1.7\n" + b"1 0 obj<<" * 500_000, None),
        (zipped({"word/document.xml": b"<a>" * 5_000_000}), None),
        (zipped({"xl/workbook.xml": bytes(60 * 2**20)}), None),
        (b"PK\x03\x04" + bytes(50 * 2**20 - 4), None),
        ("\u200b".encode() * 1_000_000, "text/plain"),
        (b"<rss>" + b"&amp;" * 1_000_000, None),
        (b"<rss>" + b"<item>" * 500_000, None),
    ],
)
def test_huge_and_nested_input_stays_within_its_limits(
    served: DocumentReader, portal: BlockingPortal, data: bytes, content_type: str | None
) -> None:
    async def read() -> Document | WebquarryError:
        try:
            return await served.read(data, content_type=content_type, url="https://x.test/y")
        except WebquarryError as error:
            return error

    found = portal.call(read)

    # it ran neither into the timeout, nor into a mistake of ours, nor killed the worker
    said = str(found)[:200]
    assert [word for word in ("took", "its reader failed", "died") if word in said] == []
