"""E-mail messages."""

from contextlib import suppress

import pytest

from tests.reading.documents.messages.samples import mime
from tests.reading.documents.reading import read
from webquarry.models.document_content import Document, OutlineEntry
from webquarry.reading.documents.draft import NEEDS_RECOGNITION, UnreadableDocument

FIELDS = (
    "# Owls: a r\u00e9sum\u00e9\n\n- From: Ada Strix \\<ada@example.org>\n"
    "- To: Bubo \\<bubo@example.org>\n- Date: 2026-11-18 10:30"
)


def test_a_message_has_its_fields_text_and_attachments() -> None:
    found = read(mime(a_txt=b"attached words", b_csv=b"x,y\n1,2\n"), url="https://x.org/m.eml")

    assert found == Document(
        kind="eml",
        title="Owls: a r\u00e9sum\u00e9",
        authors=("Ada Strix <ada@example.org>",),
        published="2026-11-18 10:30",
        markdown=f"{FIELDS}\n- Attachments: a.txt, b.csv\n\nOwls hunt at night.\n\nThey hear well."
        "\n\n## a.txt\n\nattached words\n\n## b.csv\n\n| x | y |\n| --- | --- |\n| 1 | 2 |",
        outline=(OutlineEntry(level=2, title="a.txt"), OutlineEntry(level=2, title="b.csv")),
        word_count=31,
    )


def test_a_message_is_recognised_without_a_name() -> None:
    assert read(mime(), "text/plain").kind == "eml"
    assert read(mime(), "message/rfc822").kind == "eml"


def test_attachments_without_text_are_named() -> None:
    found = read(mime(c_png=b"\x89PNG\r\n\x1a\n" + bytes(40)), "message/rfc822")

    assert found.warnings == (f"c.png is an image; {NEEDS_RECOGNITION}",)


def test_a_message_with_html_only_is_read() -> None:
    source = (
        b"Subject: Hi\nMIME-Version: 1.0\nContent-Type: text/html\n\n<p>Owls <b>hunt</b>.</p>\n"
    )

    assert read(source, "message/rfc822").markdown == "# Hi\n\nOwls **hunt**."


def test_an_enclosed_message_is_read_but_none_inside_that_one() -> None:
    def around(inner: bytes, name: str) -> bytes:
        return (
            f"Subject: {name}\nMIME-Version: 1.0\n"
            f"Content-Type: multipart/mixed; boundary={name}\n\n"
            f"--{name}\nContent-Type: text/plain\n\nText of {name}.\n"
            f"--{name}\nContent-Type: message/rfc822\n\n"
        ).encode() + inner + f"\n--{name}--\n".encode()  # fmt: skip

    innermost = b"Subject: c\n\nText of c.\n"
    found = read(around(around(innermost, "b"), "a"), "message/rfc822")

    assert "Text of a." in found.markdown
    assert "Text of b." in found.markdown
    assert "Text of c." not in found.markdown
    assert found.warnings == (
        "message.eml: message.eml is a file inside other files; it was not opened",
    )


@pytest.mark.parametrize(
    "source",
    [
        b"Subject: x\nContent-Type: multipart/mixed; boundary=\n\n--\n--\n",
        b"Subject: =?utf-8?b?====?=\n\nwords\n",
        b"Subject: =?no-such-charset?q?owls?=\nDate: someday\n\nwords\n",
        b"Subject: x\nContent-Transfer-Encoding: base64\n\n!!!!\nwords\n",
        b"Subject: x\nContent-Type: text/plain; charset=no-such\n\nwords\n",
        b"Subject: x\nContent-Disposition: attachment; filename*=x''%FF\n\nwords\n",
        b"Content-Type: message/rfc822\n\n\n\n",
    ],
)
def test_malformed_messages_are_read_or_refused(source: bytes) -> None:
    with suppress(UnreadableDocument):
        assert read(source, "message/rfc822").kind == "eml"


def test_words_without_fields_are_no_message() -> None:
    with pytest.raises(UnreadableDocument, match="is not a message"):
        read(b"Just some words.\n", "message/rfc822")
