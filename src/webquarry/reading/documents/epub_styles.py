"""Style sheets of a book, put into its chapters so that rules which hide text apply."""

import posixpath
import re
from urllib.parse import unquote

from webquarry.content.html.dom import Element
from webquarry.content.text.length_limits import cap_text
from webquarry.content.visibility.stylesheets import MAX_SHEET, imported_urls
from webquarry.reading.documents.draft import UnreadableDocument
from webquarry.reading.documents.markup import add_text
from webquarry.reading.documents.zip_archive import Archive

_IMPORT = re.compile(r"@import[^;{}@]{0,2000};", re.IGNORECASE)
_MAX_IMPORTS = 10  # per sheet
_MAX_IMPORT_DEPTH = 3


class BookStylesheets:
    """Reads each style sheet of a book once."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._sheets: dict[str, str | None] = {}

    def embed(self, chapter: Element, name: str) -> None:
        """Replace the links of a chapter to style sheets in the book by the sheets."""
        for link in list(chapter.iter("link")):
            if "stylesheet" in (link.get("rel") or "").lower():
                css = self._sheet(_resolve(name, link.get("href") or ""))
                if css is not None:
                    _become_style(link, css)

    def _sheet(self, name: str, depth: int = 0) -> str | None:
        """Return a sheet with those that it imports; None if the book does not hold it."""
        if name not in self._sheets:
            self._sheets[name] = None  # while it is read: a sheet may import itself
            self._sheets[name] = self._read(name, depth)
        return self._sheets[name]

    def _read(self, name: str, depth: int) -> str | None:
        try:
            css = self._archive.read(name).decode("utf-8-sig", "replace")
        except UnreadableDocument:
            return None  # the chapter can be read without it
        urls = imported_urls(css)[:_MAX_IMPORTS] if depth < _MAX_IMPORT_DEPTH else ()
        imported = (self._sheet(_resolve(name, url), depth + 1) for url in urls)
        own = _IMPORT.sub("", cap_text(css, MAX_SHEET))
        return cap_text("\n".join([*filter(None, imported), own]), MAX_SHEET)


def _resolve(name: str, href: str) -> str:
    path = unquote(href.partition("#")[0])
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))


def _become_style(link: Element, css: str) -> None:
    media = link.get("media")
    link.tag = "style"
    link.attrib.clear()
    if media:
        link.set("media", media)
    add_text(link, css)
