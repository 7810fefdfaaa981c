"""Detects the kind of a document: by content, then by content type and file extension."""

import re
import struct
from collections.abc import Iterator
from urllib.parse import urlsplit

from webquarry.models.document_content import DocumentKind as Kind

_HEAD_BYTES = 4096
_PDF_HEADER_WITHIN = 1024  # bytes; PDF readers accept as many before the header
_OLE_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# "Book" is that of Excel 5; a document of another program may embed a workbook
_WORKBOOK_STREAMS = frozenset(("Workbook", "Book"))
_STREAMS = _WORKBOOK_STREAMS | {"WordDocument", "PowerPoint Document", "EncryptedPackage"}
_MESSAGE_STREAM = "__properties_version1.0"  # of Outlook
_ZIP_MAGIC = (b"PK\x03\x04", b"PK\x05\x06")
_ROOT = re.compile(
    rb"\s*+(?>(?:<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*+(?:\[.*?\])?\s*+>)\s*+)*+<([\w:.-]+)",
    re.DOTALL | re.IGNORECASE,
)
_HTML_START = re.compile(rb"\s{0,100}(?:<!doctype html[^>]*>\s{0,100})?<html[\s>]", re.IGNORECASE)
_JSON_TYPES = frozenset(("application/json", "text/json"))
_FEEDS = frozenset((b"rss", b"feed", b"rdf:rdf"))
_PAGES = frozenset((b"html", b"head", b"body", b"svg:svg"))
_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_MIMETYPES: tuple[tuple[bytes, Kind], ...] = (
    (b"application/epub+zip", "epub"),
    (b"application/vnd.oasis.opendocument.text", "odt"),
    (b"application/vnd.oasis.opendocument.spreadsheet", "ods"),
)
_FOLDERS: tuple[tuple[bytes, Kind], ...] = (
    (b"word/", "docx"),
    (b"ppt/", "pptx"),
    (b"xl/", "xlsx"),
    (b"META-INF/container.xml", "epub"),
    (b"content.xml", "odt"),
)
_MEDIA_TYPES: dict[str, Kind] = {
    "text/csv": "csv",
    "application/csv": "csv",
    "text/comma-separated-values": "csv",
    "text/tab-separated-values": "csv",
    "text/markdown": "markdown",
    "text/x-markdown": "markdown",
    "application/json": "json",
    "text/json": "json",
    "text/javascript": "text",
    "application/javascript": "text",
    "application/x-javascript": "text",
    "application/x-ndjson": "text",
    "application/yaml": "text",
    "application/x-yaml": "text",
    "application/toml": "text",
    "application/x-tex": "text",
    "application/x-sh": "text",
    "application/sql": "text",
    "message/rfc822": "eml",
    "application/x-ipynb+json": "ipynb",
    "text/vtt": "subtitles",
    "text/srt": "subtitles",
    "application/x-subrip": "subtitles",
}
# generic types: the file extension may say more
_GENERIC_TYPES = frozenset(("", "text/plain", "application/octet-stream", "binary/octet-stream",
                    "application/download", "application/force-download",
                    "application/x-download"))  # fmt: skip
_EXTENSIONS: dict[str, Kind] = {
    "csv": "csv",
    "tsv": "csv",
    "json": "json",
    "geojson": "json",
    "md": "markdown",
    "markdown": "markdown",
    "eml": "eml",
    "ipynb": "ipynb",
    "srt": "subtitles",
    "vtt": "subtitles",
}
# extensions of plain text
_TEXT_EXTENSIONS = frozenset(("txt", "text", "log", "rst", "tex", "bib", "ini", "cfg", "toml",
                              "yaml", "yml", "py", "js", "ts", "c", "h", "cpp", "go", "rs",
                              "java", "sh", "sql", "r"))  # fmt: skip
_MESSAGE_START = re.compile(
    rb"(?:From |(?:Return-Path|Received|Delivered-To|Message-ID|MIME-Version|From|Date|Subject):)",
    re.IGNORECASE,
)
_MESSAGE_FIELD = re.compile(rb"\n(?:Message-ID|MIME-Version|Received):", re.IGNORECASE)
_MAX_NAMES = 5_000


def sniff(data: bytes, content_type: str | None, url: str) -> Kind | None:
    """Return the kind of document, or None for a web page and for unknown content."""
    if _HTML_START.match(data):  # the usual case
        return None
    return _by_signature(data, content_type or "", url) or _by_text(data, content_type or "", url)


def _by_signature(data: bytes, content_type: str, url: str) -> Kind | None:
    if data.startswith(_ZIP_MAGIC):
        return _zip_kind(data)
    if data.startswith(_OLE_MAGIC):
        return _compound_file_kind(data)
    if data.startswith(b"{\\rtf"):
        return "rtf"
    head = data[:_PDF_HEADER_WITHIN]
    at = head.find(b"%PDF-")
    if at < 0 or head.lstrip()[:1] == b"<":
        return None
    is_declared = "pdf" in content_type.lower() or _extension(url) == "pdf"
    return "pdf" if is_declared or not head[:at].strip(b"\x00\xef\xbb\xbf \t\r\n") else None


