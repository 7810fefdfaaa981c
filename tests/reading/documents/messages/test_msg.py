"""Messages that Outlook saved."""

import pytest

from tests.reading.documents.messages.samples import outlook
from tests.reading.documents.reading import read
from webquarry.models.document_content import Document, OutlineEntry
from webquarry.reading.documents.draft import UnreadableDocument


def test_an_outlook_message_has_its_text_and_attachments() -> None:
    found = read(outlook(a_txt=b"attached words", b_csv=b"x,y\n1,2\n"), url="https://x.org/m.msg")

    assert found == Document(
        kind="msg",
        title="Owls",
        authors=("Ada Strix <ada@example.org>",),
        markdown="# Owls\n\n- From: Ada Strix \\<ada@example.org>\n- Attachments: a.txt, b.csv\n\n"
        "Owls hunt at night.\n\n"
        "## a.txt\n\nattached words\n\n## b.csv\n\n| x | y |\n| --- | --- |\n| 1 | 2 |",
        outline=(OutlineEntry(level=2, title="a.txt"), OutlineEntry(level=2, title="b.csv")),
        word_count=20,
    )


def test_a_long_attachment_is_read_whole() -> None:
    text = b"Owls hunt. " * 1000

    assert read(outlook(a_txt=text)).markdown.count("Owls hunt.") == 1000


def test_a_damaged_outlook_message_is_refused() -> None:
    source = outlook(a_txt=b"words")

    for end in (600, 1200, len(source) - 700):
        with pytest.raises(UnreadableDocument, match="is a broken Outlook message"):
            read(source[:end] + "__properties_version1.0".encode("utf-16-le"), url="m.msg")
