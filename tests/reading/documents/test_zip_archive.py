import io
import zipfile

import pytest

from tests.reading.documents.samples import zipped
from webquarry.reading.documents.draft import EncryptedDocument, UnreadableDocument
from webquarry.reading.documents.zip_archive import Archive


def test_a_part_with_a_high_compression_ratio_is_rejected_before_unpacking() -> None:
    archive = Archive(zipped({"word/document.xml": bytes(40 * 2**20)}))

    with pytest.raises(UnreadableDocument, match="zip bomb"):
        archive.read("word/document.xml")


def test_an_archive_with_a_too_large_declared_size_is_rejected() -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a", b"x")
    data = bytearray(target.getvalue())
    at = data.find(b"PK\x01\x02")
    data[at + 24 : at + 28] = (2**31).to_bytes(4, "little")

    with pytest.raises(UnreadableDocument, match="zip bomb"):
        Archive(bytes(data))


def test_an_archive_with_too_many_parts_is_rejected() -> None:
    data = zipped({f"p{n}": "" for n in range(20_001)})

    with pytest.raises(UnreadableDocument, match="20,001 files"):
        Archive(data)


def test_the_total_size_of_all_parts_is_limited() -> None:
    archive = Archive(zipped({}, first={"a": "x" * (50 * 2**20)}))
    for _ in range(5):
        archive.read("a")

    with pytest.raises(UnreadableDocument, match="zip bomb"):
        archive.read("a")


def test_a_truncated_archive_is_an_error() -> None:
    with pytest.raises(UnreadableDocument, match="zip container cannot be opened"):
        Archive(zipped({"a": "x" * 100})[:-30])


def test_a_damaged_part_is_an_error() -> None:
    data = bytearray(zipped({"a": "hello " * 100}))
    data[40] ^= 0xFF

    with pytest.raises(UnreadableDocument, match="'a' is damaged"):
        Archive(bytes(data)).read("a")


def test_an_encrypted_part_is_reported_as_such() -> None:
    data = bytearray(zipped({"a": "x"}))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.find(mark) + offset] |= 1

    with pytest.raises(EncryptedDocument, match="password"):
        Archive(bytes(data)).read("a")


def test_unsupported_compression_is_rejected() -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a", "x" * 1000)

    with pytest.raises(UnreadableDocument, match="method that documents do not use"):
        Archive(target.getvalue()).read("a")
