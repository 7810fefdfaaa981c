"""Styles and numbering of a Word document: what a paragraph means, not how it looks."""

import re
from dataclasses import dataclass

from webquarry.content.html.dom import Element
from webquarry.reading.documents.zip_archive import attribute, child, local

_HEADING = re.compile(r"heading\s*([1-9])$")
_QUOTE = re.compile(r"quot|block\s?text")
_CODE = re.compile(r"code|verbatim|preformatted|listing|macro|plain text$")
_MOST_PARENTS = 12


@dataclass(frozen=True, slots=True)
class Style:
    """What one style says, its parents included."""

    heading: int = 0
    quote: bool = False
    code: bool = False
    bold: bool = False
    italic: bool = False
    hidden: bool = False
    numbering: tuple[str, int] | None = None


@dataclass(frozen=True, slots=True)
class Level:
    """How one level of a list is numbered."""

    ordered: bool
    start: int


def read_styles(root: Element | None) -> dict[str, Style]:
    """Return the styles by their ids."""
    entries = {attribute(e, "styleId"): e for e in (root if root is not None else ())
               if local(e) == "style"}  # fmt: skip
    return {name: _style(entry, entries) for name, entry in entries.items()}


def read_numbering(root: Element | None) -> dict[str, dict[int, Level]]:
    """Return the levels of each numbering by its id."""
    if root is None:
        return {}
    drawn = {attribute(e, "abstractNumId"): _levels(e) for e in root if local(e) == "abstractNum"}
    found: dict[str, dict[int, Level]] = {}
    for entry in root:
        if local(entry) == "num":
            base = value(child(entry, "abstractNumId"))
            found[attribute(entry, "numId")] = drawn.get(base, {})
    return found


def value(element: Element | None) -> str:
    """Return what the element's w:val says."""
    return "" if element is None else attribute(element, "val")


def switch(parent: Element | None, name: str) -> bool | None:
    """Return whether a property is on, None when it is not mentioned."""
    found = child(parent, name)
    return None if found is None else value(found) not in ("0", "false", "off", "none")


def number(said: str, default: int = 0) -> int:
    """Return a small whole number, or the default for anything else."""
    return int(said) if said.isdecimal() and len(said) < 7 else default


def own_numbering(properties: Element | None) -> tuple[str, int] | None:
    """Return numbering and level that paragraph properties name."""
    entry = child(properties, "numPr")
    if entry is None:
        return None
    return value(child(entry, "numId")), number(value(child(entry, "ilvl")))


def _style(entry: Element, entries: dict[str, Element]) -> Style:
    chain = [entry]
    while len(chain) < _MOST_PARENTS:
        parent = entries.get(value(child(chain[-1], "basedOn")))
        if parent is None or parent in chain:
            break
        chain.append(parent)
    names = [value(child(part, "name")).lower() for part in chain]
    fonts = [child(part, "rPr") for part in chain]
    layouts = [child(part, "pPr") for part in chain]
    return Style(
        heading=_heading(names, layouts),
        quote=any(_QUOTE.search(name) for name in names),
        code=any(_CODE.search(name) for name in names),
        bold=_first(fonts, "b"),
        italic=_first(fonts, "i"),
        hidden=_first(fonts, "vanish"),
        numbering=next(filter(None, map(own_numbering, layouts)), None),
    )


def _heading(names: list[str], layouts: list[Element | None]) -> int:
    for name, layout in zip(names, layouts, strict=True):
        match = _HEADING.match(name)
        if match:
            return int(match[1])
        if name == "title":
            return 1
        outlined = value(child(layout, "outlineLvl"))
        if outlined:
            return number(outlined, 9) + 1 if number(outlined, 9) < 9 else 0
    return 0


def _first(fonts: list[Element | None], name: str) -> bool:
    said = (switch(font, name) for font in fonts)
    return bool(next((state for state in said if state is not None), False))


def _levels(entry: Element) -> dict[int, Level]:
    found: dict[int, Level] = {}
    for part in entry:
        if local(part) == "lvl":
            form = value(child(part, "numFmt"))
            start = number(value(child(part, "start")), 1)
            found[number(attribute(part, "ilvl"))] = Level(form not in ("bullet", "none"), start)
    return found
