"""Why a person would not see an element: what its attributes and the page's style rules say."""

import re
from functools import cached_property, lru_cache
from itertools import chain

from webquarry.content.html.dom import Element
from webquarry.content.text.word_list import words
from webquarry.content.visibility.css_colors import (
    WHITE,
    Colour,
    colour_of,
    is_see_through,
    looks_same,
)
from webquarry.content.visibility.element_index import ElementIndex
from webquarry.content.visibility.selector_matching import ElementPath, rules_for
from webquarry.content.visibility.stylesheets import Sheet, declarations_of, pieces_of, sheet_of

_HIDING = (
    r"display\s*:\s*none|visibility\s*:\s*(hidden|collapse)|opacity\s*:\s*0*\.?0*\s*(%|;|!|$)"
    r"|font-size\s*:\s*(0*\.?0\d*|1px|1?\.\d+px)\w*\s*(;|!|$)|height\s*:\s*[01](\.0)?(px)?\s*(;|!|$)"
    r"|:\s*-(\d{3,}|\d{2,}\.?\d*(em|rem|vw|vh|%))|scale[xy]?\(\s*0|translate\w*\(\s*-\d{3}"
    r"|clip(-path)?\s*:\s*(rect|inset|circle|polygon)|(^|[^-])color\s*:\s*(transparent|rgba[^)]*[\s,/]0?\.?0*\))"
)
_HIDES = re.compile(_HIDING)
# a quick look, which spares most rules the long one
_GLANCE = re.compile(
    r":\s*(?:none|hidden|collapse|\.?[01]|-|transparent|rgba|rect|inset|circle|polygon|scale|transl)"
    r"|color"
)
_COLOURS = re.compile(r"(?:^|[^-])color\s*:\s*([^;]+)")
_GROUNDS = re.compile(r"background(?:-color)?\s*:\s*([^;]+)")
_DECIDE = {  # what may hide -> what else has a say in it
    "display": ("display",),
    "visibility": ("visibility",),
    "opacity": ("opacity", "transform", "transition", "animation"),
    "font-size": ("font-size",),
    "height": ("height", "overflow", "flex", "min-", "transition"),
    "-": ("position", "left", "top", "right", "bottom", "indent", "margin", "transform"),
    "clip": ("clip",),
    "scale": ("transform",),
    "color": ("color", "background"),
}
_NUMBER = re.compile(r"(-?\d*\.?\d+)\s*(px|em|rem|pt|%|vw|vh|in|cm|)")
_CLIPPED = re.compile(
    r"rect\(\s*(?:[01](?:px)?[\s,]*){4}\)|inset\(\s*(?:50|100)%|circle\(\s*0|polygon\(\s*0(?:px)?\s+0"
    r"(?:px)?\s*,\s*0(?:px)?\s+0"
)
_SCALED = re.compile(r"scale[xy]?\(\s*0(?:\.0+)?\s*[,)]")
_MOVED = re.compile(r"translate(?:3d|x|y)?\(\s*-(\d+)(px|%|vw|vh|em)")
_PIXELS = {"em": 16.0, "rem": 16.0, "pt": 1.33, "vw": 12.0, "vh": 8.0, "%": 8.0, "in": 96.0}
_USUAL = 300  # characters of declarations
_FAR_AWAY = 500  # pixels left of or above the page
_FOR_READERS = frozenset(
    words(
        "sr-only screen-reader-text screen-reader-only visually-hidden visuallyhidden "
        "a11y-hidden u-visually-hidden element-invisible screenreader-only is-visually-hidden "
        "sr_only assistive-text show-for-sr"
    )
)
_ENTRANCE = ("data-w-id", "data-aos", "data-animation", "data-framer-appear-id", "data-scroll")


