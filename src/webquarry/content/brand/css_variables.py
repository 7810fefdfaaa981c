"""Colors and fonts of CSS variables named after the brand: `--brand-primary: #0a66c2`."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from webquarry.content.brand.color_codes import as_hex, brightness
from webquarry.content.brand.palette import role_in
from webquarry.content.visibility.css_syntax import parse_declarations
from webquarry.content.visibility.stylesheets import parse_stylesheet
from webquarry.models.brand import Font, Swatch

# variables of the whole page, not of one theme or component
_ROOT_SELECTORS = frozenset((":root", "html", "body", ":root, :host", ":root,:host"))
_COLOUR = re.compile(r"--(?:colou?r-|clr-)?brand(?:-colou?r)?(?:-([a-z][a-z-]*?))?(?:-colou?r)?")
_FONT = re.compile(r"--(?:brand-font|font-brand)(?:-family)?-(heading|headings|body|mono|code)")
_FONT_USES = {"headings": "heading", "code": "mono"}
_STATES = re.compile(r"\b(hover|active|focus|disabled|light|dark|tint|shade|contrast|on)\b")
_GENERIC = frozenset(("inherit", "initial", "sans-serif", "serif", "monospace", "system-ui"))


def brand_colours(sheets: Iterable[str]) -> list[Swatch]:
    """Return the colors of variables named after the brand; the last definition wins."""
    swatches: dict[str, Swatch] = {}
    for name, value in _variables(sheets):
        match = _COLOUR.fullmatch(name)
        hex_ = as_hex(value)
        if match is None or hex_ is None or "font" in name:
            continue
        words = (match[1] or "").replace("-", " ")
        role = None if _STATES.search(words) else role_in(words)
        swatches[name] = Swatch(hex=hex_, name=name, role=role, brightness=brightness(hex_))
    return list(swatches.values())


def brand_fonts(sheets: Iterable[str]) -> dict[str, Font]:
    """Return the typefaces of variables named after the brand."""
    fonts: dict[str, Font] = {}
    for name, value in _variables(sheets):
        match = _FONT.fullmatch(name)
        family = value.split(",")[0].strip(" \"'")
        if match and family and family.lower() not in _GENERIC and "(" not in family:
            fonts[_FONT_USES.get(match[1], match[1])] = Font(family=family)
    return fonts


def _variables(sheets: Iterable[str]) -> Iterator[tuple[str, str]]:
    for rule in chain.from_iterable(map(parse_stylesheet, sheets)):
        if " ".join(rule.selectors.split()).lower() in _ROOT_SELECTORS and "--" in rule.body:
            yield from _custom_properties(rule.body)


def _custom_properties(body: str) -> Iterator[tuple[str, str]]:
    """Yield the names and values of variables; `parse_declarations` would lower-case the values."""
    declared = parse_declarations(body)
    for part in body.split(";"):
        name, _, value = part.partition(":")
        name = name.strip().lower()
        if name.startswith("--") and name in declared:
            yield (
                name,
                re.sub(r"(?:(?<!\s)\s++)?!important\s*$", "", value.strip(), flags=re.IGNORECASE),
            )
