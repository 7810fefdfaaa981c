"""Parses a document in this process, with the code of the worker."""

from webquarry.models.document_content import Document
from webquarry.reading.documents.document_reader import to_document
from webquarry.reading.documents.document_type import sniff
from webquarry.reading.documents.draft import DocumentTask
from webquarry.reading.documents.formats import read_document
from webquarry.reading.documents.page_ranges import parse_page_ranges


def read(
    data: bytes, content_type: str = "", *, url: str = "https://example.org/x", pages: str = "",
    recognizer: str = "",
) -> Document:  # fmt: skip
    kind = sniff(data, content_type, url)
    assert kind is not None
    task = DocumentTask(kind, data, content_type, url, parse_page_ranges(pages), recognizer)
    return to_document(read_document(task).as_reply())
