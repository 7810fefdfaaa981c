"""Removes what nobody sees on a slide: hidden and misplaced shapes, tiny, clear and white text."""

import re
from collections import Counter
from collections.abc import Iterable

from webquarry.content.html.dom import Element
from webquarry.reading.documents.slide_backgrounds import FILLS, SlideBackgrounds
from webquarry.reading.documents.slide_frames import SlideSize, is_beside_slide
from webquarry.reading.documents.zip_archive import attribute, child, local_name, text

_SHAPES = frozenset(("sp", "grpSp", "graphicFrame", "pic", "cxnSp"))
_RUNS = frozenset(("r", "fld"))
_MAX_TINY_SIZE = 200  # hundredths of a point
_ZERO = re.compile(r"0{1,9}%?")


def remove_hidden(
    shapes: Element, number: int, size: SlideSize | None, backgrounds: SlideBackgrounds
) -> Counter[str]:
    """Remove what a reader cannot see from a slide; return the places with text by reason."""
    beside = [shape for shape in shapes if size is not None and is_beside_slide(shape, size)]
    removed = Counter(f"text beside slide {number}" for _ in _removed(beside))
    hidden = [shape for shape in _parts(shapes, _SHAPES) if _is_hidden(shape)]
    removed.update("hidden text" for _ in _removed(hidden))
    reasons = {
        run: reason for run in _parts(shapes, _RUNS) if (reason := _reason(run, backgrounds))
    }
    removed.update(reasons[run] for run in _removed(reasons))
    return removed


def _parts(shapes: Element, names: frozenset[str]) -> list[Element]:
    return [part for part in shapes.iter() if local_name(part) in names]


def _removed(parts: Iterable[Element]) -> list[Element]:
    """Remove parts of a slide; return those with text or an image."""
    counted: list[Element] = []
    for part in parts:
        parent = part.getparent()
        if parent is not None:
            counted += [part] if text(part) or local_name(part) == "pic" else []
            parent.remove(part)
    return counted


def _is_hidden(shape: Element) -> bool:
    names = (part for part in shape if local_name(part).startswith("nv"))
    properties = child(next(names, None), "cNvPr")
    return properties is not None and attribute(properties, "hidden") in ("1", "true")


def _reason(run: Element, backgrounds: SlideBackgrounds) -> str:
    """Return why a reader cannot see a run; empty if they can."""
    fonts = _fonts(run)
    if _is_tiny(fonts):
        return "tiny text"
    fill = _fill(fonts)
    if fill is None or _is_highlighted(fonts):
        return ""
    if _is_clear(fill):
        return "transparent text"
    is_white = backgrounds.is_white(fill) and backgrounds.is_white_behind(run)
    return "white text" if is_white else ""


def _fonts(run: Element) -> list[Element]:
    """Return the properties of a run and those that its text box gives to its level."""
    layout = child(run.getparent(), "pPr")
    level = "" if layout is None else attribute(layout, "lvl")
    bodies = (above for above in run.iterancestors() if local_name(above) == "txBody")
    styles = child(next(bodies, None), "lstStyle")
    name = f"lvl{int(level) + 1 if re.fullmatch('[0-8]', level) else 1}pPr"
    found = (child(run, "rPr"), child(styles, name, "defRPr"))
    return [font for font in found if font is not None]


def _is_tiny(fonts: list[Element]) -> bool:
    size = next((size for font in fonts if (size := attribute(font, "sz"))), "")
    return size.isdecimal() and int(size[:9]) <= _MAX_TINY_SIZE


def _fill(fonts: list[Element]) -> Element | None:
    """Return how the letters are filled; None if the layout decides."""
    return next((part for font in fonts for part in font if local_name(part) in FILLS), None)


def _is_highlighted(fonts: list[Element]) -> bool:
    """Return whether something else than the filling of the letters can be seen."""
    return any(child(font, name) is not None for font in fonts for name in ("highlight", "ln"))


def _is_clear(fill: Element) -> bool:
    alphas = [attribute(part, "val") for part in fill.iter() if local_name(part) == "alpha"]
    return local_name(fill) == "noFill" or any(map(_ZERO.fullmatch, alphas))
