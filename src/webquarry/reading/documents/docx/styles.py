"""Styles and numbering of a Word document: heading levels, quotations, code, lists."""

import re
from dataclasses import dataclass

from webquarry.content.html.dom import Element
from webquarry.reading.documents.zip_archive import attribute, child, local_name

_HEADING = re.compile(r"heading\s*([1-9])$")
_QUOTE = re.compile(r"quot|block\s?text")
_CODE = re.compile(r"code|verbatim|preformatted|listing|macro|plain text$")
_MAX_PARENTS = 12


@dataclass(frozen=True, slots=True)
class WordStyle:
    """One style, with what it inherits from its parents."""

    heading: int = 0
    quote: bool = False
    code: bool = False
    bold: bool = False
    italic: bool = False
    hidden: bool = False
    color: str = ""
    size: str = ""  # half points
    shaded: bool = False
    raised: str = ""  # superscript or subscript
    numbering: tuple[str, int] | None = None


@dataclass(frozen=True, slots=True)
class ListLevel:
    """How one level of a list is numbered."""

    ordered: bool
    start: int


def read_styles(root: Element | None) -> dict[str, WordStyle]:
    """Return the styles by their ids."""
    entries = {attribute(e, "styleId"): e for e in (root if root is not None else ())
               if local_name(e) == "style"}  # fmt: skip
    return {name: _style(entry, entries) for name, entry in entries.items()}


def read_numbering(root: Element | None) -> dict[str, dict[int, ListLevel]]:
    """Return the levels of each numbering by its id."""
    if root is None:
        return {}
    abstract = {
        attribute(e, "abstractNumId"): _levels(e) for e in root if local_name(e) == "abstractNum"
    }
    levels: dict[str, dict[int, ListLevel]] = {}
    for entry in root:
        if local_name(entry) == "num":
            base = val(child(entry, "abstractNumId"))
            levels[attribute(entry, "numId")] = abstract.get(base, {})
    return levels


def val(element: Element | None) -> str:
    """Return the w:val attribute of an element."""
    return "" if element is None else attribute(element, "val")


def toggle(parent: Element | None, name: str) -> bool | None:
    """Return whether a property is on; None when it is absent."""
    found = child(parent, name)
    return None if found is None else val(found) not in ("0", "false", "off", "none")


def small_int(text: str, default: int = 0) -> int:
    """Return an integer of up to six digits, or the default for anything else."""
    return int(text) if text.isdecimal() and len(text) < 7 else default


def own_numbering(properties: Element | None) -> tuple[str, int] | None:
    """Return numbering and level in the properties of a paragraph."""
    entry = child(properties, "numPr")
    if entry is None:
        return None
    return val(child(entry, "numId")), small_int(val(child(entry, "ilvl")))


def _style(entry: Element, entries: dict[str, Element]) -> WordStyle:
    chain = [entry]
    while len(chain) < _MAX_PARENTS:
        parent = entries.get(val(child(chain[-1], "basedOn")))
        if parent is None or parent in chain:
            break
        chain.append(parent)
    names = [val(child(part, "name")).lower() for part in chain]
    fonts = [child(part, "rPr") for part in chain]
    layouts = [child(part, "pPr") for part in chain]
    return WordStyle(
        heading=_heading(names, layouts),
        quote=any(_QUOTE.search(name) for name in names),
        code=any(_CODE.search(name) for name in names),
        bold=_first(fonts, "b"),
        italic=_first(fonts, "i"),
        hidden=_first(fonts, "vanish"),
        color=_first_value(fonts, "color"),
        size=_first_value(fonts, "sz"),
        raised=_first_value(fonts, "vertAlign"),
        shaded=any(is_shading(child(part, "shd")) for part in (*fonts, *layouts)),
        numbering=next(filter(None, map(own_numbering, layouts)), None),
    )


def _heading(names: list[str], layouts: list[Element | None]) -> int:
    for name, layout in zip(names, layouts, strict=True):
        match = _HEADING.match(name)
        if match:
            return int(match[1])
        if name == "title":
            return 1
        outline_level = val(child(layout, "outlineLvl"))
        if outline_level:
            level = small_int(outline_level, 9)
            return level + 1 if level < 9 else 0
    return 0


def _first(fonts: list[Element | None], name: str) -> bool:
    states = (toggle(font, name) for font in fonts)
    return bool(next((state for state in states if state is not None), False))


def is_shading(element: Element | None) -> bool:
    """Return whether a w:shd element gives a background other than white."""
    if element is None:
        return False
    fill, theme = attribute(element, "fill").upper(), attribute(element, "themeFill")
    is_pattern = val(element) not in ("", "clear", "nil")
    return is_pattern or bool(theme) or fill not in ("", "AUTO", "FFFFFF")


def _first_value(fonts: list[Element | None], name: str) -> str:
    return next((value for font in fonts if (value := val(child(font, name)))), "")


def _levels(entry: Element) -> dict[int, ListLevel]:
    levels: dict[int, ListLevel] = {}
    for part in entry:
        if local_name(part) == "lvl":
            number_format = val(child(part, "numFmt"))
            start = small_int(val(child(part, "start")), 1)
            level = small_int(attribute(part, "ilvl"))
            levels[level] = ListLevel(number_format not in ("bullet", "none"), start)
    return levels
