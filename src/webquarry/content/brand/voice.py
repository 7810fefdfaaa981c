"""How a brand speaks, in the words of its own guidelines."""

import re

from webquarry.content.brand.brand_page import BrandLine, BrandPage
from webquarry.content.brand.keywords import VOICE
from webquarry.content.html.dom import Element, name_of, text_of
from webquarry.models.brand import Tone

_DO = re.compile(r"\W*(?:the )?(?:do|do[\u2019']?s|dos|do this)\W*", re.IGNORECASE)
_DONT = re.compile(
    r"\W*(?:the )?(?:don[\u2019']?ts?|do not|avoid|never|not this)\W*", re.IGNORECASE
)
_BOTH = re.compile(r"\bdo[\u2019']?s? (?:and|&) don[\u2019']?ts?\b", re.IGNORECASE)
_LEAD = re.compile(r"([A-Z][\w' -]{1,40}?)\s*[:.\u2013\u2014]\s+\S")
_MOST = 12
_SUMMARY = 600


def tone_of(page: BrandPage, lines: list[BrandLine]) -> Tone | None:
    """Return what the page says of tone; None where it does not speak of it."""
    everywhere = bool(VOICE.search(page.title))
    told = [line for line in lines if everywhere or _in_section(line)]
    said = [line for line in told if not line.is_heading]
    dos = [line.text for line in said if _side(line) == "dos"]
    donts = [line.text for line in said if _side(line) == "donts"]
    plain = [line for line in said if _side(line) is None]
    tone = Tone(
        summary=_summary([line for line in plain if _is_direct(line, everywhere=everywhere)]),
        attributes=tuple(
            dict.fromkeys(
                _attributes([line for line in told if _is_direct(line, everywhere=everywhere)])
            )
        )[:_MOST],
        dos_and_donts={"dos": tuple(dos[:_MOST]), "donts": tuple(donts[:_MOST])}
        if dos or donts
        else None,
    )
    return tone if tone != Tone() else None


def _in_section(line: BrandLine) -> bool:
    return any(VOICE.search(above) and len(above.split()) <= 6 for above in line.above)


def _is_direct(line: BrandLine, *, everywhere: bool) -> bool:
    """Tell whether the heading right above is the one about tone, or the page's own."""
    beside = VOICE.sub(" ", line.nearest).split()  # `Voice & messaging` is about more
    own = bool(VOICE.search(line.nearest)) and len(beside) <= 1
    return own or (everywhere and len(line.above) <= 1)


def _side(line: BrandLine) -> str | None:
    for above in line.above[::-1]:
        if _BOTH.search(above):
            continue
        if _DONT.fullmatch(above):
            return "donts"
        if _DO.fullmatch(above):
            return "dos"
    return None


def _summary(lines: list[BrandLine]) -> str | None:
    for line in lines:
        if name_of(line.holder) != "li" and len(line.text.split()) >= 5:
            return line.text if len(line.text) <= _SUMMARY else None
    return None


def _attributes(direct: list[BrandLine]) -> list[str]:
    """Return what items begin with if all do, else the headings right below."""
    items = [_lead(line) for line in direct if name_of(line.holder) == "li"]
    found = [item for item in items if item]
    if items:
        return found if len(found) == len(items) else []
    heads = [line.text for line in direct if line.is_heading and not VOICE.search(line.text)]
    return [h for h in heads if _is_word(h) and not (_DO.fullmatch(h) or _DONT.fullmatch(h))]


def _lead(line: BrandLine) -> str | None:
    """Return the attribute a list item begins with, or is."""
    if _is_word(line.text):
        return line.text.rstrip(".")
    bold = _first_bold(line.holder)
    if bold and _is_word(bold):
        return bold.rstrip(":. ")
    lead = _LEAD.match(line.text)
    return lead[1] if lead and _is_word(lead[1]) else None


def _first_bold(item: Element) -> str | None:
    first = next(iter(item), None)
    starts = first is not None and not (item.text or "").strip()
    if first is None or not starts or name_of(first) not in ("b", "strong"):
        return None
    return text_of(first)


def _is_word(text: str) -> bool:
    return 0 < len(text.split()) <= 4 and len(text) <= 40 and not _BOTH.search(text)
