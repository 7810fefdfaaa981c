"""ZIP containers, CDXJ lines and signatures."""

import io
import zipfile
import zlib

import pytest

from webquarry.webarchive.cdx import index_line, sort_key
from webquarry.webarchive.signing import SigningKey, fingerprint, is_signed
from webquarry.webarchive.warc_reading import DamagedArchiveError
from webquarry.webarchive.warc_writing import WrittenRecord
from webquarry.webarchive.zip_container import ZipWriter, directory, read_entry, walk_entries

KEY = SigningKey.from_seed(bytes(range(32)))


def container() -> bytes:
    file = io.BytesIO()
    writer = ZipWriter(file)
    writer.add("a.json", b'{"a": 1}' * 100)
    writer.add_stored("archive/b.warc.gz", [b"123", b"45"], 5, zlib.crc32(b"12345"))
    writer.close()
    return file.getvalue()


def test_other_programs_open_the_container() -> None:
    with zipfile.ZipFile(io.BytesIO(container())) as opened:
        assert opened.testzip() is None
        assert opened.namelist() == ["a.json", "archive/b.warc.gz"]
        assert opened.read("a.json") == b'{"a": 1}' * 100


def test_the_entries_are_found_without_the_directory() -> None:
    content = container()
    file = io.BytesIO(content)

    entries = list(walk_entries(file))

    assert [read_entry(file, entry, 10_000) for entry in entries] == [b'{"a": 1}' * 100, b"12345"]
    end = entries[-1].end
    assert content[end:] == directory(entries, end)


def test_a_container_that_ends_within_an_entry_names_it() -> None:
    content = container()
    file = io.BytesIO(content)
    second = list(walk_entries(file))[1]

    with pytest.raises(DamagedArchiveError, match=r"the file ends within archive/b\.warc\.gz"):
        list(walk_entries(io.BytesIO(content[: second.end - 1])))


def test_a_text_that_is_longer_than_it_says_is_not_read() -> None:
    content = container()
    file = io.BytesIO(content)
    entry = next(walk_entries(file))

    with pytest.raises(DamagedArchiveError, match="wrong length"):
        read_entry(file, entry, 100)


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("https://www.Example.org/A?b=2&a=1", "org,example)/a?a=1&b=2"),
        ("http://example.org:8080", "org,example:8080)/"),
        ("https://user:secret@example.org:443/", "org,example)/"),
        ("urn:view:https://example.org/A", "urn:view:https://example.org/a"),
    ],
)
def test_urls_are_sorted_by_their_reversed_host(url: str, key: str) -> None:
    assert sort_key(url) == key


def test_requests_are_not_indexed() -> None:
    record = WrittenRecord(
        type="request", id="", url="https://a.org/", date="", offset=0, length=1, sha256=""
    )

    assert index_line(record, "data.warc.gz") is None


def test_a_signature_fits_one_statement_and_one_key() -> None:
    statement = {"hash": "sha256:ab", "created": "2026"}
    signature = KEY.sign(statement)
    other = SigningKey.from_seed(bytes(32))

    assert is_signed(statement, signature, KEY.public)
    assert not is_signed({**statement, "created": "2027"}, signature, KEY.public)
    assert not is_signed(statement, signature, other.public)
    assert not is_signed(statement, "no base64", KEY.public)
    assert fingerprint(KEY.public) != fingerprint(other.public)
