"""Which responses of a crawl are documents: PDF, Office, OpenDocument, EPUB and RTF files."""

from webquarry.crawl.urls import is_document_url
from webquarry.reading.documents.document_type import sniff

_MEDIA_TYPES = (
    "application/pdf", "application/x-pdf", "application/epub", "application/rtf", "text/rtf",
    "application/vnd.ms-excel", "application/vnd.oasis.opendocument",
    "application/vnd.openxmlformats-officedocument",
)  # fmt: skip
# the extension of the URL says more
_GENERIC_TYPES = frozenset(
    ("", "application/octet-stream", "binary/octet-stream", "application/zip",
     "application/download", "application/force-download", "application/x-download")
)  # fmt: skip
# other kinds of the document readers are text, which crawls read as pages, or have no reader
_KINDS = frozenset(
    ("pdf", "docx", "pptx", "xlsx", "xls", "xlsb", "ods", "odt", "epub", "rtf")
)  # fmt: skip


def may_be_document(media_type: str, url: str) -> bool:
    """Whether a response is a document, before its body is read."""
    if media_type.startswith(_MEDIA_TYPES):
        return True
    return media_type in _GENERIC_TYPES and is_document_url(url)


def is_readable(content: bytes, content_type: str, url: str) -> bool:
    """Whether content is a document that can be read."""
    return sniff(content, content_type, url) in _KINDS
