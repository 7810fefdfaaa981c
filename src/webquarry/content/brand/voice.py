"""Finds the tone of voice of a brand in its guidelines."""

import re
from collections.abc import Iterable
from typing import Literal, NamedTuple

from webquarry.content.brand.brand_page import BrandLine, BrandPage
from webquarry.content.brand.keywords import VOICE
from webquarry.content.html.dom import Element, tag_of, text_of
from webquarry.models.brand import Tone

_DO = re.compile(r"\W*(?:the )?(?:do|do[\u2019']?s|dos|do this)\W*", re.IGNORECASE)
_DONT = re.compile(
    r"\W*(?:the )?(?:don[\u2019']?ts?|do not|avoid|never|not this)\W*", re.IGNORECASE
)
_DOS_AND_DONTS = re.compile(r"\bdo[\u2019']?s? (?:and|&) don[\u2019']?ts?\b", re.IGNORECASE)
_LEAD_WORD = re.compile(r"([A-Z][\w' -]{1,40}?)\s*[:.\u2013\u2014]\s+\S")
# `Do: be brief.` and `Don't: shout.`
_PREFIX = re.compile(
    r"\W{0,8}(do|don[\u2019']?t|do not|avoid)\s*[:\u2013\u2014]\s+(?=\S)", re.IGNORECASE
)
Side = Literal["dos", "donts"]
_MAX_ITEMS = 12
_MAX_SUMMARY_CHARS = 600


class _Rule(NamedTuple):
    side: Side
    text: str


def tone_of(page: BrandPage, lines: list[BrandLine]) -> Tone | None:
    """Return the tone of voice that the page describes, or None."""
    whole_page = bool(VOICE.search(page.title))
    section = [line for line in lines if whole_page or _is_in_voice_section(line)]
    rules = _rules(section)
    direct = [
        line
        for line in section
        if id(line) not in rules and _is_direct(line, whole_page=whole_page)
    ]
    tone = Tone(
        summary=_summary(direct),
        attributes=tuple(dict.fromkeys(_attributes(direct)))[:_MAX_ITEMS],
        dos_and_donts=_dos_and_donts(rules.values()),
    )
    return tone if tone != Tone() else None


def _dos_and_donts(rules: Iterable[_Rule | None]) -> dict[Side, tuple[str, ...]] | None:
    texts: dict[Side, list[str]] = {"dos": [], "donts": []}
    for rule in filter(None, rules):
        texts[rule.side].append(rule.text)
    if not any(texts.values()):
        return None
    return {side: tuple(listed[:_MAX_ITEMS]) for side, listed in texts.items()}


def _rules(lines: list[BrandLine]) -> dict[int, _Rule | None]:
    """Return the rule in each line that has one, by the line's id; None for a label of rules."""
    rules: dict[int, _Rule | None] = {}
    label: Side | None = None  # of a line such as `Do:` above a list
    for line in lines:
        if line.is_heading:
            label = None
            continue
        if labelled := _label(line.text):
            label = labelled
            rules[id(line)] = None
        elif prefixed := _PREFIX.match(line.text):
            side: Side = "donts" if _DONT.fullmatch(prefixed[1]) else "dos"
            rules[id(line)] = _Rule(side, line.text[prefixed.end() :])
        elif side_ := _column(line.element) or label or _side(line):
            rules[id(line)] = _Rule(side_, line.text)
    return rules


def _label(text: str) -> Side | None:
    if _DONT.fullmatch(text):
        return "donts"
    return "dos" if _DO.fullmatch(text) else None


def _column(cell: Element) -> Side | None:
    """Return the side of a table cell by the header of its column."""
    row = cell.getparent()
    table = next(cell.iterancestors("table"), None)
    if tag_of(cell) != "td" or row is None or table is None:
        return None
    headers = list(next(table.iter("tr"), row))
    index = row.index(cell)
    return _label(text_of(headers[index])) if index < len(headers) else None


def _is_in_voice_section(line: BrandLine) -> bool:
    return any(VOICE.search(heading) and len(heading.split()) <= 6 for heading in line.headings)


def _is_direct(line: BrandLine, *, whole_page: bool) -> bool:
    """Tell whether the heading directly above is about tone, or is the page's own."""
    if whole_page and len(line.headings) <= 1:
        return True
    other_words = VOICE.sub(" ", line.nearest_heading).split()  # `Voice & messaging` has others
    return bool(VOICE.search(line.nearest_heading)) and len(other_words) <= 1


def _side(line: BrandLine) -> Side | None:
    """Return "dos" or "donts" if the line is under such a heading."""
    for heading in reversed(line.headings):
        if side := _label(heading):
            return side
    return None


def _summary(direct: list[BrandLine]) -> str | None:
    """Return the first paragraph that is neither a rule nor a list item."""
    for line in direct:
        is_other = line.is_heading or tag_of(line.element) == "li"
        if not is_other and len(line.text.split()) >= 5:
            return line.text if len(line.text) <= _MAX_SUMMARY_CHARS else None
    return None


def _attributes(direct: list[BrandLine]) -> list[str]:
    """Return the attributes of the list items if all have one; without a list, the headings."""
    items = [_item_attribute(line) for line in direct if tag_of(line.element) == "li"]
    if items:
        return [] if None in items else [*filter(None, items)]
    return [line.text for line in direct if line.is_heading and _is_attribute(line.text)]


def _is_attribute(heading: str) -> bool:
    is_other = VOICE.search(heading) or _label(heading)
    return _is_short(heading) and not is_other


def _item_attribute(line: BrandLine) -> str | None:
    """Return the attribute that a list item is or begins with."""
    if _is_short(line.text):
        return line.text.rstrip(".")
    first = next(iter(line.element), line.element)
    begins_bold = tag_of(first) in ("b", "strong") and not (line.element.text or "").strip()
    if begins_bold and _is_short(bold := text_of(first)):
        return bold.rstrip(":. ")
    match = _LEAD_WORD.match(line.text)
    return match[1] if match and _is_short(match[1]) else None


def _is_short(text: str) -> bool:
    return 0 < len(text.split()) <= 4 and len(text) <= 40 and not _DOS_AND_DONTS.search(text)
