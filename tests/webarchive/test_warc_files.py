"""WARC files that are written, read back, read by other programs, and damaged."""

import gzip
import io
import random

import pytest

from webquarry.errors import PayloadError
from webquarry.models.exchange import Exchange
from webquarry.webarchive.http_block import parse_http
from webquarry.webarchive.warc_reading import DamagedArchiveError, read_records
from webquarry.webarchive.warc_writing import WarcWriter, WrittenRecord

PAGE = b"<html><title>T</title><p>Owls hunt voles.</p></html>"
EXCHANGES = (
    Exchange(
        url="https://example.org/a?b=1",
        at=1_700_000_000.0,
        request_headers=(("accept", "text/html"),),
        headers=(("content-type", "text/html; charset=utf-8"),),
        body=PAGE,
        tls={"sha256": "ab", "subject": "CN=example.org"},
    ),
    Exchange(
        url="https://example.org/copy",
        at=1_700_000_001.0,
        headers=(("content-type", "text/html"),),
        body=PAGE,
    ),
    Exchange(
        url="https://example.org/old",
        at=1_700_000_002.0,
        status=301,
        headers=(("location", "/a"),),
        truncated="unspecified",
    ),
    Exchange(
        url="https://example.org/a",
        at=1_700_000_003.0,
        headers=(("content-type", "image/png"),),
        body=b"\x89PNG",
        kind="screenshot",
    ),
)


def written(*exchanges: Exchange) -> tuple[bytes, list[WrittenRecord]]:
    file = io.BytesIO()
    writer = WarcWriter(file)
    records = [writer.write_info((("software", "webquarry"),), 1_700_000_000.0)]
    for exchange in exchanges:
        records += writer.write(exchange)
    return file.getvalue(), records


def test_every_record_is_read_back_from_its_offset() -> None:
    content, records = written(*EXCHANGES)

    found = [next(read_records(io.BytesIO(content), record.offset)) for record in records]

    assert [(each.type, each.url, each.date, each.offset, each.length) for each in found] == [
        (each.type, each.url, each.date, each.offset, each.length) for each in records
    ]
    assert [each.digest_problem() for each in found] == [""] * len(records)
    assert parse_http(found[1].block) == (200, EXCHANGES[0].headers, PAGE)


def test_the_same_body_is_stored_once() -> None:
    _, records = written(*EXCHANGES)

    assert [record.type for record in records] == [
        "warcinfo", "response", "request", "revisit", "request", "response", "request", "resource",
    ]  # fmt: skip


def test_warcio_and_fastwarc_read_what_we_write() -> None:
    archiveiterator = pytest.importorskip("warcio.archiveiterator")
    fastwarc = pytest.importorskip("fastwarc.warc")
    content, records = written(*EXCHANGES)

    warcio = archiveiterator.ArchiveIterator(io.BytesIO(content), check_digests="raise")
    theirs = [
        (r.rec_type, r.rec_headers.get_header("WARC-Target-URI") or "", r.content_stream().read())
        for r in warcio
    ]
    fast = fastwarc.ArchiveIterator(io.BytesIO(content))
    fast_types = [record.headers["WARC-Type"] for record in fast]

    assert [each[:2] for each in theirs] == [(each.type, each.url) for each in records]
    assert theirs[1][2] == PAGE
    assert fast_types == [record.type for record in records]


def test_we_read_what_warcio_writes() -> None:
    warcwriter = pytest.importorskip("warcio.warcwriter")
    statusandheaders = pytest.importorskip("warcio.statusandheaders")
    for compressed in (True, False):
        file = io.BytesIO()
        writer = warcwriter.WARCWriter(file, gzip=compressed)
        head = statusandheaders.StatusAndHeaders(
            "200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.0"
        )
        record = writer.create_warc_record(
            "http://example.com/", "response", payload=io.BytesIO(PAGE), http_headers=head
        )
        writer.write_record(record)
        record.raw_stream.close()

        (found,) = read_records(io.BytesIO(file.getvalue()))

        assert (found.url, found.digest_problem()) == ("http://example.com/", "")
        assert parse_http(found.block)[2] == PAGE


def test_a_chunked_body_of_another_program_is_joined() -> None:
    block = (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: text/plain\r\n\r\n"
        b"4\r\nOwls\r\n6;x=1\r\n hunt.\r\n0\r\n\r\n"
    )

    assert parse_http(block) == (200, (("content-type", "text/plain"),), b"Owls hunt.")


def test_a_file_that_ends_too_early_says_after_which_record() -> None:
    content, records = written(*EXCHANGES)

    with pytest.raises(DamagedArchiveError) as caught:
        list(read_records(io.BytesIO(content[: records[5].offset + 30])))

    assert caught.value.offset == records[5].offset
    assert caught.value.record == (f"request https://example.org/copy at byte {records[4].offset}")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "it is empty"),
        (b"<html>no archive</html>", "does not begin a WARC record"),
        (gzip.compress(b"no archive", mtime=0), "does not begin a WARC record"),
        (b"WARC/1.0\r\nWARC-Type: response\r\n\r\n", "its Content-Length is ''"),
        (b"WARC/1.0\r\nContent-Length: -5\r\n\r\n", "its Content-Length is '-5'"),
        (b"WARC/1.0\r\nContent-Length: 99999999999\r\n\r\n", "its Content-Length is"),
        (b"WARC/1.0\r\nContent-Length: 50\r\n\r\nshort", "the file ends within a record"),
        (b"WARC/1.0\r\nno header line\r\n\r\n", "is no header line"),
        (b"WARC/1.0\r\nContent-Length: 1", "the header of a record does not end"),
        (b"WARC/1.0\r\nX: " + b"a" * 200_000, "a header line is too long"),
        (b"\x1f\x8b\x08\x00broken", "the file ends within compressed data"),
        (gzip.compress(b"WARC/1.0\r\n", mtime=0)[:-8] + b"wrongend", "compressed data is broken"),
    ],
)
def test_what_is_no_archive_is_refused_with_a_reason(content: bytes, reason: str) -> None:
    with pytest.raises(DamagedArchiveError, match=reason.replace("(", r"\(")):
        list(read_records(io.BytesIO(content)))


def test_zstd_archives_are_refused_with_advice() -> None:
    with pytest.raises(PayloadError, match="zstd -d"):
        list(read_records(io.BytesIO(b"\x28\xb5\x2f\xfd0000")))


def test_random_damage_never_ends_in_anything_but_an_error_of_ours() -> None:
    content, _ = written(*EXCHANGES)
    chance = random.Random(5)  # noqa: S311
    for _ in range(300):
        damaged = bytearray(content)
        for _ in range(chance.randint(1, 4)):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        if chance.random() < 0.3:
            del damaged[chance.randrange(len(damaged)) :]
        try:
            found = list(read_records(io.BytesIO(bytes(damaged))))
        except PayloadError:
            continue
        assert len(found) <= 8


def test_records_compressed_together_are_read_and_marked() -> None:
    content, records = written(*EXCHANGES)
    together = gzip.compress(gzip.decompress(content))

    found = list(read_records(io.BytesIO(together)))

    assert len(found) == len(records)
    assert [record.seekable for record in found] == [True] + [False] * (len(records) - 1)
