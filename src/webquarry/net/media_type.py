"""Tells documents from pages by how they begin."""

_DOCUMENT_MARKS = (
    b"%PDF-",
    b"PK\x03\x04",  # docx, pptx, xlsx, odt, epub
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",  # doc, ppt, xls
    b"{\\rtf",
)
_DOCUMENT_TYPES = (
    "application/pdf",
    "application/epub",
    "application/msword",
    "application/rtf",
    "application/vnd.ms-",
    "application/vnd.oasis.opendocument",
    "application/vnd.openxmlformats-officedocument",
    "application/zip",
    "text/csv",
)
_PDF_WITHIN = 1024  # readers accept as much before the mark


def is_document(head: bytes, media_type: str) -> bool:
    """Whether content is a document rather than a page, whatever the server calls it."""
    if head.lstrip()[:1] == b"<":
        return False
    marked = head.startswith(_DOCUMENT_MARKS) or b"%PDF-" in head[:_PDF_WITHIN]
    return marked or media_type.startswith(_DOCUMENT_TYPES)
