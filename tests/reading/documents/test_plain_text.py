import pytest

from tests.reading.documents.reading import read
from webquarry.models.document_content import Document
from webquarry.reading.documents.draft import MAX_MARKDOWN, EncryptedDocument, UnreadableDocument


def test_plain_text_is_returned_unchanged() -> None:
    found = read(b"One\r\n  two *three*\r\n\r\n# four\r\n", "text/plain")

    assert found == Document(kind="text", markdown="One\n  two *three*\n\n# four", word_count=4)


@pytest.mark.parametrize("charset", ["utf-8", "utf-8-sig", "utf-16", "cp1251"])
def test_text_is_read_in_its_own_charset(charset: str) -> None:
    words = "Съешь же ещё этих мягких французских булок, да выпей чаю. " * 4

    assert read(words.encode(charset), "text/plain").markdown == words.strip()


def test_the_charset_of_the_content_type_is_used() -> None:
    assert (
        read("naïve café".encode("cp1252"), "text/plain; charset=iso-8859-1").markdown
        == "naïve café"
    )


def test_long_text_is_cut_and_marked_as_truncated() -> None:
    found = read(b"word " * (MAX_MARKDOWN // 4), "text/plain")

    assert (len(found.markdown), found.truncated) == (MAX_MARKDOWN - 1, True)
    assert found.warnings == ("only the first 5,000,000 characters were kept",)


def test_empty_text_is_an_error() -> None:
    with pytest.raises(UnreadableDocument, match="is empty"):
        read(b" \n ", "text/plain")


def test_the_title_of_markdown_is_its_first_heading() -> None:
    found = read(b"---\nx: y\n---\n# The Title #\n\n## Other\n", "text/markdown")

    assert (found.title, found.kind) == ("The Title", "markdown")


def test_json_is_indented_without_changing_its_literals() -> None:
    source = b'{"b":1.10,"a":[1e400,{},[],{"c":"x,\\"}{"}],"b":12345678901234567890123}'

    assert read(source, "application/json").markdown == (
        "```json\n"
        '{\n  "b": 1.10,\n  "a": [\n    1e400,\n    {},\n    [],\n    {\n      "c": "x,\\"}{"\n'
        '    }\n  ],\n  "b": 12345678901234567890123\n}\n```'
    )


@pytest.mark.parametrize("source", [b'{"a": 1', b"[1, 2}", b'{"a": oops}'])
def test_invalid_json_is_shown_unchanged(source: bytes) -> None:
    found = read(source, "application/json")

    assert found.markdown == f"```json\n{source.decode()}\n```"
    assert found.warnings == ("the content is not valid JSON and is shown unchanged",)


def test_deeply_nested_json_does_not_exhaust_the_stack() -> None:
    found = read(b"[" * 100_000 + b"]" * 100_000, "application/json")

    assert found.markdown.startswith("```json\n[\n  [\n    [")
    assert found.truncated


def test_json_that_contains_a_code_fence_gets_a_longer_fence() -> None:
    assert read(b'["a\n```"]', "application/json").markdown.startswith("````json")
    assert read(b"```\n<a/>", "text/xml").markdown.startswith("````xml")


def test_a_page_range_is_reported_as_ignored_for_text_without_pages() -> None:
    found = read(b"words", "text/plain", pages="2")

    assert found.warnings == ("pages was not applied: a text document has no fixed pages",)


def test_invisible_characters_are_removed_and_reported() -> None:
    found = read("safe\u202etext\U000e0041".encode(), "text/plain")

    assert found.markdown == "safetext"
    assert found.warnings == (
        "direction control removed in 1 place",
        "tag character removed in 1 place",
    )


def test_an_old_office_file_suggests_newer_formats() -> None:
    with pytest.raises(UnreadableDocument, match=r"before 2007 .*\.docx"):
        read(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))


def test_an_encrypted_office_file_is_reported_as_such() -> None:
    held = "EncryptedPackage".encode("utf-16-le")

    with pytest.raises(EncryptedDocument, match="password"):
        read(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600) + held)
