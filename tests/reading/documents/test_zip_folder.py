"""Zip archives of documents."""

import io
import zipfile

import pytest

from tests.reading.documents.reading import read
from tests.reading.documents.samples import zipped
from webquarry.models.document_content import Document, OutlineEntry
from webquarry.reading.documents.draft import EncryptedDocument, UnreadableDocument


def test_the_files_of_an_archive_are_sections_in_natural_order() -> None:
    source = zipped({
        "b10.txt": "ten",
        "b9.md": "# Nine\n\ntext",
        "x.html": "<html><body><h1>Hi</h1><p>A paragraph of words.</p></body></html>",
        "__MACOSX/x": "1",
        ".DS_Store": "1",
        "folder/": "",
        "in.zip": "PK\x03\x04",
        "e.txt": "",
    })  # fmt: skip

    assert read(source) == Document(
        kind="archive",
        markdown="# b9.md\n\n# Nine\n\ntext\n\n# b10.txt\n\nten\n\n# x.html\n\n# Hi\n\n"
        "A paragraph of words.",
        page_count=5,
        outline=(
            OutlineEntry(level=1, title="b9.md"),
            OutlineEntry(level=1, title="b10.txt"),
            OutlineEntry(level=1, title="x.html"),
        ),
        word_count=11,
        warnings=(
            "e.txt is empty",
            "in.zip is a zip archive inside another; it was not opened",
        ),
    )


def test_some_of_the_files_are_read_on_request() -> None:
    source = zipped({f"{n}.txt": f"file {n}" for n in range(1, 6)})

    assert read(source, pages="2-3").markdown == "# 2.txt\n\nfile 2\n\n# 3.txt\n\nfile 3"


def test_a_name_that_points_elsewhere_is_only_a_name() -> None:
    found = read(zipped({"../../etc/passwd": "root", "a\u202egpj.txt": "words"}))

    assert found.markdown == "# ../../etc/passwd\n\nroot\n\n# a gpj.txt\n\nwords"


def test_files_after_the_first_200_are_left_out_and_counted() -> None:
    found = read(zipped({f"{n}.txt": f"file {n}" for n in range(1, 251)}))

    assert (found.page_count, found.truncated) == (250, True)
    assert found.warnings == ("50 further files were left out after the first 200",)


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"a.txt": "x" * (40 * 2**20)}, "zip bomb"),
        ({f"{n}.txt": "x" * (30 * 2**20) for n in range(12)}, "zip bomb"),
        ({"folder/": ""}, "without files"),
        ({"a.zip": "PK\x03\x04", "b.zip": "PK\x03\x04"}, "without a readable document"),
    ],
)
def test_bombs_and_archives_without_documents_are_refused(
    files: dict[str, str], reason: str
) -> None:
    with pytest.raises(UnreadableDocument, match=reason):
        read(zipped(files))


def test_an_archive_that_is_its_own_overlap_is_refused() -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.txt", b"owl " * 1000)
    data = bytearray(target.getvalue())
    at = data.find(b"PK\x01\x02")
    entry = bytes(data[at : data.find(b"PK\x05\x06")])
    end = bytearray(data[data.find(b"PK\x05\x06") :])
    count = 3000  # entries that all name the same bytes
    end[8:12] = count.to_bytes(2, "little") * 2
    end[12:16] = (len(entry) * count).to_bytes(4, "little")

    found = read(bytes(data[:at]) + entry * count + bytes(end))

    assert found.page_count == 1


def test_an_encrypted_file_is_named() -> None:
    data = bytearray(zipped({"a.txt": "x", "b.txt": "words"}))
    at = data.find(b"PK\x01\x02", data.find(b"b.txt") + 5)
    data[at + 8] |= 1

    try:
        assert "encrypted" in read(bytes(data)).warnings[0]
    except EncryptedDocument:
        pytest.fail("one encrypted file does not hide the others")
