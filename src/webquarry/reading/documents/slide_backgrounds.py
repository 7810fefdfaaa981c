"""Whether text on a slide has white behind it: its layout, master, theme and other shapes."""

import re
from functools import cached_property

from webquarry.content.html.dom import Element
from webquarry.reading.documents.ooxml import Relation, related_part, relations
from webquarry.reading.documents.slide_frames import ShapeFrame, shape_frame
from webquarry.reading.documents.zip_archive import Archive, attribute, child, local_name

FILLS = frozenset(("noFill", "solidFill", "gradFill", "blipFill", "pattFill", "grpFill"))
_PAGE_FILLS = FILLS | {"bgRef"}
_WHITE = re.compile(r"(?:F[C-F]){3}", re.IGNORECASE)
_SCHEME_WHITE = frozenset(("bg1", "lt1"))
_OPAQUE = frozenset(("pic", "graphicFrame", "AlternateContent"))
_MAX_COLORED_SHAPES = 500


class SlideTemplates:
    """The layouts, masters and themes of a presentation, each read once."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._trees: dict[str, Element | None] = {}
        self._links: dict[str, dict[str, Relation]] = {}

    def tree(self, name: str) -> Element | None:
        """Return the XML of a part; None if it is missing."""
        if name not in self._trees:
            self._trees[name] = self._archive.optional_tree(name)
        return self._trees[name]

    def related(self, name: str, kind: str) -> str:
        """Return the name of the part of that kind which a part uses; empty without one."""
        if name not in self._links:
            self._links[name] = relations(self._archive, name)
        return related_part(self._links[name], kind)


class SlideBackgrounds:
    """What is behind the text of one slide."""

    def __init__(self, slide: Element, layout: str, templates: SlideTemplates) -> None:
        self._slide = slide
        self._layout = layout
        self._templates = templates
        self._white_frames: dict[ShapeFrame | None, bool] = {}

    def is_white(self, fill: Element) -> bool:
        """Return whether a filling is plain white."""
        color = next(iter(fill), None) if local_name(fill) in ("solidFill", "bgRef") else None
        if color is None or len(color):
            return False  # its parts make it darker or clearer
        value = attribute(color, "val")
        if local_name(color) == "schemeClr":
            return value in _SCHEME_WHITE and self._has_white_theme
        return value == "white" or _WHITE.fullmatch(value) is not None

    def is_white_behind(self, run: Element) -> bool:
        """Return whether a run is on a white slide, with nothing colored behind it."""
        above = list(run.iterancestors())
        tree = next((n for n, part in enumerate(above) if local_name(part) == "spTree"), 0)
        if not tree or any(local_name(part) == "tbl" for part in above):
            return False  # the style of a table may have a color
        frame = shape_frame(above[tree - 1])
        if frame not in self._white_frames:
            self._white_frames[frame] = self._is_white_page and not self._is_colored_at(frame)
        return self._white_frames[frame]

    def _is_colored_at(self, frame: ShapeFrame | None) -> bool:
        frames = self._colored_frames
        return len(frames) > _MAX_COLORED_SHAPES or any(
            frame is None or other is None or frame.overlaps(other) for other in frames
        )

    @cached_property
    def _colored_frames(self) -> list[ShapeFrame | None]:
        trees = (child(source, "cSld", "spTree") for source in self._sources)
        shapes = (shape for tree in trees if tree is not None for shape in tree)
        return [shape_frame(shape) for shape in shapes if self._is_colored(shape)]

    def _is_colored(self, shape: Element) -> bool:
        """Return whether a shape or one inside it may be something else than white or clear."""
        if local_name(shape) in _OPAQUE:
            return True
        if local_name(shape) == "grpSp":
            return any(self._is_colored(part) for part in shape)
        fill = _own_fill(shape)
        if fill is not None:
            return local_name(fill) != "noFill" and not self.is_white(fill)
        reference = child(shape, "style", "fillRef")
        return reference is not None and attribute(reference, "idx") != "0"

    @cached_property
    def _sources(self) -> list[Element]:
        """The slide, its layout and its master."""
        trees = map(self._templates.tree, (self._layout, self._master))
        return [self._slide, *(tree for tree in trees if tree is not None)]

    @cached_property
    def _master(self) -> str:
        return self._templates.related(self._layout, "slideMaster")

    @cached_property
    def _is_white_page(self) -> bool:
        found = (child(source, "cSld", "bg") for source in self._sources)
        background = next((entry for entry in found if entry is not None), None)
        if background is None:
            return True
        fills = (part for part in background.iter() if local_name(part) in _PAGE_FILLS)
        fill = next(fills, None)
        return fill is not None and self.is_white(fill)

    @cached_property
    def _has_white_theme(self) -> bool:
        """Whether the first background color of the theme is white."""
        mapping = child(self._templates.tree(self._master), "clrMap")
        if mapping is not None and attribute(mapping, "bg1") != "lt1":
            return False
        theme = self._templates.related(self._master, "theme")
        light = child(self._templates.tree(theme), "themeElements", "clrScheme", "lt1")
        color = next(iter(light), None) if light is not None else None
        if color is None:
            return False
        return _WHITE.fullmatch(attribute(color, "lastClr") or attribute(color, "val")) is not None


def _own_fill(shape: Element) -> Element | None:
    properties = child(shape, "spPr")
    parts = properties if properties is not None else ()
    return next((part for part in parts if local_name(part) in FILLS), None)
