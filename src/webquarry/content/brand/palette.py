"""Finds the colors on a page about a brand, with their names and roles."""

import re
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, dropwhile, islice, takewhile

from webquarry.content.brand.brand_page import BrandLine, BrandPage, is_misuse
from webquarry.content.brand.color_codes import (
    AS_FILLED_AREA,
    NOTATIONS,
    Mention,
    as_hex,
    background_color,
    brightness,
    mentions_in,
    without_notation,
)
from webquarry.content.brand.keywords import COLOURS
from webquarry.content.html.dom import Element, tag_of
from webquarry.content.text.word_list import word_set
from webquarry.models.brand import Swatch

MAX_SWATCHES = 40
_CONTAINER_TAGS = frozenset(("html", "body", "main", "table", "tbody", "ul", "ol", "dl"))
_MAX_CARD_CHARS = 240
_MAX_LABEL_CHARS = 48
_DATA_ATTRIBUTES = ("data-hex", "data-color", "data-colour", "data-clipboard-text")
_ROLES = {
    "primary": r"primary|main|prim\u00e4r\w*|hauptfarben?|primaire|principale?|primari[oa]",
    "secondary": r"secondary|sekund\u00e4r\w*|secondaire|secundari[oa]|secondari[oa]",
    "accent": r"accents?|akzent\w*|acento",
    "background": r"backgrounds?|hintergrund|fond|fondo",
    "surface": r"surfaces?",
    "text": r"(?:body )?text|copy",
}
_ROLE = re.compile(
    "|".join(f"(?P<{role}>\\b(?:{words})\\b)" for role, words in _ROLES.items()), re.IGNORECASE
)
_NOT_NAME_EDGES = word_set(
    "use set for on see with of to from and or is are the a an our we this that in at by as "
    "when if please contrast ratio between against hex rgb code value"
)
# colors of interface parts are not brand colors
_INTERFACE_PARTS = re.compile(
    r"\b(buttons?|borders?|links?|hover|icons?|shadow|tints?|shades?|gradients?|on)\b",
    re.IGNORECASE,
)
_FILLER = re.compile(r"\b(?:brand|colou?rs?|role|usage|the|our)\b", re.IGNORECASE)
_MAX_ROLE_WORDS = 3
_COLOR_CLASS = re.compile(
    r"(?:brand[-_])?(?:colou?rs?|swatch(?:es)?|palette)"
    r"(?:[-_](?:palette|card|swatch|hex|grid|info|name|code|value|block|chip|section))?"
)
_CONJUNCTION = re.compile(r"^(?:and|or)\s+", re.IGNORECASE)
_STATED_ROLE = re.compile(
    r"\b(primary|secondary|accent|background|surface|text)\s+(?:brand\s+)?colou?r\s+is\s++"
    r"(?:(?P<name>[A-Z][\w'-]*(?:\s+[A-Z][\w'-]*){0,3})\s*+)?[,(:\s]*+#",
)


@dataclass(frozen=True, slots=True)
class _ColorUse:
    mention: Mention
    line: BrandLine


def palette_of(page: BrandPage, lines: list[BrandLine]) -> list[Swatch]:
    """Return each color once, in page order."""
    is_colour_page = bool(COLOURS.search(page.title))
    uses = [*_in_lines(lines, is_colour_page=is_colour_page), *_filled_areas(lines)]
    cards = _Cards(uses, lines)
    swatches: dict[str, Swatch] = {}
    for use in uses:
        hex_ = use.mention.hex
        if hex_ in swatches or cards.has_better(use) or cards.is_prose(use):
            continue
        name, role = cards.name_and_role(use)
        # a filled area without a name may be decoration
        if name or use.mention.strength != AS_FILLED_AREA:
            swatches[hex_] = Swatch(hex=hex_, name=name, role=role, brightness=brightness(hex_))
    return list(swatches.values())[:MAX_SWATCHES]


def by_role(palette: Iterable[Swatch]) -> dict[str, str]:
    """Return the color of each role that exactly one color of the palette has."""
    roles: defaultdict[str, list[str]] = defaultdict(list)
    for swatch in palette:
        if swatch.role:
            roles[swatch.role].append(swatch.hex)
    return {role: roles[role][0] for role in (*_ROLES, "text_secondary") if len(roles[role]) == 1}


