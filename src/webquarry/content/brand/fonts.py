"""The typefaces a page names for headings, text and code, and the scale it lists."""

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

from webquarry.content.brand.brand_page import BrandLine, BrandPage, is_misuse
from webquarry.content.brand.keywords import FONTS
from webquarry.content.html.dom import Element, name_of, text_of
from webquarry.content.text.word_list import words
from webquarry.models.brand import Font

Pair = tuple[str, str, bool]  # of what, what is said, and whether as a statement

_USES = {
    "heading": re.compile(r"\b(headings?|headlines?|titles?|display)\b", re.IGNORECASE),
    "body": re.compile(r"\b(body|body (?:text|copy)|paragraphs?|copy|running text)\b", re.I),
    "mono": re.compile(r"\b(mono|monospaced?|code)\b", re.IGNORECASE),
}
_NAME = r"[A-Z][\w'+]*(?:[ -][A-Z0-9][\w'+]*){0,4}"
_FAMILY = re.compile(_NAME)
_LABELLED = re.compile(r"([^:\u2013\u2014]{3,40}?)\s*[:\u2013\u2014]\s*(\S.{1,120})")
_FOR = re.compile(rf"({_NAME})(?: is used)? for (?:all |our )?((?:[a-z]+ ){{0,2}}[a-z]+)")
_IS = re.compile(
    rf"\b([a-z]+(?: [a-z]+)?) (?:typeface|font)(?: family)? is ({_NAME})", re.IGNORECASE
)
_NOT_FIRST = frozenset(
    words(
        "we use our the all please see for download set a an this in and both it is only when "
        "always primary secondary google adobe system"
    )
)
_OR = re.compile(r"\b(or|fallback|unavailable|instead)\b", re.IGNORECASE)
# what is said of headings that is not the name of a typeface
_STYLES = frozenset(
    words("case caps uppercase lowercase large small left right centered aligned tight loose font")
)
_SAMPLES = frozenset(
    words("heading headings headline headlines subheading body title paragraph caption sample")
)
_WEIGHTS = {
    "thin": 100, "extralight": 200, "light": 300, "regular": 400, "book": 400, "medium": 500,
    "semibold": 600, "demibold": 600, "bold": 700, "extrabold": 800, "black": 900, "heavy": 900,
}  # fmt: skip
_WEIGHT = re.compile(
    r"\b(?:([1-9]00)|(thin|extra ?light|light|regular|book|medium|semi ?bold|demi ?bold"
    r"|extra ?bold|bold|black|heavy))\b",
    re.IGNORECASE,
)
_STYLE_END = re.compile(
    r"(?:[ -](?:thin|extra ?light|light|regular|book|medium|semi ?bold|demi ?bold|extra ?bold|bold"
    r"|black|heavy|italic|roman|[1-9]00))+$",
    re.IGNORECASE,
)
_STEP = re.compile(
    r"(h[1-6]|display(?: \w+)?|headline|title|subtitle|body(?: \w+)?|caption|small|label)"
    r"\s*[:|\u2013\u2014-]?\s*(\d{1,3}(?:\.\d+)?\s?(?:px|rem|pt|em))\b",
    re.IGNORECASE,
)


def fonts_of(page: BrandPage, lines: list[BrandLine]) -> dict[str, Font]:
    """Return the typeface of each use for which the page names exactly one."""
    offered = google_families(page)
    told: dict[str, dict[str, Font]] = {}
    everywhere = bool(FONTS.search(page.title))
    known = _Known(offered, " ".join(page.styles).lower())
    for label, value, is_stated in _pairs(lines, everywhere=everywhere):
        use, family = _use(label), _family(value)
        if use and family and (is_stated or known.has(family, value)):
            font = _font(family, value, offered)
            told.setdefault(use, {}).setdefault(family, font)
    return {use: next(iter(fonts.values())) for use, fonts in told.items() if len(fonts) == 1}


def scale_of(page: BrandPage, lines: list[BrandLine]) -> dict[str, str] | None:
    """Return the sizes of the type scale as they are written."""
    everywhere = bool(FONTS.search(page.title))
    found: dict[str, str] = {}
    for line in _about_fonts(lines, everywhere=everywhere):
        text = _row_text(line.holder) or line.text
        if step := _STEP.match(text):
            found.setdefault(step[1], step[2].replace(" ", ""))
    return found if len(found) > 1 else None


def google_fonts_url(page: BrandPage) -> str | None:
    """Return the address from which the page loads Google Fonts."""
    for link in page.links("stylesheet"):
        href = page.absolute(link.get("href"))
        if href and urlsplit(href).hostname == "fonts.googleapis.com":
            return href
    return None


