"""Compares the colour of a text with the background behind it."""

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import islice, takewhile

from webquarry.content.html.dom import Element
from webquarry.content.visibility.css_colors import (
    WHITE,
    Colour,
    is_indistinguishable,
    is_transparent,
    parse_colour,
)

SAME_COLOUR = "text in the colour of its background"
TRANSPARENT = "transparent text"
_TEXT_COLOUR = re.compile(r"(?:^|[^-a-z])color\s*:\s*([^;]{1,200})", re.IGNORECASE)
_BACKGROUND = re.compile(r"background(?:-color)?\s*:\s*([^;]{1,300})", re.IGNORECASE)
_MAYBE_CLEAR = re.compile(
    r":\s*+(?:transparent|[a-z-]{1,20}\(|#(?:[0-9a-f]{4}|[0-9a-f]{8})(?![0-9a-f]))|/\*|\\"
)
_OWN_COLOUR = re.compile(r"background(?:-color)?\s*:\s*currentcolor")
_MAX_LEVELS = 6
_PAGE_PARTS = frozenset(("html", "body", "main", "article", "table", "ul", "ol"))
Resolve = Callable[[str], Iterable[str]]  # the values that one with variables may have


class TextColours:
    """The colours of a page whose style sheets are all known, or of single elements."""

    def __init__(self, declared: Callable[[Element], Mapping[str, str]]) -> None:
        self._declared = declared
        self._inherited: dict[Element, Colour | None] = {}
        self.backgrounds = frozenset[Colour]()  # all that the page sets; empty if unknown

    def note_backgrounds(
        self, bodies: Iterable[str], attributes: Iterable[str], resolve: Resolve
    ) -> None:
        """Remember every background colour the page sets anywhere, and white."""
        values = chain_values(_BACKGROUND, bodies, resolve)
        found = [parse_colour(value) for value in (*values, *attributes)]
        self.backgrounds = frozenset(colour for colour in (WHITE, *found) if colour)

    def may_matter(self, body: str) -> bool:
        """Tell quickly whether the colours in declarations in lower case may hide text."""
        if "olor" not in body:
            return False
        is_compared = bool(self.backgrounds) or "background" in body
        return _MAYBE_CLEAR.search(body) is not None or (is_compared and "color" in body)

    def may_hide(self, body: str, resolve: Resolve) -> bool:
        """Tell whether the declarations set a text colour that some background has."""
        values = chain_values(_TEXT_COLOUR, (body,), resolve)
        is_own = bool(values) and "background" in body
        own = chain_values(_BACKGROUND, (body,), resolve) if is_own else ()
        known = {*self.backgrounds, *filter(None, map(parse_colour, own))}
        for value in values:
            colour = parse_colour(value)
            if is_transparent(value):
                return True
            if colour and any(is_indistinguishable(colour, other) for other in known):
                return True
        return "currentcolor" in body and _OWN_COLOUR.search(body) is not None

    def reason(self, element: Element, declared: Mapping[str, str]) -> str | None:
        """Return why the colour makes the text of the element invisible."""
        value = declared.get("text-fill-color") or declared.get("color") or _colour_of(element)
        if not value:
            return None
        if is_transparent(value):
            return None if "text" in declared.get("background-clip", "") else TRANSPARENT
        colour = parse_colour(value)
        if colour is None:
            return None
        background = self._background(element, declared, colour)
        is_same = background is not None and is_indistinguishable(colour, background)
        return SAME_COLOUR if is_same else None

    def _background(
        self, element: Element, declared: Mapping[str, str], colour: Colour
    ) -> Colour | None:
        own = declared.get("background-color") or declared.get("background")
        if own and "currentcolor" in own:
            return colour
        background = parse_colour(own) if own else None
        if background is None and self.backgrounds and not has_background(declared):
            return None if _may_be_over_image(element) else self._behind(element)
        return background

    def _behind(self, element: Element) -> Colour | None:
        """Return the background behind an element, white if the page sets none."""
        known = self._inherited
        path: list[Element] = []
        ancestor = element.getparent()
        while ancestor is not None and ancestor not in known:
            path.append(ancestor)
            ancestor = ancestor.getparent()
        background = known[ancestor] if ancestor is not None else WHITE
        for part in reversed(path):
            declared = self._declared(part)
            attribute = part.get("bgcolor") or part.get("background")
            if attribute or has_background(declared):
                own = declared.get("background-color") or declared.get("background")
                background = parse_colour(own or attribute or "")
            known[part] = background
        return background


def _may_be_over_image(element: Element) -> bool:
    """Tell whether a picture near the text may be its background."""
    near = islice(element.iterancestors(), _MAX_LEVELS)
    boxes = takewhile(lambda box: box.tag not in _PAGE_PARTS, near)
    return any(next(box.iter("img", "picture", "video", "svg"), None) is not None for box in boxes)


def chain_values(pattern: re.Pattern[str], bodies: Iterable[str], resolve: Resolve) -> list[str]:
    """Return the values of a property in these declarations, without variables."""
    found: list[str] = []
    for body in bodies:
        for match in pattern.finditer(body):
            value = match[1].partition("!")[0].rstrip()
            found += resolve(value) if "var(" in value.lower() else (value,)
    return found


def has_background(declared: Mapping[str, str]) -> bool:
    """Tell whether the declarations set a background."""
    return any(name.startswith("background") for name in declared)


def _colour_of(element: Element) -> str | None:
    return element.get("color") if element.tag == "font" else None
