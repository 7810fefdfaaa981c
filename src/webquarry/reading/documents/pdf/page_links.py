"""Links of a PDF page: where they are, and where they lead."""

import ctypes
import re
from collections import defaultdict
from typing import Any, NamedTuple

from webquarry.reading.documents.pdf.page_objects import Box

_MAX_LINKS = 1_000  # of a page
_MAX_URL = 2_000  # characters
_ROW = 12.0  # points; links are looked up by the rows that they touch
_MAX_ROWS = 200  # of one link
_URL = re.compile(r"(?:https?://[^/]|mailto:.)", re.IGNORECASE)
_UNSAFE = re.compile(r"[\s<>()\[\]\\`|\x00-\x1f\x7f]")


class _Link(NamedTuple):
    box: Box
    target: str


class PageLinks:
    """The links of one page."""

    def __init__(self, raw: Any, page: Any) -> None:
        self._raw = raw
        self._rows: defaultdict[int, list[_Link]] = defaultdict(list)
        position, link = ctypes.c_int(0), raw.FPDF_LINK()
        for _ in range(_MAX_LINKS):
            if not raw.FPDFLink_Enumerate(page.raw, ctypes.byref(position), ctypes.byref(link)):
                break
            self._add(page.pdf.raw, link)

    def target_of(self, box: Box) -> str:
        """Return where the middle of a box leads: a URL, or the anchor of a page."""
        x, y = (box.left + box.right) / 2, (box.bottom + box.top) / 2
        for link in self._rows.get(int(y // _ROW), ()) if self._rows else ():
            area = link.box
            if area.left <= x <= area.right and area.bottom <= y <= area.top:
                return link.target
        return ""

    def _add(self, document: Any, link: Any) -> None:
        edges = self._raw.FS_RECTF()
        if not self._raw.FPDFLink_GetAnnotRect(link, ctypes.byref(edges)):
            return
        target = self._url(document, link) or self._page(document, link)
        bottom, top = sorted((edges.bottom, edges.top))
        first, last = int(bottom // _ROW), int(top // _ROW)
        if not target or last - first > _MAX_ROWS:
            return
        found = _Link(Box(edges.left, bottom, edges.right, top), target)
        for row in range(first, last + 1):
            self._rows[row].append(found)

    def _url(self, document: Any, link: Any) -> str:
        action = self._raw.FPDFLink_GetAction(link)
        size = self._raw.FPDFAction_GetURIPath(document, action, None, 0) if action else 0
        if not 1 < size <= _MAX_URL:
            return ""
        buffer = ctypes.create_string_buffer(size)
        self._raw.FPDFAction_GetURIPath(document, action, buffer, size)
        url = buffer.value.decode("utf-8", "replace").strip()
        return _UNSAFE.sub(_quoted, url) if _URL.match(url) else ""

    def _page(self, document: Any, link: Any) -> str:
        raw = self._raw
        target = raw.FPDFLink_GetDest(document, link)
        if not target:
            action = raw.FPDFLink_GetAction(link)
            target = raw.FPDFAction_GetDest(document, action) if action else None
        index = raw.FPDFDest_GetDestPageIndex(document, target) if target else -1
        return f"#page={index + 1}" if index >= 0 else ""


def _quoted(found: re.Match[str]) -> str:
    return f"%{ord(found[0]):02X}" if found[0].isascii() else ""
