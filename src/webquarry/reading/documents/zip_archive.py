"""Zip containers and the XML in them, protected against zip bombs and entity expansion."""

import io
import re
import zipfile
import zlib
from functools import lru_cache

from lxml import etree

from webquarry.content.html.dom import Element
from webquarry.content.text.length_limits import cap_text
from webquarry.reading.documents.draft import EncryptedDocument, UnreadableDocument

_MAX_ENTRIES = 20_000
_MAX_TOTAL_BYTES = 2**30  # of all parts, as the container declares them
_MAX_PART_BYTES = 96 * 2**20
_MAX_READ_BYTES = 256 * 2**20
_MAX_RATIO = 200  # prose compresses 3 to 10 times, sparse sheets up to 100
_DENSITY_CHECKED_FROM = 8 * 2**20  # the ratio of smaller parts does no harm
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ZIP_BOMB = "unpacks to far more data than a document holds (a zip bomb)"


class Archive:
    """A zip container whose parts are read within a budget."""

    def __init__(self, data: bytes) -> None:
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, EOFError) as error:
            raise UnreadableDocument(
                f"is broken: its zip container cannot be opened ({error})"
            ) from error
        self._left = _MAX_READ_BYTES
        entries = self._zip.infolist()
        if len(entries) > _MAX_ENTRIES:
            raise UnreadableDocument(f"holds {len(entries):,} files, more than any document does")
        if sum(entry.file_size for entry in entries) > _MAX_TOTAL_BYTES:
            raise UnreadableDocument(_ZIP_BOMB)
        self._entries = {_clean(entry.filename): entry for entry in entries}

    def __contains__(self, name: str) -> bool:
        return _clean(name) in self._entries

    @property
    def names(self) -> list[str]:
        """The names of the parts."""
        return list(self._entries)

    def read(self, name: str) -> bytes:
        """Return the content of a part; refuse a zip bomb before it is unpacked."""
        entry = self._entries.get(_clean(name))
        if entry is None:
            raise UnreadableDocument(f"is broken: its part {name[:80]!r} is missing")
        if _is_bomb(entry) or entry.file_size > self._left:
            raise UnreadableDocument(_ZIP_BOMB)
        if entry.flag_bits & 1:
            raise EncryptedDocument("is encrypted: it opens only with a password")
        if entry.compress_type not in _METHODS:
            raise UnreadableDocument("is compressed with a method that documents do not use")
        self._left -= entry.file_size
        try:
            return self._zip.read(entry)
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            OSError,
            ValueError,
            RuntimeError,
        ) as error:
            raise UnreadableDocument(f"is broken: its part {name[:80]!r} is damaged") from error

    def check_sizes(self) -> None:
        """Refuse the container before another program unpacks it."""
        entries = self._zip.infolist()
        if any(map(_is_bomb, entries)) or sum(e.file_size for e in entries) > self._left:
            raise UnreadableDocument(_ZIP_BOMB)

    def tree(self, name: str) -> Element:
        """Return the XML of a part."""
        return parse_xml(self.read(name))

    def optional_tree(self, name: str) -> Element | None:
        """Return the XML of a part that may be missing; a damaged one counts as missing."""
        try:
            return self.tree(name) if name in self else None
        except EncryptedDocument:
            raise
        except UnreadableDocument:
            return None


def _is_bomb(entry: zipfile.ZipInfo) -> bool:
    size = entry.file_size
    too_dense = size > _DENSITY_CHECKED_FROM and size > _MAX_RATIO * max(entry.compress_size, 1)
    return too_dense or size > _MAX_PART_BYTES


def parse_xml(data: bytes, *, recover: bool = False) -> Element:
    """Return the root; entities are not expanded, nothing is loaded, depth is bounded."""
    if _has_entities(data):
        raise UnreadableDocument("defines XML entities of its own, which documents have no use for")
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        recover=recover,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        if "unknown error" in str(error) or "Memory allocation" in str(error):
            raise MemoryError from error  # libxml2 reports it like this
        raise UnreadableDocument(f"is broken: {_short(error)}") from error
    # a recovering parser may find nothing
    if root is None:  # pyright: ignore[reportUnnecessaryComparison]
        raise UnreadableDocument("is broken: there is no XML in it")
    return root


def local_name(element: Element) -> str:
    """Return the element's name without its namespace."""
    return _bare(str(element.tag))


def attribute(element: Element, name: str) -> str:
    """Return an attribute by its local name, whatever its namespace."""
    found = element.get(name)
    if found is not None:
        return found
    for key, value in element.attrib.items():
        if _bare(str(key)) == name:
            return str(value)
    return ""


def child(element: Element | None, *names: str) -> Element | None:
    """Return the element found by going down one local name after another."""
    for name in names:
        if element is None:
            return None
        element = next((part for part in element if local_name(part) == name), None)
    return element


def text(element: Element | None) -> str:
    """Return all text inside, white space collapsed."""
    return "" if element is None else " ".join(all_text(element).split())


def all_text(element: Element) -> str:
    """Return all text inside, as it stands."""
    return "".join(map(str, element.itertext()))


@lru_cache(4096)
def _bare(name: str) -> str:
    return name.rpartition("}")[2]


def _has_entities(data: bytes) -> bool:
    head = cap_text(data, 65_536)
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\x00<\x00" in head[:64]:
        head = head.replace(b"\x00", b"")
    return re.search(rb"<!ENTITY", head, re.IGNORECASE) is not None


def _clean(name: str) -> str:
    return name.replace("\\", "/").lstrip("/")


def _short(error: Exception) -> str:
    return " ".join(str(error).split())[:160]