class VisibilityRules:
    """Looks at elements the way a reader of the page would."""

    def __init__(self, root: Element, survey: ElementIndex) -> None:
        self._root = root
        self._survey = survey
        self._lineage = ElementPath()
        self._signs: set[str] = set()  # by which means something on the page may be hidden
        self._behind: dict[Element, Colour | None] = {}
        # a colour means little while a style sheet we have not read may set what is behind it
        self._knows_all = not any(
            "stylesheet" in (link.get("rel") or "").lower() for link in survey.named["link"]
        )
        sources = [style.text for style in survey.named["style"] if style.text]
        self._pieces = list(chain.from_iterable(map(pieces_of, sources)))
        self._grounds = self._all_grounds() if self._knows_all else frozenset[Colour]()
        glanced = [piece for piece in self._pieces if _is_worth_a_look(piece.body)]
        names = survey.names if glanced else frozenset[str]()
        self._hiding = sheet_of(glanced, names, self._may_hide)

    @cached_property
    def candidates(self) -> list[Element]:
        """The elements worth looking at."""
        root, survey, sheet = self._root, self._survey, self._hiding
        found = [*survey.marked, *survey.named["dialog"]]
        found += [e for e, style in survey.styled if self._may_hide(style.lower())]
        found += survey.classed(_FOR_READERS.union(sheet.by_class))
        found += chain.from_iterable(survey.by_id.get(name, ()) for name in sheet.by_id)
        if sheet.by_tag:
            found += root.iter(*sheet.by_tag)
        return [e for e in dict.fromkeys(found) if len(e) or (e.text or "").strip()]

    def _may_hide(self, body: str) -> bool:
        """Tell whether these declarations, perhaps together with others, can hide text."""
        if _hides(body):
            self._signs.update(sign for sign in _DECIDE if sign in body)
            return True
        if "color" not in body or not (self._knows_all or "background" in body):
            return False
        colour = _plain(_COLOURS.search(body))
        grounds = [found for found in (_plain(_GROUNDS.search(body)), *self._grounds) if found]
        same = colour is not None and any(looks_same(colour, ground) for ground in grounds)
        self._signs.update(("color",) if same else ())
        return same

    def _all_grounds(self) -> frozenset[Colour]:
        """Return every background colour the page sets anywhere, and white."""
        bodies = [piece.body.lower() for piece in self._pieces if "background" in piece.body]
        bodies += [style.lower() for _, style in self._survey.styled]
        found = [_plain(match) for body in bodies for match in [_GROUNDS.search(body)] if match]
        painted = [colour_of(value) for value in self._survey.painted]
        return frozenset(colour for colour in (WHITE, *found, *painted) if colour)

    @cached_property
    def _rules(self) -> Sheet:
        """Every rule that may hide or show a candidate; most pages never need them."""
        near = frozenset[str]().union(*map(self._lineage.of, self.candidates))
        words = tuple({word for sign in self._signs for word in _DECIDE[sign]})
        return sheet_of(self._pieces, near, lambda body: any(word in body for word in words))

    def misses(self, element: Element) -> str | None:
        """Return why the element is not seen, or None when it is."""
        if element.get("hidden") is not None and element.get("hidden") != "until-found":
            return "hidden attribute"
        if element.tag == "dialog" and element.get("open") is None:
            return "closed dialog"
        names = (element.get("class") or "").split()
        if not _FOR_READERS.isdisjoint(names):
            return "for screen readers only"
        style = element.get("style") or ""
        suspect = bool(style) and self._may_hide(style.lower())
        if not suspect and not rules_for(self._hiding, element, self._lineage):
            return None
        return self._hidden_by(element, self._declared(element))

    def _hidden_by(self, element: Element, declared: dict[str, str]) -> str | None:
        why = _not_drawn(element, declared) or _no_size(declared) or _off_screen(declared)
        return why or self._lost_in_colour(element, declared)

    def _declared(self, element: Element) -> dict[str, str]:
        """Return what rules and the style attribute declare, the strongest last."""
        rules = rules_for(self._rules, element, self._lineage)
        declared: dict[str, str] = {}
        for rule in sorted(rules, key=lambda rule: rule.weight):
            declared.update(rule.declarations)
        style = element.get("style")
        return declared | declarations_of(style) if style else declared

    def _lost_in_colour(self, element: Element, declared: dict[str, str]) -> str | None:
        value = declared.get("color")
        if value is None:
            return None
        if is_see_through(value):
            clipped = "background-clip" in declared or "-webkit-background-clip" in declared
            return None if clipped else "transparent text"
        colour, ground = colour_of(value), _ground(declared)
        if colour is None:
            return None
        if ground is None and self._knows_all and not _has_ground(declared):
            ground = self._ground_behind(element)
        same = ground is not None and looks_same(colour, ground)
        return "text in the colour of its background" if same else None

    def _ground_behind(self, element: Element) -> Colour | None:
        """Return the background an element stands on, white where the page sets none."""
        way: list[Element] = []
        above = element.getparent()
        while above is not None and above not in self._behind:
            way.append(above)
            above = above.getparent()
        ground = self._behind[above] if above is not None else WHITE
        for part in reversed(way):
            declared = self._declared(part)
            painted = part.get("bgcolor") or part.get("background")
            if painted or _has_ground(declared):
                ground = _ground(declared) or colour_of(painted or "")
            self._behind[part] = ground
        return ground