def role_in(text: str) -> str | None:
    """Return the role that a label states; None if there is none or it is ambiguous."""
    if _INTERFACE_PARTS.search(text):
        return None
    stated = {match.lastgroup for match in _ROLE.finditer(text)}
    if stated == {"text", "secondary"}:
        return "text_secondary"
    if stated == {"text", "primary"}:
        return "text"
    return stated.pop() if len(stated) == 1 else None


def _is_role_only(label: str) -> bool:
    """Tell whether a label states a role and nothing else: `Primary brand color`."""
    return not _FILLER.sub(" ", _ROLE.sub(" ", label)).strip(" :.")


def _has_color_class(line: BrandLine) -> bool:
    """Tell whether a class or id around a line names a color, swatch or palette."""
    elements = list(islice(_with_ancestors(line.element), 5))
    names = " ".join(e.get(name, "") for e in elements for name in ("class", "id"))
    return any(map(_COLOR_CLASS.fullmatch, names.lower().split()))


def _in_lines(lines: list[BrandLine], *, is_colour_page: bool) -> Iterator[_ColorUse]:
    for line in lines:
        if is_misuse(line):
            continue
        has_keyword = COLOURS.search(line.text) or NOTATIONS.search(line.text)
        is_about_color = is_colour_page or has_keyword or line.is_under(COLOURS)
        if is_about_color or _has_color_class(line):
            for mention in mentions_in(line.text):
                yield _ColorUse(mention, line)


def _filled_areas(lines: list[BrandLine]) -> Iterator[_ColorUse]:
    """Yield elements filled with a color near the lines of sections about colors."""
    nearby: dict[Element, BrandLine] = {}  # the first line that each element is near
    for line in lines:
        if line.is_under(COLOURS) and not is_misuse(line):
            for element in _nearby(line.element):
                nearby.setdefault(element, line)
    for element, line in nearby.items():
        if color := _fill_color(element):
            area = BrandLine(line.text, element, line.headings)
            yield _ColorUse(Mention(color, AS_FILLED_AREA, 0, 0), area)


def _fill_color(element: Element) -> str | None:
    declared = next(filter(None, map(element.get, _DATA_ATTRIBUTES)), "")
    return as_hex(declared) or background_color(element.get("style"))


def _nearby(element: Element) -> Iterator[Element]:
    parent = element.getparent()
    yield element
    yield from element.iterdescendants()
    if parent is not None and tag_of(parent) not in _CONTAINER_TAGS and len(parent) <= 6:
        yield parent
        yield from (sibling for sibling in parent if sibling is not element)


