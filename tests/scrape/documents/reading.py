"""Reads a document in this process, as the worker does in its own."""

from webquarry.models.document import Document
from webquarry.scrape.documents.draft import Task
from webquarry.scrape.documents.kinds import sniff
from webquarry.scrape.documents.ranges import parse_ranges
from webquarry.scrape.documents.readers import read_document
from webquarry.scrape.documents.reading import to_document


def read(
    data: bytes, content_type: str = "", *, url: str = "https://example.org/x", pages: str = "",
    tesseract: str = "",
) -> Document:  # fmt: skip
    kind = sniff(data, content_type, url)
    assert kind is not None
    task = Task(kind, data, content_type, url, parse_ranges(pages), tesseract)
    return to_document(read_document(task).as_reply())