def _by_text(data: bytes, content_type: str, url: str) -> Kind | None:
    head = _ascii_head(data[:_HEAD_BYTES])
    media = content_type.partition(";")[0].strip().lower()
    if head.lstrip()[:1] == b"<":
        return _markup_kind(head, media)
    if _BINARY.search(head):
        return None
    if re.match(rb"WEBVTT(?:\s|$)", head):
        return "subtitles"
    if media in _GENERIC_TYPES:
        name = _extension(url)
        return _by_extension(
            head, media, "text" if name in _TEXT_EXTENSIONS else _EXTENSIONS.get(name)
        )
    if media in _JSON_TYPES and _extension(url) == "ipynb":
        return "ipynb"
    return _by_type(media)


def _by_type(media: str) -> Kind | None:
    known = _MEDIA_TYPES.get(media)
    if known:
        return known
    if media.endswith("+json"):
        return "json"
    if media.endswith(("/xml", "+xml")):
        return "xml" if media != "application/xhtml+xml" else None
    return "text" if media.startswith("text/") and media != "text/html" else None


def _by_extension(head: bytes, media: str, named: Kind | None) -> Kind | None:
    """Return the kind of text whose content type is generic."""
    if named is not None and named != "text":
        return named
    if _MESSAGE_START.match(head) and _MESSAGE_FIELD.search(head):
        return "eml"
    opening = head.lstrip()
    if re.match(rb'\{\s*"|\{\s*\}\s*$|\[\s*[\[{"]|\[\s*-?\d', opening) and (media or named):
        return "json"
    return "text" if media == "text/plain" or named else None


def _markup_kind(head: bytes, media: str) -> Kind | None:
    match = _ROOT.match(head)
    root = match[1].lower() if match else b""
    if root in _FEEDS or root.rpartition(b":")[2] in (b"feed", b"rss"):
        return "feed"
    if root in _PAGES or re.match(rb"\s*<!doctype\s+html", head, re.IGNORECASE):
        return None
    if media in ("application/xhtml+xml", "text/html", ""):
        return None
    if media.endswith(("/xml", "+xml")) or head.lstrip().startswith(b"<?xml"):
        return "xml"
    known = _MEDIA_TYPES.get(media)
    return known or ("text" if media == "text/plain" else None)


def _compound_file_kind(data: bytes) -> Kind:
    """Return which program wrote an OLE compound file, by the names of its streams."""
    if _MESSAGE_STREAM.encode("utf-16-le") in data:
        return "msg"
    has = {name for name in _STREAMS if name.encode("utf-16-le") + b"\0\0" in data}
    is_workbook = bool(has & _WORKBOOK_STREAMS) and has <= _WORKBOOK_STREAMS
    return "xls" if is_workbook else "legacy_office"


def legacy_format(data: bytes) -> str:
    """Return doc or ppt for a document of Word or PowerPoint of before 2007; "" for others."""
    names = {"WordDocument": "doc", "PowerPoint Document": "ppt"}
    if not data.startswith(_OLE_MAGIC) or "EncryptedPackage".encode("utf-16-le") in data:
        return ""
    found = (end for name, end in names.items() if name.encode("utf-16-le") + b"\0\0" in data)
    return next(found, "")


def _zip_kind(data: bytes) -> Kind:
    """Return the kind of a zip container, by its first entry or its folders."""
    if data[30:38] == b"mimetype":
        for mimetype, kind in _MIMETYPES:
            if mimetype in data[38:160]:
                return kind
    names = tuple(_entry_names(data))
    if b"xl/workbook.bin" in names:
        return "xlsb"
    for name in names:
        for folder, kind in _FOLDERS:
            if name.startswith(folder):
                return kind
    return "archive"


def _entry_names(data: bytes) -> Iterator[bytes]:
    """Yield the names in the central directory, without unpacking anything."""
    end = data.rfind(b"PK\x05\x06", max(0, len(data) - 70_000))
    if end < 0 or len(data) < end + 22:
        return
    _, at = struct.unpack_from("<II", data, end + 12)
    for _ in range(_MAX_NAMES):
        if data[at : at + 4] != b"PK\x01\x02" or len(data) < at + 46:
            return
        name, extra, comment = struct.unpack_from("<HHH", data, at + 28)
        yield data[at + 46 : at + 46 + name]
        at += 46 + name + extra + comment


def _ascii_head(head: bytes) -> bytes:
    """Return the start as ASCII, also that of UTF-16 text."""
    if head.startswith(b"\xef\xbb\xbf"):
        return head[3:]
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        name = "utf-16"
    elif len(head) >= 8 and head[:8].count(0) == 4 and b"\x00\x00" not in head[:8]:
        name = "utf-16-le" if head[1] == 0 else "utf-16-be"
    else:
        return head
    return head[: len(head) & ~1].decode(name, "replace").encode("ascii", "replace")


def _extension(url: str) -> str:
    try:
        path = urlsplit(url).path
    except ValueError:
        return ""
    name = path.rpartition("/")[2]
    return name.rpartition(".")[2].lower() if "." in name else ""
