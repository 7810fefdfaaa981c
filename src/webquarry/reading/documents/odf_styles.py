"""Styles of OpenDocument: what a paragraph or a span means."""

import re
from dataclasses import dataclass

from webquarry.content.html.dom import Element
from webquarry.reading.documents.zip_archive import attribute, child, local

_QUOTE = re.compile(r"quot", re.IGNORECASE)
_CODE = re.compile(r"preformatted|source.?text|source.?code|verbatim|teletype", re.IGNORECASE)
_MOST_PARENTS = 12
_NUMBERED = "list-level-style-number"


@dataclass(frozen=True, slots=True)
class OdfStyle:
    """What one style says, its parents included."""

    title: bool = False
    quote: bool = False
    code: bool = False
    bold: bool = False
    italic: bool = False
    raised: bool = False
    lowered: bool = False
    hidden: bool = False


class OdfStyles:
    """The styles of a document, its automatic ones and the named ones."""

    def __init__(self, content: Element, styles: Element | None) -> None:
        self._entries: dict[str, Element] = {}
        self._lists: dict[str, Element] = {}
        self._known: dict[str, OdfStyle] = {}
        for root in (styles, content):
            for holder in root if root is not None else ():
                if local(holder) in ("styles", "automatic-styles"):
                    self._collect(holder)

    def of(self, name: str) -> OdfStyle:
        """Return what the style of that name says."""
        if name not in self._known:
            self._known[name] = self._resolved(name)
        return self._known[name]

    def is_ordered(self, name: str, level: int) -> bool:
        """Whether that level of the list is numbered."""
        levels = list(self._lists.get(name, ()))
        exact = [entry for entry in levels if attribute(entry, "level") == str(level)]
        # some programs describe one level only and use it for all
        chosen = next(iter(exact or levels), None)
        if chosen is None:
            return False
        return local(chosen) == _NUMBERED and attribute(chosen, "num-format") != ""

    def _collect(self, holder: Element) -> None:
        for entry in holder:
            if local(entry) == "style":
                self._entries[attribute(entry, "name")] = entry
            elif local(entry) == "list-style":
                self._lists[attribute(entry, "name")] = entry

    def _resolved(self, name: str) -> OdfStyle:
        names: list[str] = []
        fonts: list[Element] = []
        while name in self._entries and name not in names and len(names) < _MOST_PARENTS:
            names.append(name)
            font = child(self._entries[name], "text-properties")
            fonts += [font] if font is not None else []
            name = attribute(self._entries[name], "parent-style-name")
        names.append(name)
        position = _first(fonts, "text-position")
        return OdfStyle(
            title=any(part == "Title" for part in names),
            quote=any(_QUOTE.search(part) for part in names),
            code=any(_CODE.search(part) for part in names),
            bold=_first(fonts, "font-weight") in ("bold", "600", "700", "800", "900"),
            italic=_first(fonts, "font-style") in ("italic", "oblique"),
            raised=position.startswith("super"),
            lowered=position.startswith("sub"),
            hidden=_first(fonts, "display") == "none",
        )


def _first(fonts: list[Element], name: str) -> str:
    return next((said for font in fonts if (said := attribute(font, name))), "")