def google_families(page: BrandPage) -> dict[str, tuple[int, ...]]:
    """Return the families that the page loads from Google Fonts, with their weights."""
    found: dict[str, tuple[int, ...]] = {}
    for pair in parse_qsl(urlsplit(google_fonts_url(page) or "").query):
        if pair[0] == "family":
            for one in pair[1].split("|"):  # the older interface lists them so
                name, _, axes = one.partition(":")
                found[name] = tuple(sorted({int(w) for w in re.findall(r"\b([1-9]00)\b", axes)}))
    return found


class _Known(NamedTuple):
    """What the page itself knows as typefaces."""

    offered: dict[str, tuple[int, ...]]
    styles: str

    def has(self, family: str, value: str) -> bool:
        """Tell whether words below a heading are a typeface rather than set in one."""
        is_set = re.search(rf"font-family:[^;}}]*{re.escape(family.lower())}", self.styles)
        return family in self.offered or bool(_WEIGHT.search(value)) or bool(is_set)


def _about_fonts(lines: list[BrandLine], *, everywhere: bool) -> Iterator[BrandLine]:
    for line in lines:
        if (everywhere or line.under(FONTS)) and not is_misuse(line):
            yield line


def _pairs(lines: list[BrandLine], *, everywhere: bool) -> Iterator[Pair]:
    """Yield what is said of what: rows, terms, labelled lines, headings and sentences."""
    for line in _about_fonts(lines, everywhere=everywhere):
        if line.is_heading:
            continue
        tag = name_of(line.holder)
        if tag in ("td", "th"):
            yield from _of_row(line.holder)
        elif tag == "dd":
            yield _term_of(line.holder), line.text, True
        else:
            yield from _of_words(line)


def _of_words(line: BrandLine) -> Iterator[Pair]:
    if labelled := _LABELLED.fullmatch(line.text):
        yield labelled[1], labelled[2], True
    elif _use(line.nearest) and len(line.text.split()) <= 8:
        yield line.nearest, line.text, False  # a name, or a sample of the typeface
    if not _OR.search(line.text):
        yield from ((use, _from_name(family), True) for family, use in _FOR.findall(line.text))
    yield from ((use, family, True) for use, family in _IS.findall(line.text))


def _from_name(text: str) -> str:
    """Return what follows the first words of a sentence: `Use Georgia` is about Georgia."""
    parts = text.split()
    while parts and parts[0].lower() in _NOT_FIRST:
        parts.pop(0)
    return " ".join(parts)


def _of_row(cell: Element) -> Iterator[Pair]:
    row = cell.getparent()
    if row is None or next(iter(row), None) is not cell or len(row) < 2:
        return
    cells = [text_of(each) for each in row]
    yield cells[0], ", ".join(cells[1:]), True


def _row_text(cell: Element) -> str:
    row = cell.getparent()
    if name_of(cell) not in ("td", "th") or row is None or row[0] is not cell:
        return ""
    return " | ".join(text_of(each) for each in row)


def _term_of(definition: Element) -> str:
    before = definition.getprevious()
    while before is not None and name_of(before) == "dd":
        before = before.getprevious()
    return text_of(before) if before is not None and name_of(before) == "dt" else ""


def _use(label: str) -> str | None:
    if len(label.split()) > 4:
        return None
    uses = [use for use, named in _USES.items() if named.search(label)]
    return uses[0] if len(uses) == 1 else None


def _family(value: str) -> str | None:
    match = _FAMILY.match(value.strip(" \"'\u201c\u201d\u2018\u2019"))
    if match is None:
        return None
    rest = value.strip(" \"'\u201c\u201d\u2018\u2019")[match.end() :].lstrip(" \"'\u201d\u2019")
    name = _STYLE_END.sub("", match[0])
    # a name that runs on into a sentence is the beginning of that sentence
    if rest and rest[0].isalpha() and not _WEIGHT.match(rest):
        return None
    parts = {part.lower() for part in re.split(r"[ -]", name)}
    is_style = bool(parts & _STYLES) or parts <= _WEIGHTS.keys()
    is_first = name.split()[0].lower() in _NOT_FIRST | _SAMPLES
    return None if is_style or is_first or len(name) < 3 else name


def _font(family: str, value: str, offered: dict[str, tuple[int, ...]]) -> Font:
    weights = {
        int(number) if number else _WEIGHTS[name.lower().replace(" ", "")]
        for number, name in _WEIGHT.findall(value)
    }
    known = family in offered
    return Font(
        family=family,
        weights=tuple(sorted(weights)) or offered.get(family, ()),
        origin="google_fonts" if known else None,
        origin_id=family if known else None,
    )