class _Cards:
    """Finds the card of a color: the largest element around it that has no other color."""

    def __init__(self, uses: list[_ColorUse], lines: list[BrandLine]) -> None:
        self._lines = lines
        self._line_indexes = {line: index for index, line in enumerate(lines)}
        self._mentions: defaultdict[Element, list[Mention]] = defaultdict(list)
        self._texts: defaultdict[Element, list[BrandLine]] = defaultdict(list)
        self._section_colors: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
        for use in uses:
            self._section_colors[use.line.headings].add(use.mention.hex)
            for element in _with_ancestors(use.line.element):
                self._mentions[element].append(use.mention)
        for line in lines:
            for element in _with_ancestors(line.element):
                self._texts[element].append(line)
        card_lines = (line for use in uses for line in self._texts[self._card(use)])
        self._card_titles = {line.text for line in card_lines if line.is_heading}

    def has_better(self, use: _ColorUse) -> bool:
        """Tell whether the card has a more reliable mention of the color."""
        mentions = self._mentions[self._card(use)]
        return any(mention.strength > use.mention.strength for mention in mentions)

    def name_and_role(self, use: _ColorUse) -> tuple[str | None, str | None]:
        """Return the name and the role that the page gives to the color."""
        stated = _STATED_ROLE.search(use.line.text)
        if stated and len(mentions_in(use.line.text)) == 1:
            return stated["name"], stated[1].lower()
        texts = self._labels(use)
        labels = [text for text in texts if _is_label(text)]
        role = _role_of(labels)
        if role is None and (labels or not texts):  # a heading does not describe prose below it
            role = next(filter(None, map(role_in, self._color_headings(use.line))), None)
        return labels[0] if labels else None, role

    def is_prose(self, use: _ColorUse) -> bool:
        """Tell whether the color is one of several in a sentence without names."""
        return _has_several(use.line.text) and not any(map(_is_label, self._labels(use)))

    def _color_headings(self, line: BrandLine) -> list[str]:
        """Return the headings, nearest first, from the first one about colors on."""
        headings = dropwhile(lambda heading: not COLOURS.search(heading), line.headings)
        # the title of a previous card is not about this color
        return [each for each in headings if each not in self._card_titles][::-1]

    def _labels(self, use: _ColorUse) -> list[str]:
        if use.mention.strength > AS_FILLED_AREA:
            own = _label_in_line(use)
            if own or _has_several(use.line.text):
                return [own] if own else []
        card = self._card(use)
        texts = filter(None, [without_notation(line.text) for line in self._texts[card]])
        attribute = without_notation(card.get("aria-label") or card.get("title", ""))
        return [*texts] or ([attribute] if attribute else self._label_before(use))

    def _label_before(self, use: _ColorUse) -> list[str]:
        """Return the line before the color if it is its term, its line or its heading."""
        index = self._line_indexes.get(use.line, 0)
        previous = self._lines[index - 1] if index else None
        if previous is None or mentions_in(previous.text):
            return []
        if previous.is_heading:
            only_color = len(self._section_colors[use.line.headings]) == 1
            is_label = only_color and not COLOURS.search(previous.text)
        else:
            is_label = previous.element.getparent() is use.line.element.getparent()
        return [without_notation(previous.text)] if is_label else []

    def _card(self, use: _ColorUse) -> Element:
        ancestors = takewhile(self._may_be_card, _with_ancestors(use.line.element))
        return next(iter(deque(ancestors, maxlen=1)), use.line.element)

    def _may_be_card(self, element: Element) -> bool:
        if tag_of(element) in _CONTAINER_TAGS or not self._has_one_color(element):
            return False
        lines = self._texts[element]
        headings = [line.text for line in lines if line.is_heading]
        if len(headings) > 1 or any(map(COLOURS.search, headings)):
            return False
        return sum(len(line.text) for line in lines) <= _MAX_CARD_CHARS

    def _has_one_color(self, element: Element) -> bool:
        """Tell whether the most reliable mentions in an element are of one color."""
        mentions = self._mentions[element]
        best = max(mention.strength for mention in mentions)
        return len({mention.hex for mention in mentions if mention.strength == best}) == 1


def _has_several(text: str) -> bool:
    return len({mention.hex for mention in mentions_in(text)}) > 1


def _label_in_line(use: _ColorUse) -> str:
    text, mention = use.line.text, use.mention
    others = [other for other in mentions_in(text) if other.hex != mention.hex]
    if not others:
        return without_notation(text)
    start = max((other.end for other in others if other.end <= mention.start), default=0)
    return _CONJUNCTION.sub("", without_notation(text[start : mention.start]))


def _role_of(labels: list[str]) -> str | None:
    """Return the role that a short name states, else a label that is only a role."""
    candidates = [label for label in labels[:1] if len(label.split()) <= _MAX_ROLE_WORDS]
    # other texts of a card tell where to use the color, not its role
    candidates += filter(_is_role_only, labels[1:])
    return next(filter(None, map(role_in, candidates)), None)


def _with_ancestors(element: Element) -> Iterator[Element]:
    return chain((element,), element.iterancestors())


def _is_label(text: str) -> bool:
    """Tell whether a text can be a name: short, and not part of a sentence."""
    parts = text.split()
    if not parts or len(text) > _MAX_LABEL_CHARS or len(parts) > 5 or text.endswith("."):
        return False
    return parts[0].lower() not in _NOT_NAME_EDGES and parts[-1].lower() not in _NOT_NAME_EDGES
