"""Finds the tone of voice of a brand in its guidelines."""

import re
from typing import Literal

from webquarry.content.brand.brand_page import BrandLine, BrandPage
from webquarry.content.brand.keywords import VOICE
from webquarry.content.html.dom import tag_of, text_of
from webquarry.models.brand import Tone

_DO = re.compile(r"\W*(?:the )?(?:do|do[\u2019']?s|dos|do this)\W*", re.IGNORECASE)
_DONT = re.compile(
    r"\W*(?:the )?(?:don[\u2019']?ts?|do not|avoid|never|not this)\W*", re.IGNORECASE
)
_DOS_AND_DONTS = re.compile(r"\bdo[\u2019']?s? (?:and|&) don[\u2019']?ts?\b", re.IGNORECASE)
_LEAD_WORD = re.compile(r"([A-Z][\w' -]{1,40}?)\s*[:.\u2013\u2014]\s+\S")
Side = Literal["dos", "donts"]
_MAX_ITEMS = 12
_MAX_SUMMARY_CHARS = 600


def tone_of(page: BrandPage, lines: list[BrandLine]) -> Tone | None:
    """Return the tone of voice that the page describes, or None."""
    whole_page = bool(VOICE.search(page.title))
    section = [line for line in lines if whole_page or _is_in_voice_section(line)]
    direct = [line for line in section if _is_direct(line, whole_page=whole_page)]
    tone = Tone(
        summary=_summary(direct),
        attributes=tuple(dict.fromkeys(_attributes(direct)))[:_MAX_ITEMS],
        dos_and_donts=_dos_and_donts(section),
    )
    return tone if tone != Tone() else None


def _dos_and_donts(lines: list[BrandLine]) -> dict[Side, tuple[str, ...]] | None:
    rules: dict[Side, list[str]] = {"dos": [], "donts": []}
    for line in lines:
        if not line.is_heading and (side := _side(line)):
            rules[side].append(line.text)
    if not any(rules.values()):
        return None
    return {side: tuple(texts[:_MAX_ITEMS]) for side, texts in rules.items()}


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
        if _DONT.fullmatch(heading):
            return "donts"
        if _DO.fullmatch(heading):
            return "dos"
    return None


def _summary(direct: list[BrandLine]) -> str | None:
    """Return the first paragraph that is neither a rule nor a list item."""
    for line in direct:
        is_other = line.is_heading or _side(line) or tag_of(line.element) == "li"
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
    is_other = VOICE.search(heading) or _DO.fullmatch(heading) or _DONT.fullmatch(heading)
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
