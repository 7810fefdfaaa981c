"""Styles of OpenDocument: titles, quotations, code, emphasis and hidden text."""

import re
from dataclasses import dataclass

from webquarry.content.html.dom import Element
from webquarry.reading.documents.odf_visibility import (
    INHERITED,
    OdfVisibility,
    is_colored,
    read_visibility,
)
from webquarry.reading.documents.zip_archive import attribute, child, local_name

_QUOTE = re.compile(r"quot", re.IGNORECASE)
_CODE = re.compile(r"preformatted|source.?text|source.?code|verbatim|teletype", re.IGNORECASE)
_SUPERSCRIPT = re.compile(r"super|[1-9]\d?%")
_SUBSCRIPT = re.compile(r"sub|-[1-9]\d?%")
_MAX_PARENTS = 12
_NUMBERED = "list-level-style-number"
_PAGE_PROPERTIES = frozenset(("page-layout-properties", "drawing-page-properties"))


@dataclass(frozen=True, slots=True)
class OdfStyle:
    """One style, with what it inherits from its parents."""

    title: bool = False
    quote: bool = False
    code: bool = False
    bold: bool = False
    italic: bool = False
    superscript: bool = False
    subscript: bool = False
    visibility: OdfVisibility = INHERITED
    colored: bool = False  # has a background other than white


class OdfStyles:
    """The styles of a document, its automatic ones and the named ones."""

    def __init__(self, content: Element, styles: Element | None) -> None:
        self._entries: dict[str, Element] = {}
        self._lists: dict[str, Element] = {}
        self._resolved_styles: dict[str, OdfStyle] = {}
        self.default = INHERITED  # of all paragraphs
        self.colored_page = any(map(is_colored, _page_properties(styles)))
        for root in (styles, content):
            for holder in root if root is not None else ():
                if local_name(holder) in ("styles", "automatic-styles"):
                    self._collect(holder)

    def of(self, name: str) -> OdfStyle:
        """Return the style of that name."""
        if name not in self._resolved_styles:
            self._resolved_styles[name] = self._resolve(name)
        return self._resolved_styles[name]

    def is_ordered(self, name: str, level: int) -> bool:
        """Return whether that level of the list is numbered."""
        levels = list(self._lists.get(name, ()))
        exact = [entry for entry in levels if attribute(entry, "level") == str(level)]
        # some programs define one level and use it for all
        chosen = next(iter(exact or levels), None)
        if chosen is None:
            return False
        return local_name(chosen) == _NUMBERED and attribute(chosen, "num-format") != ""

    def _collect(self, holder: Element) -> None:
        for entry in holder:
            if local_name(entry) == "style":
                self._entries[attribute(entry, "name")] = entry
            elif local_name(entry) == "list-style":
                self._lists[attribute(entry, "name")] = entry
            elif local_name(entry) == "default-style" and attribute(entry, "family") == "paragraph":
                self.default = read_visibility(_fonts([entry]))

    def _resolve(self, name: str) -> OdfStyle:
        names: list[str] = []
        while name in self._entries and name not in names and len(names) < _MAX_PARENTS:
            names.append(name)
            name = attribute(self._entries[name], "parent-style-name")
        entries = [self._entries[part] for part in names]
        fonts = _fonts(entries)
        names.append(name)
        position = _first(fonts, "text-position")
        return OdfStyle(
            title=any(part == "Title" for part in names),
            quote=any(_QUOTE.search(part) for part in names),
            code=any(_CODE.search(part) for part in names),
            bold=_first(fonts, "font-weight") in ("bold", "600", "700", "800", "900"),
            italic=_first(fonts, "font-style") in ("italic", "oblique"),
            superscript=bool(_SUPERSCRIPT.match(position)),
            subscript=bool(_SUBSCRIPT.match(position)),
            visibility=read_visibility(fonts),
            colored=any(is_colored(part) for entry in entries for part in entry),
        )


def _page_properties(styles: Element | None) -> list[Element]:
    parts = styles.iter() if styles is not None else ()
    return [part for part in parts if local_name(part) in _PAGE_PROPERTIES]


def _fonts(entries: list[Element]) -> list[Element]:
    """Return the text properties of styles."""
    found = (child(entry, "text-properties") for entry in entries)
    return [font for font in found if font is not None]


def _first(fonts: list[Element], name: str) -> str:
    return next((value for font in fonts if (value := attribute(font, name))), "")