@lru_cache(maxsize=4096)  # the rules of a site come back with every page of it
def _known_to_hide(body: str) -> bool:
    return _HIDES.search(body) is not None


def _hides(body: str) -> bool:
    return _known_to_hide(body) if len(body) <= _USUAL else _HIDES.search(body) is not None


@lru_cache(maxsize=4096)
def _known_worth(body: str) -> bool:
    return _GLANCE.search(body) is not None


def _is_worth_a_look(body: str) -> bool:
    return _known_worth(body) if len(body) <= _USUAL else _GLANCE.search(body) is not None


def _plain(found: re.Match[str] | None) -> Colour | None:
    return colour_of(found[1].removesuffix("!important")) if found else None


def _not_drawn(element: Element, declared: dict[str, str]) -> str | None:
    if declared.get("display") == "none":
        return "display: none"
    if declared.get("visibility") in ("hidden", "collapse"):
        return "visibility: hidden"
    if _first_number(declared.get("opacity")) == 0 and not _enters(element, declared):
        return "opacity: 0"
    return None


def _enters(element: Element, declared: dict[str, str]) -> bool:
    """Tell an element that fades in when scrolled to from one that stays unseen."""
    moving = any(name.startswith(("transform", "transition", "animation")) for name in declared)
    return moving or any(element.get(name) is not None for name in _ENTRANCE)


def _no_size(declared: dict[str, str]) -> str | None:
    size = _first_number(declared.get("font-size"))
    if size is not None and size < 2 and "%" not in declared.get("font-size", ""):
        return "zero size" if size < 0.1 or "px" in declared["font-size"] else None
    if _is_flat(declared):
        return "zero size"
    if _SCALED.search(declared.get("transform", "")):
        return "zero size"
    clip = f"{declared.get('clip', '')} {declared.get('clip-path', '')}"
    return "clipped away" if _CLIPPED.search(clip) else None


def _is_flat(declared: dict[str, str]) -> bool:
    """Tell whether what overflows a box without height is cut off."""
    if "hidden" not in declared.get("overflow", "") + declared.get("overflow-y", ""):
        return False
    if any(name.startswith(("flex", "min-", "transition")) for name in declared):
        return False  # its size is decided elsewhere
    for name in ("height", "max-height"):
        extent = _first_number(declared.get(name))
        if extent is not None and extent <= 1 and "%" not in declared[name]:
            return True
    return False


def _off_screen(declared: dict[str, str]) -> str | None:
    names = ["text-indent", "margin-left", "margin-top"]
    if declared.get("position") in ("absolute", "fixed"):
        names += ["left", "top", "right", "bottom"]
    for name in names:
        if _pixels(declared.get(name)) <= -_FAR_AWAY:
            return "off screen"
    moved = _MOVED.search(declared.get("transform", ""))
    if moved and float(moved[1]) * _PIXELS.get(moved[2], 1) >= 2 * _FAR_AWAY:
        return "off screen"
    return None


def _has_ground(declared: dict[str, str]) -> bool:
    return any(name.startswith("background") for name in declared)


def _ground(declared: dict[str, str]) -> Colour | None:
    value = declared.get("background-color") or declared.get("background")
    return colour_of(value) if value else None


def _first_number(value: str | None) -> float | None:
    found = _NUMBER.match(value or "")
    return float(found[1]) if found else None


def _pixels(value: str | None) -> float:
    found = _NUMBER.match(value or "")
    return float(found[1]) * _PIXELS.get(found[2], 1.0) if found else 0.0
