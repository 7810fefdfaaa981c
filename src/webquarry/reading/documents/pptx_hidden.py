"""Removes what nobody sees on a slide: hidden shapes, shapes beside it, tiny and white text."""

import re
from collections import Counter
from collections.abc import Iterable

from webquarry.content.html.dom import Element
from webquarry.reading.documents.ooxml import related_part, relations
from webquarry.reading.documents.zip_archive import Archive, attribute, child, local_name, text

_WHITE = re.compile(r"(?:F[C-F]){3}", re.IGNORECASE)
_MAX_TINY_SIZE = 200  # hundredths of a point
_SHAPES = frozenset(("sp", "grpSp", "graphicFrame", "pic", "cxnSp"))
_FILLS = frozenset(("solidFill", "gradFill", "blipFill", "pattFill"))
_LIGHT = frozenset(("bg1", "lt1"))

Size = tuple[int, int]


def slide_size(presentation: Element) -> Size | None:
    """Return width and height of the slides; None if the file does not say."""
    entry = child(presentation, "sldSz")
    return None if entry is None else _pair(entry, "cx", "cy")


def remove_hidden_text(
    archive: Archive, name: str, tree: Element, size: Size | None
) -> Counter[str]:
    """Remove what a reader cannot see from a slide; return the places by reason."""
    removed: Counter[str] = Counter()
    shapes = child(tree, "cSld", "spTree")
    for shape in list(shapes if shapes is not None else ()):
        if local_name(shape) in _SHAPES and _is_off_slide(shape, size):
            _count(removed, "text beside the slide", shape)
            _drop(shape)
    for shape in [part for part in tree.iter() if local_name(part) in _SHAPES]:
        if _is_hidden(shape):
            _count(removed, "hidden text", shape)
            _drop(shape)
    for run in [part for part in tree.iter() if local_name(part) in ("r", "fld")]:
        font = child(run, "rPr")
        reason = "" if font is None else _hidden_reason(font)
        if reason == "white text" and not _is_on_white(archive, name, tree, run):
            continue
        if reason:
            removed[reason] += 1
            _drop(run)
    return removed


def _count(removed: Counter[str], reason: str, shape: Element) -> None:
    if text(shape):
        removed[reason] += 1


def _drop(element: Element) -> None:
    parent = element.getparent()
    if parent is not None:
        parent.remove(element)


def _is_hidden(shape: Element) -> bool:
    for part in shape:
        if local_name(part).startswith("nv"):
            properties = child(part, "cNvPr")
            return properties is not None and attribute(properties, "hidden") in ("1", "true")
    return False


def _is_off_slide(shape: Element, size: Size | None) -> bool:
    """Return whether no part of a shape is on the slide."""
    holder = next((p for p in shape if local_name(p) in ("spPr", "grpSpPr", "xfrm")), None)
    frame = holder if holder is None or local_name(holder) == "xfrm" else child(holder, "xfrm")
    offset, extent = child(frame, "off"), child(frame, "ext")
    if size is None or offset is None or extent is None:
        return False  # the place comes from the layout
    start, length = _pair(offset, "x", "y"), _pair(extent, "cx", "cy")
    if start is None or length is None:
        return False
    return any(
        begin >= limit or (begin < 0 and begin + max(span, 0) <= 0)
        for begin, span, limit in zip(start, length, size, strict=True)
    )


def _pair(element: Element, *names: str) -> Size | None:
    first, second = (attribute(element, name) for name in names)
    if not all(re.fullmatch(r"-?\d{1,12}", value) for value in (first, second)):
        return None
    return int(first), int(second)


def _hidden_reason(font: Element) -> str:
    size = attribute(font, "sz")
    if size.isdecimal() and int(size[:9]) <= _MAX_TINY_SIZE:
        return "tiny text"
    color = child(font, "solidFill", "srgbClr")
    alpha = child(color, "alpha")
    if alpha is not None and attribute(alpha, "val") in ("0", "0%"):
        return "transparent text"
    is_white = color is not None and _WHITE.fullmatch(attribute(color, "val")) is not None
    return "white text" if is_white and child(font, "highlight") is None else ""


def _is_on_white(archive: Archive, name: str, tree: Element, run: Element) -> bool:
    """Return whether the text is on a white slide with no filled shape or image behind it."""
    if any(local_name(above) == "tbl" for above in run.iterancestors()):
        return False  # the style of a table may have a color
    sources = [tree, *_masters(archive, name)]
    return _has_white_background(archive, name, sources) and not any(
        _may_fill(source) for source in sources
    )


def _masters(archive: Archive, name: str) -> Iterable[Element]:
    """Return the layout and the master of a slide."""
    layout = related_part(relations(archive, name), "slideLayout")
    master = related_part(relations(archive, layout), "slideMaster") if layout else ""
    trees = (archive.optional_tree(part) for part in (layout, master) if part)
    return [tree for tree in trees if tree is not None]


def _has_white_background(archive: Archive, name: str, sources: list[Element]) -> bool:
    found = (child(source, "cSld", "bg") for source in sources)
    background = next((entry for entry in found if entry is not None), None)
    if background is None:
        return True
    colors = [part for part in background.iter() if local_name(part) in ("srgbClr", "schemeClr")]
    if len(colors) != 1 or any(
        local_name(part) in ("gradFill", "blipFill") for part in background.iter()
    ):
        return False
    value = attribute(colors[0], "val")
    if local_name(colors[0]) == "srgbClr":
        return _WHITE.fullmatch(value) is not None
    return value in _LIGHT and _is_light_theme(archive, name)


def _is_light_theme(archive: Archive, name: str) -> bool:
    """Return whether the first background color of the theme is white."""
    layout = related_part(relations(archive, name), "slideLayout")
    master = related_part(relations(archive, layout), "slideMaster") if layout else ""
    theme = related_part(relations(archive, master), "theme") if master else ""
    tree = archive.optional_tree(theme) if theme else None
    mapping = child(archive.optional_tree(master), "clrMap") if master else None
    if mapping is not None and attribute(mapping, "bg1") != "lt1":
        return False
    light = child(tree, "themeElements", "clrScheme", "lt1")
    values = [attribute(entry, "lastClr") or attribute(entry, "val")
              for entry in (light if light is not None else ())]  # fmt: skip
    return any(_WHITE.fullmatch(value) for value in values)


def _may_fill(tree: Element) -> bool:
    """Return whether a shape or image may be behind the text."""
    for shape in tree.iter():
        name = local_name(shape)
        if name == "pic" or (name == "sp" and child(shape, "style", "fillRef") is not None):
            return True
        if name == "spPr" and any(local_name(part) in _FILLS for part in shape):
            return True
    return False
