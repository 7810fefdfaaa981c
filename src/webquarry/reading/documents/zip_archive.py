"""Zip containers and the XML in them, opened so that neither can unfold without bound."""

import io
import re
import zipfile
import zlib
from functools import lru_cache

from lxml import etree

from webquarry.content.html.dom import Element
from webquarry.reading.documents.draft import Encrypted, Unreadable

_MOST_ENTRIES = 20_000
_MOST_TOTAL = 2**30  # bytes that the whole container may claim to unfold to
_MOST_PART = 96 * 2**20
_MOST_READ = 256 * 2**20
_RATIO = 200  # prose compresses 3 to 10 times, sparse sheets up to 100
_SMALL = 8 * 2**20  # below this a ratio does no harm
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_BOMB = "unfolds to far more data than a document holds (a zip bomb)"


class Archive:
    """A zip container whose parts are read within a budget."""

    def __init__(self, data: bytes) -> None:
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, EOFError) as error:
            raise Unreadable(f"is broken: its zip container cannot be opened ({error})") from error
        self._left = _MOST_READ
        entries = self._zip.infolist()
        if len(entries) > _MOST_ENTRIES:
            raise Unreadable(f"holds {len(entries):,} files, more than any document does")
        if sum(entry.file_size for entry in entries) > _MOST_TOTAL:
            raise Unreadable(_BOMB)
        self._entries = {_clean(entry.filename): entry for entry in entries}

    def __contains__(self, name: str) -> bool:
        return _clean(name) in self._entries

    @property
    def names(self) -> list[str]:
        """The names of the parts."""
        return list(self._entries)

    def read(self, name: str) -> bytes:
        """Return the part, or refuse it before it unfolds."""
        entry = self._entries.get(_clean(name))
        if entry is None:
            raise Unreadable(f"is broken: its part {name[:80]!r} is missing")
        size = entry.file_size
        too_dense = size > _SMALL and size > _RATIO * max(entry.compress_size, 1)
        if too_dense or size > _MOST_PART or size > self._left:
            raise Unreadable(_BOMB)
        if entry.flag_bits & 1:
            raise Encrypted("is encrypted: it opens only with a password")
        if entry.compress_type not in _METHODS:
            raise Unreadable("is packed with a method that documents do not use")
        self._left -= size
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
            raise Unreadable(f"is broken: its part {name[:80]!r} is damaged") from error

    def tree(self, name: str) -> Element:
        """Return the XML of a part."""
        return parse_xml(self.read(name))

    def maybe(self, name: str) -> Element | None:
        """Return the XML of a part that may be missing; a damaged one counts as missing."""
        try:
            return self.tree(name) if name in self else None
        except Encrypted:
            raise
        except Unreadable:
            return None


def parse_xml(data: bytes, *, recover: bool = False) -> Element:
    """Return the root; entities are not expanded, nothing is loaded, depth is bounded."""
    if _has_entities(data):
        raise Unreadable("defines XML entities of its own, which documents have no use for")
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
            raise MemoryError from error  # what libxml2 makes of it
        raise Unreadable(f"is broken: {_short(error)}") from error
    # a recovering parser may find nothing
    if root is None:  # pyright: ignore[reportUnnecessaryComparison]
        raise Unreadable("is broken: there is no XML in it")
    return root


def local(element: Element) -> str:
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
        element = next((part for part in element if local(part) == name), None)
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
    head = data[:65_536]
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\x00<\x00" in head[:64]:
        head = head.replace(b"\x00", b"")
    return re.search(rb"<!ENTITY", head, re.IGNORECASE) is not None


def _clean(name: str) -> str:
    return name.replace("\\", "/").lstrip("/")


def _short(error: Exception) -> str:
    return " ".join(str(error).split())[:160]
