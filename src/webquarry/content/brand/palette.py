"""The colors a page about a brand names, with the names and roles it gives them."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from webquarry.content.brand.brand_page import BrandLine, BrandPage, is_misuse
from webquarry.content.brand.color_codes import (
    NOTATIONS,
    SHOWN,
    WRITTEN,
    Mention,
    as_hex,
    brightness,
    filling,
    mentions_in,
    without_notation,
)
from webquarry.content.brand.keywords import COLOURS
from webquarry.content.html.dom import Element, name_of
from webquarry.content.text.word_list import words
from webquarry.models.brand import Swatch

MOST = 40
_LISTS = frozenset(("html", "body", "main", "table", "tbody", "ul", "ol", "dl"))
_CARD = 240  # characters of what can still be the card of one color
_LABEL = 48
_DATA = ("data-hex", "data-color", "data-colour", "data-clipboard-text")
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
_NO_NAME = frozenset(
    words(
        "use set for on see with of to from and or is are the a an our we this that in at by as "
        "when if please contrast ratio between against hex rgb code value"
    )
)
# parts of an interface have colors of their own, which are not the brand's
_PARTS = re.compile(r"\b(buttons?|borders?|links?|hover|icons?|shadow|tints?|shades?|gradients?)\b",
                    re.IGNORECASE)  # fmt: skip
_FILLER = re.compile(r"\b(?:brand|colou?rs?|role|usage|the|our)\b", re.IGNORECASE)
_ROLE_WORDS = 3
_MARK = re.compile(
    r"(?:brand[-_])?(?:colou?rs?|swatch(?:es)?|palette)"
    r"(?:[-_](?:palette|card|swatch|hex|grid|info|name|code|value|block|chip|section))?"
)
_AND = re.compile(r"^(?:and|or)\s+", re.IGNORECASE)
_SAID = re.compile(
    r"\b(primary|secondary|accent|background|surface|text)\s+(?:brand\s+)?colou?r\s+is\s+"
    r"(?:(?P<name>[A-Z][\w'-]*(?:\s+[A-Z][\w'-]*){0,3})\s*)?[,(:\s]*#",
)


@dataclass(frozen=True, slots=True)
class _Seen:
    mention: Mention
    line: BrandLine


def palette_of(page: BrandPage, lines: list[BrandLine]) -> list[Swatch]:
    """Return each color once, in the order of the page."""
    is_colour_page = bool(COLOURS.search(page.title))
    seen = [*_in_text(lines, is_colour_page=is_colour_page), *_shown(lines)]
    cards = _Cards(seen, lines)
    found: dict[str, Swatch] = {}
    for each in seen:
        if each.mention.hex in found or cards.is_outdone(each) or cards.is_prose(each):
            continue
        name, role = cards.described(each)
        if each.mention.strength == SHOWN and not name:
            continue  # a filled area that nothing names may be decoration
        found[each.mention.hex] = Swatch(
            hex=each.mention.hex, name=name, role=role, brightness=brightness(each.mention.hex)
        )
    return list(found.values())[:MOST]


def by_role(palette: Iterable[Swatch]) -> dict[str, str]:
    """Return the color of each role that the palette gives to exactly one."""
    roles: defaultdict[str, list[str]] = defaultdict(list)
    for swatch in palette:
        if swatch.role:
            roles[swatch.role].append(swatch.hex)
    wanted = (*_ROLES, "text_secondary")
    return {role: roles[role][0] for role in wanted if len(roles[role]) == 1}


def role_in(text: str) -> str | None:
    """Return the one role that a label states."""
    if _PARTS.search(text) or re.search(r"\bon\b", text, re.IGNORECASE):
        return None
    stated = {match.lastgroup for match in _ROLE.finditer(text)}
    if stated == {"text", "secondary"}:
        return "text_secondary"
    if stated == {"text", "primary"}:
        return "text"
    return stated.pop() if len(stated) == 1 else None


def _is_bare(label: str) -> bool:
    """Tell whether a label states a role and nothing else: `Primary brand color`."""
    return not _FILLER.sub(" ", _ROLE.sub(" ", label)).strip(" :.")


def _is_marked(line: BrandLine) -> bool:
    """Tell whether the markup around a line says that it is about a color."""
    return any(
        _MARK.fullmatch(token)
        for _, element in zip(range(5), _upward(line.holder), strict=False)
        for token in f"{element.get('class') or ''} {element.get('id') or ''}".lower().split()
    )


def _in_text(lines: list[BrandLine], *, is_colour_page: bool) -> Iterator[_Seen]:
    for line in lines:
        if is_misuse(line):
            continue
        told = line.under(COLOURS) or COLOURS.search(line.text) or NOTATIONS.search(line.text)
        if told or is_colour_page or _is_marked(line):
            for mention in mentions_in(line.text):
                yield _Seen(mention, line)


def _shown(lines: list[BrandLine]) -> Iterator[_Seen]:
    """Yield areas that are filled with a color, beside or around a line under such a heading."""
    done: set[Element] = set()
    for line in lines:
        if line.is_heading and not line.above:
            continue
        if not line.under(COLOURS) or is_misuse(line):
            continue
        for element in _around(line.holder):
            if element in done:
                continue
            done.add(element)
            shown = next((as_hex(element.get(name) or "") for name in _DATA if element.get(name)),
                         None) or filling(element.get("style"))  # fmt: skip
            if shown:
                own = BrandLine(line.text, element, line.above)
                yield _Seen(Mention(shown, SHOWN, 0, 0), own)


def _around(holder: Element) -> Iterator[Element]:
    parent = holder.getparent()
    yield holder
    yield from holder.iterdescendants()
    if parent is not None and name_of(parent) not in _LISTS and len(parent) <= 6:
        yield parent
        yield from (each for each in parent if each is not holder)


class _Cards:
    """What stands together with a color: the largest element that has no other."""

    def __init__(self, seen: list[_Seen], lines: list[BrandLine]) -> None:
        self._lines = lines
        self._place = {line: at for at, line in enumerate(lines)}
        self._inside: defaultdict[Element, list[Mention]] = defaultdict(list)
        self._texts: defaultdict[Element, list[BrandLine]] = defaultdict(list)
        self._of_section: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
        for each in seen:
            self._of_section[each.line.above].add(each.mention.hex)
            for element in _upward(each.line.holder):
                self._inside[element].append(each.mention)
        for line in lines:
            for element in _upward(line.holder):
                self._texts[element].append(line)
        self._titles = {
            line.text for each in seen for line in self._texts[self._card(each)] if line.is_heading
        }

    def is_outdone(self, each: _Seen) -> bool:
        """Tell whether the same color is written better right there."""
        return any(
            other.strength > each.mention.strength for other in self._inside[self._card(each)]
        )

    def described(self, each: _Seen) -> tuple[str | None, str | None]:
        """Return the name and the role that the page gives to the color."""
        said = _SAID.search(each.line.text)
        if said and len(mentions_in(each.line.text)) == 1:
            return said["name"], said[1].lower()
        told = self._labels(each)
        labels = [label for label in told if _is_label(label)]
        name = labels[0] if labels else None
        role = role_in(name) if name and len(name.split()) <= _ROLE_WORDS else None
        # what else stands on a card tells where to use the color, unless it is the bare role
        role = role or next(filter(None, map(role_in, filter(_is_bare, labels[1:]))), None)
        if role is None and (labels or not told):  # prose below a heading is not its swatch
            role = next(filter(None, map(role_in, self._headings(each.line))), None)
        return name, role

    def is_prose(self, each: _Seen) -> bool:
        """Tell whether the color is one of several in a sentence, and none of them is named."""
        return len({m.hex for m in mentions_in(each.line.text)}) > 1 and not any(
            map(_is_label, self._labels(each))
        )

    def _headings(self, line: BrandLine) -> list[str]:
        """Return the headings above, nearest first, that speak of colors or stand below one."""
        first = next((n for n, above in enumerate(line.above) if COLOURS.search(above)), None)
        if first is None:
            return []
        # the title of another color's card stands above this one as well, but is not about it
        return [above for above in line.above[first:][::-1] if above not in self._titles]

    def _labels(self, each: _Seen) -> list[str]:
        if each.mention.strength >= WRITTEN - 1:
            own = self._in_line(each)
            if own or len({m.hex for m in mentions_in(each.line.text)}) > 1:
                return [own] if own else []
        card = self._card(each)
        words = [without_notation(line.text) for line in self._texts[card]]
        told = [word for word in words if word]
        attribute = without_notation(card.get("aria-label") or card.get("title") or "")
        return told or ([attribute] if attribute else self._before(each))

    def _in_line(self, each: _Seen) -> str:
        text, mention = each.line.text, each.mention
        others = [m for m in mentions_in(text) if m.hex != mention.hex]
        before = max((m.end for m in others if m.end <= mention.start), default=0)
        if not others:
            return without_notation(text)
        return _AND.sub("", without_notation(text[before : mention.start]))

    def _before(self, each: _Seen) -> list[str]:
        """Return what stands above the color: a term, a line of its own, or a heading for it."""
        at = self._place.get(each.line, 0)
        previous = self._lines[at - 1] if at else None
        if previous and not mentions_in(previous.text):
            beside = previous.holder.getparent() is each.line.holder.getparent()
            alone = len(self._of_section[each.line.above]) == 1 and not COLOURS.search(
                previous.text
            )
            if (beside and not previous.is_heading) or (previous.is_heading and alone):
                return [without_notation(previous.text)]
        return []

    def _card(self, each: _Seen) -> Element:
        card = each.line.holder
        for element in _upward(card):
            if name_of(element) in _LISTS:
                break
            inside = self._inside[element]
            best = max(mention.strength for mention in inside)
            top = {mention.hex for mention in inside if mention.strength == best}
            size = sum(len(line.text) for line in self._texts[element])
            headings = sum(line.is_heading for line in self._texts[element])
            if len(top) > 1 or size > _CARD or headings > 1:
                break
            if any(line.is_heading and COLOURS.search(line.text) for line in self._texts[element]):
                break
            card = element
        return card


def _upward(element: Element) -> Iterator[Element]:
    at: Element | None = element
    while at is not None:
        yield at
        at = at.getparent()


def _is_label(text: str) -> bool:
    """Tell whether words can be a name: few, and not the beginning or the middle of a sentence."""
    parts = text.split()
    if not parts or len(text) > _LABEL or len(parts) > 5 or text.endswith("."):
        return False
    return parts[0].lower() not in _NO_NAME and parts[-1].lower() not in _NO_NAME
