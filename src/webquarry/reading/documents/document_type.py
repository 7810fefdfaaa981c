"""Tells which kind of document some bytes are: by content first, then by type and name."""

import re
import struct
from collections.abc import Iterator
from urllib.parse import urlsplit

from webquarry.models.document_content import DocumentKind as Kind

_HEAD = 4096
_PDF_WITHIN = 1024  # readers accept as much before the mark
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_ROOT = re.compile(
    rb"\s*(?:<\?.*?\?>\s*|<!--.*?-->\s*|<!DOCTYPE[^>\[]*(?:\[.*?\])?\s*>\s*)*<([\w:.-]+)",
    re.DOTALL | re.IGNORECASE,
)
_FEEDS = frozenset((b"rss", b"feed", b"rdf:rdf"))
_PAGES = frozenset((b"html", b"head", b"body", b"svg:svg"))
_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_MIMETYPES: tuple[tuple[bytes, Kind], ...] = (
    (b"application/epub+zip", "epub"),
    (b"application/vnd.oasis.opendocument.text", "odt"),
)
_FOLDERS: tuple[tuple[bytes, Kind], ...] = (
    (b"word/", "docx"),
    (b"ppt/", "pptx"),
    (b"xl/", "xlsx"),
    (b"META-INF/container.xml", "epub"),
    (b"content.xml", "odt"),
)
_TYPES: dict[str, Kind] = {
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
}
# types that say no more than "some bytes" or "some text": the name may say more
_VAGUE = frozenset(("", "text/plain", "application/octet-stream", "binary/octet-stream",
                    "application/download", "application/force-download",
                    "application/x-download"))  # fmt: skip
_NAMES: dict[str, Kind] = {
    "csv": "csv",
    "tsv": "csv",
    "json": "json",
    "geojson": "json",
    "md": "markdown",
    "markdown": "markdown",
}
# plain text under a name of its own
_TEXTS = frozenset(("txt", "text", "log", "rst", "tex", "bib", "ini", "cfg", "toml", "yaml", "yml",
                    "py", "js", "ts", "c", "h", "cpp", "go", "rs", "java", "sh", "sql",
                    "r"))  # fmt: skip
_MOST_NAMES = 5_000


def sniff(data: bytes, content_type: str | None, url: str) -> Kind | None:
    """Return the kind of document, or None for a web page and for what cannot be told."""
    return _by_mark(data, content_type or "", url) or _by_text(data, content_type or "", url)


def _by_mark(data: bytes, content_type: str, url: str) -> Kind | None:
    if data.startswith(_ZIP):
        return _in_archive(data)
    if data.startswith(_OLE):
        return "legacy_office"
    if data.startswith(b"{\\rtf"):
        return "rtf"
    head = data[:_PDF_WITHIN]
    at = head.find(b"%PDF-")
    if at < 0 or head.lstrip()[:1] == b"<":
        return None
    said = "pdf" in content_type.lower() or _extension(url) == "pdf"
    return "pdf" if said or not head[:at].strip(b"\x00\xef\xbb\xbf \t\r\n") else None


def _by_text(data: bytes, content_type: str, url: str) -> Kind | None:
    head = _as_ascii(data[:_HEAD])
    media = content_type.partition(";")[0].strip().lower()
    if head.lstrip()[:1] == b"<":
        return _markup(head, media)
    if _BINARY.search(head):
        return None
    if media in _VAGUE:
        name = _extension(url)
        return _vague(head, media, "text" if name in _TEXTS else _NAMES.get(name))
    return _by_type(media)


def _by_type(media: str) -> Kind | None:
    if media.endswith("+json"):
        return "json"
    if media.endswith(("/xml", "+xml")):
        return "xml" if media != "application/xhtml+xml" else None
    known = _TYPES.get(media)
    if known or media == "text/html":
        return known
    return "text" if media.startswith("text/") else None


def _vague(head: bytes, media: str, named: Kind | None) -> Kind | None:
    """Tell text apart when the server says no more than that it is some."""
    if named is not None and named != "text":
        return named
    opening = head.lstrip()
    if re.match(rb'\{\s*"|\{\s*\}\s*$|\[\s*[\[{"]|\[\s*-?\d', opening) and (media or named):
        return "json"
    return "text" if media == "text/plain" or named else None


def _markup(head: bytes, media: str) -> Kind | None:
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
    known = _TYPES.get(media)
    return known or ("text" if media == "text/plain" else None)


def _in_archive(data: bytes) -> Kind:
    """Return what the archive is: by its first entry, else by the folders it holds."""
    if data[30:38] == b"mimetype":
        for said, kind in _MIMETYPES:
            if said in data[38:160]:
                return kind
    for name in _names(data):
        for folder, kind in _FOLDERS:
            if name.startswith(folder):
                return kind
    return "archive"


def _names(data: bytes) -> Iterator[bytes]:
    """Yield the names in the archive's directory, without unpacking anything."""
    end = data.rfind(b"PK\x05\x06", max(0, len(data) - 70_000))
    if end < 0 or len(data) < end + 22:
        return
    _, at = struct.unpack_from("<II", data, end + 12)
    for _ in range(_MOST_NAMES):
        if data[at : at + 4] != b"PK\x01\x02" or len(data) < at + 46:
            return
        name, extra, comment = struct.unpack_from("<HHH", data, at + 28)
        yield data[at + 46 : at + 46 + name]
        at += 46 + name + extra + comment


def _as_ascii(head: bytes) -> bytes:
    """Return the start so that ASCII marks can be found in it, whatever the width of its units."""
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
