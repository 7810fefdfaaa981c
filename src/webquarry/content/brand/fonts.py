"""Finds the typefaces for headings, body text and code on a page, and its type scale."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from urllib.parse import parse_qsl, urlsplit

from webquarry.content.brand.brand_page import BrandLine, BrandPage, is_misuse
from webquarry.content.brand.keywords import FONTS
from webquarry.content.html.dom import Element, tag_of, text_of
from webquarry.content.text.word_list import word_set
from webquarry.models.brand import Font

Pair = tuple[str, str, bool]  # label, value, and whether it is an explicit statement

_USES = {
    "heading": re.compile(r"\b(headings?|headlines?|titles?|display)\b", re.IGNORECASE),
    "body": re.compile(r"\b(body|body (?:text|copy)|paragraphs?|copy|running text)\b", re.I),
    "mono": re.compile(r"\b(mono|monospaced?|code)\b", re.IGNORECASE),
}
_UPPER = "A-Z\u00c0-\u00d6\u00d8-\u00de"
_NAME_PATTERN = rf"[{_UPPER}][\w'+]{{0,60}}(?:[ -][{_UPPER}0-9][\w'+]{{0,60}}){{0,4}}"
_FAMILY = re.compile(_NAME_PATTERN)
_LABELLED = re.compile(r"([^:\u2013\u2014]{3,40}?)\s*[:\u2013\u2014]\s*(\S.{1,120})")
# `Headings: Söhne Bold. Body: Inter Regular.` states two uses
_NEXT_USE = re.compile(
    r" ?[.;,|/\u00b7\u2022] (?=(?:[\w ]{0,20} )?(?:headings?|headlines?|titles?|display|body"
    r"|paragraphs?|copy|mono|monospaced?|code)\b[\w ]{0,20}[:\u2013\u2014])",
    re.IGNORECASE,
)
_FAMILY_FOR_USE = re.compile(
    rf"({_NAME_PATTERN})(?: is used)? for (?:all |our )?((?:[a-z]+ ){{0,2}}[a-z]+)"
)
_USE_IS_FAMILY = re.compile(
    rf"\b([a-z]+(?: [a-z]+)?) (?:typeface|font)(?: family)? is ({_NAME_PATTERN})", re.IGNORECASE
)
_NOT_NAME_START = word_set(
    "we use our the all please see for download set a an this in and both it is only when "
    "always primary secondary google adobe system"
)
_ALTERNATIVE = re.compile(r"\b(or|fallback|unavailable|instead)\b", re.IGNORECASE)
# words after "Headings:" that are not a typeface
_STYLE_WORDS = word_set(
    "case caps uppercase lowercase large small left right centered aligned tight loose font"
)
_SAMPLE_WORDS = word_set(
    "heading headings headline headlines subheading body title paragraph caption sample"
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
_STYLE_SUFFIX = re.compile(
    r"(?:[ -](?:thin|extra ?light|light|regular|book|medium|semi ?bold|demi ?bold|extra ?bold|bold"
    r"|black|heavy|italic|roman|[1-9]00)){1,4}$",
    re.IGNORECASE,
)
_FONT_STACK = re.compile(r"font-family:([^;}]*)")
_SCALE_STEP = re.compile(
    r"(h[1-6]|display(?: \w+)?|headline|title|subtitle|body(?: \w+)?|caption|small|label)"
    r"\s*+(?:[:|\u2013\u2014-]\s*+)?(\d{1,3}(?:\.\d+)?\s?(?:px|rem|pt|em))\b",
    re.IGNORECASE,
)


def fonts_of(page: BrandPage, lines: list[BrandLine]) -> dict[str, Font]:
    """Return the typeface of each use for which the page names exactly one."""
    google = google_families(page)
    fonts: defaultdict[str, dict[str, Font]] = defaultdict(dict)
    stacks = _FONT_STACK.findall(" ".join(page.styles).lower())
    for label, value, is_stated in _pairs(_font_lines(page, lines)):
        use, family = _use(label), _family(value)
        if not use or not family:
            continue
        # a text below a heading may be a name or a sample of the typeface
        is_used = any(family.lower() in stack for stack in stacks)
        if is_stated or is_used or family in google or _WEIGHT.search(value):
            fonts[use].setdefault(family, _font(family, value, google))
    return {use: next(iter(named.values())) for use, named in fonts.items() if len(named) == 1}


def scale_of(page: BrandPage, lines: list[BrandLine]) -> dict[str, str] | None:
    """Return the sizes of the type scale, e.g. `{"h1": "48px", "body": "16px"}`."""
    scale: dict[str, str] = {}
    for line in _font_lines(page, lines):
        text = " | ".join(_row_texts(line.element)) or line.text
        if step := _SCALE_STEP.match(text):
            scale.setdefault(step[1], step[2].replace(" ", ""))
    return scale if len(scale) > 1 else None


def google_fonts_url(page: BrandPage) -> str | None:
    """Return the URL of the Google Fonts style sheet of the page."""
    urls = (url for url, _ in page.links("stylesheet"))
    return next((url for url in urls if urlsplit(url).hostname == "fonts.googleapis.com"), None)


def google_families(page: BrandPage) -> dict[str, tuple[int, ...]]:
    """Return the families that the page loads from Google Fonts, with their weights."""
    families: dict[str, tuple[int, ...]] = {}
    parameters = parse_qsl(urlsplit(google_fonts_url(page) or "").query)
    # version 1 of the API separates families with "|"
    specs = [spec for key, value in parameters if key == "family" for spec in value.split("|")]
    for spec in specs:
        name, _, axes = spec.partition(":")
        families[name] = tuple(sorted({int(w) for w in re.findall(r"\b([1-9]00)\b", axes)}))
    return families


def _font_lines(page: BrandPage, lines: list[BrandLine]) -> Iterator[BrandLine]:
    """Yield the lines of sections about typography; all lines if the page is about it."""
    whole_page = bool(FONTS.search(page.title))
    for line in lines:
        if (whole_page or line.is_under(FONTS)) and not is_misuse(line):
            yield line


def _pairs(lines: Iterable[BrandLine]) -> Iterator[Pair]:
    """Yield labels and values from table rows, definition lists, headings and sentences."""
    for line in lines:
        if line.is_heading:
            continue
        tag = tag_of(line.element)
        if tag in ("td", "th"):
            cells = _row_texts(line.element)
            if len(cells) > 1:
                yield cells[0], ", ".join(cells[1:]), True
        elif tag == "dd":
            yield _definition_term(line.element), line.text, True
        else:
            yield from _text_pairs(line)


def _text_pairs(line: BrandLine) -> Iterator[Pair]:
    parts = [_LABELLED.fullmatch(part) for part in _NEXT_USE.split(line.text)]
    if labelled := [(part[1], part[2].rstrip(". "), True) for part in parts if part]:
        yield from labelled
    elif _use(line.nearest_heading) and len(line.text.split()) <= 8:
        yield line.nearest_heading, line.text, False
    if not _ALTERNATIVE.search(line.text):
        yield from (
            (use, _without_lead_words(family), True)
            for family, use in _FAMILY_FOR_USE.findall(line.text)
        )
    yield from ((use, family, True) for use, family in _USE_IS_FAMILY.findall(line.text))


def _without_lead_words(text: str) -> str:
    """Return the text from the name on: Georgia of `Use Georgia`."""
    parts = text.split()
    while parts and parts[0].lower() in _NOT_NAME_START:
        parts.pop(0)
    return " ".join(parts)


def _row_texts(cell: Element) -> list[str]:
    """Return the texts of a table row by its first cell."""
    row = cell.getparent()
    is_first = row is not None and tag_of(cell) in ("td", "th") and row[0] is cell
    return [*map(text_of, row)] if row is not None and is_first else []


def _definition_term(definition: Element) -> str:
    siblings = definition.itersiblings(preceding=True)
    before = next((each for each in siblings if tag_of(each) != "dd"), definition)
    return text_of(before) if tag_of(before) == "dt" else ""


def _use(label: str) -> str | None:
    if len(label.split()) > 4:
        return None
    uses = [use for use, named in _USES.items() if named.search(label)]
    return uses[0] if len(uses) == 1 else None


def _family(value: str) -> str | None:
    unquoted = value.strip(" \"'\u201c\u201d\u2018\u2019")
    match = _FAMILY.match(unquoted)
    if match is None:
        return None
    rest = unquoted[match.end() :].lstrip(" \"'\u201d\u2019")
    # capitalised words that continue as a sentence are its beginning, not a name
    if rest and rest[0].isalpha() and not _WEIGHT.match(rest):
        return None
    name = _STYLE_SUFFIX.sub("", match[0])
    return name if _is_family_name(name) else None


def _is_family_name(name: str) -> bool:
    parts = {part.lower() for part in re.split(r"[ -]", name)}
    if len(name) < 3 or parts & _STYLE_WORDS or parts <= _WEIGHTS.keys():
        return False
    return name.split(maxsplit=1)[0].lower() not in _NOT_NAME_START | _SAMPLE_WORDS


def _font(family: str, value: str, google: dict[str, tuple[int, ...]]) -> Font:
    weights = {
        int(number) if number else _WEIGHTS[name.lower().replace(" ", "")]
        for number, name in _WEIGHT.findall(value)
    }
    is_google = family in google
    return Font(
        family=family,
        weights=tuple(sorted(weights)) or google.get(family, ()),
        origin="google_fonts" if is_google else None,
        origin_id=family if is_google else None,
    )
