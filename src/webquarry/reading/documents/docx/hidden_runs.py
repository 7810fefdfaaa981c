"""Which runs of a Word document a reader cannot see."""

import re

from webquarry.content.html.dom import Element
from webquarry.reading.documents.docx.styles import (
    WordStyle,
    is_shading,
    small_int,
    toggle,
    val,
)
from webquarry.reading.documents.zip_archive import attribute, child, local_name

_MAX_TINY_SIZE = 4  # half points
_MIN_SCALE = 5  # percent of the usual width of characters
_WHITE = re.compile(r"(?:F[C-F]){3}", re.IGNORECASE)


def hidden_reason_of(
    run: Element, font: Element | None, style: WordStyle, paragraph: WordStyle
) -> str:
    """Return why a reader cannot see the run; empty if they can."""
    if _is_marked_hidden(font, style, paragraph):
        return "hidden text"
    if _is_tiny(font, style, paragraph):
        return "tiny text"
    is_visible = not _is_white(font, style, paragraph) or style.shaded or paragraph.shaded
    return "" if is_visible or _is_shaded(run, font) else "white text"


def _is_marked_hidden(font: Element | None, style: WordStyle, paragraph: WordStyle) -> bool:
    hidden = toggle(font, "vanish")
    if toggle(font, "specVanish"):
        return True
    return style.hidden or paragraph.hidden if hidden is None else hidden


def _is_tiny(font: Element | None, style: WordStyle, paragraph: WordStyle) -> bool:
    size = val(child(font, "sz")) or style.size or paragraph.size
    return 0 < small_int(size, 99) <= _MAX_TINY_SIZE or _is_squeezed(font)


def _is_squeezed(font: Element | None) -> bool:
    return 0 < small_int(val(child(font, "w")).rstrip("%"), 100) < _MIN_SCALE


def _is_white(font: Element | None, style: WordStyle, paragraph: WordStyle) -> bool:
    color = val(child(font, "color")) or style.color or paragraph.color
    return _WHITE.fullmatch(color) is not None


def is_hidden_shape(part: Element) -> bool:
    """Return whether an image or text box is marked as hidden."""
    properties = (shape for shape in part.iter() if local_name(shape) == "docPr")
    first = next(properties, None)
    return first is not None and attribute(first, "hidden") in ("1", "true")


def _is_shaded(run: Element, font: Element | None) -> bool:
    """Return whether the background of the run may not be white."""
    if _is_highlighted(font):
        return True
    for ancestor in run.iterancestors():
        name = local_name(ancestor)
        layout = child(ancestor, f"{name}Pr") if name in ("p", "tc", "tr", "tbl") else None
        shading = child(layout, "shd")
        if is_shading(shading) or name == "txbxContent" or _has_background(ancestor, name):
            return True
        if name == "tc" and shading is not None:
            return False  # the cell is white, whatever the style of its table is
    return False


def _is_highlighted(font: Element | None) -> bool:
    highlight = val(child(font, "highlight"))
    return highlight not in ("", "none", "white") or is_shading(child(font, "shd"))


def _has_background(ancestor: Element, name: str) -> bool:
    """Return whether a table style or the page may have a color."""
    if name == "tbl":
        return val(child(ancestor, "tblPr", "tblStyle")) not in ("", "TableGrid", "TableNormal")
    return name == "document" and child(ancestor, "background") is not None
