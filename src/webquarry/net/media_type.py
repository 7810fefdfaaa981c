"""Distinguishes documents (PDF, Office, CSV) from web pages by magic number and media type."""

_MAGIC_NUMBERS = (
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
_PDF_HEADER_WITHIN = 1024  # PDF readers accept as many bytes before the header


def is_document(start: bytes, media_type: str) -> bool:
    """Return whether content that starts like this is a document rather than a page."""
    if start.lstrip()[:1] == b"<":
        return False
    has_magic = start.startswith(_MAGIC_NUMBERS) or b"%PDF-" in start[:_PDF_HEADER_WITHIN]
    return has_magic or media_type.startswith(_DOCUMENT_TYPES)
