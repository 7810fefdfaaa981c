"""Style variables that call themselves the brand's: `--brand-primary: #0a66c2`."""

import re
from collections.abc import Iterable, Iterator

from webquarry.content.brand.color_codes import as_hex, brightness
from webquarry.content.brand.palette import role_in
from webquarry.content.visibility.stylesheets import declarations_of, pieces_of
from webquarry.models.brand import Font, Swatch

# only where they hold for the whole page, and not for one theme or component of it
_EVERYWHERE = frozenset((":root", "html", "body", ":root, :host", ":root,:host"))
_COLOUR = re.compile(r"--(?:colou?r-|clr-)?brand(?:-colou?r)?(?:-([a-z][a-z-]*?))?(?:-colou?r)?")
_FONT = re.compile(r"--(?:brand-font|font-brand)(?:-family)?-(heading|headings|body|mono|code)")
_USES = {"heading": "heading", "headings": "heading", "body": "body", "mono": "mono",
         "code": "mono"}  # fmt: skip
_STATES = re.compile(r"\b(hover|active|focus|disabled|light|dark|tint|shade|contrast|on)\b")
_GENERIC = frozenset(("inherit", "initial", "sans-serif", "serif", "monospace", "system-ui"))


def brand_colours(sheets: Iterable[str]) -> list[Swatch]:
    """Return the colors of variables named after the brand; the last definition holds."""
    found: dict[str, Swatch] = {}
    for name, value in _variables(sheets):
        match = _COLOUR.fullmatch(name)
        hex_ = as_hex(value)
        if match is None or hex_ is None or "font" in name:
            continue
        words = (match[1] or "").replace("-", " ")
        role = None if _STATES.search(words) else role_in(words)
        found[name] = Swatch(hex=hex_, name=name, role=role, brightness=brightness(hex_))
    return list(found.values())


def brand_fonts(sheets: Iterable[str]) -> dict[str, Font]:
    """Return the typefaces of variables named after the brand."""
    found: dict[str, Font] = {}
    for name, value in _variables(sheets):
        match = _FONT.fullmatch(name)
        family = value.split(",")[0].strip(" \"'")
        if match and family and family.lower() not in _GENERIC and "(" not in family:
            found[_USES[match[1]]] = Font(family=family)
    return found


def _variables(sheets: Iterable[str]) -> Iterator[tuple[str, str]]:
    for sheet in sheets:
        for _, selectors, body in pieces_of(sheet):
            if " ".join(selectors.split()).lower() in _EVERYWHERE and "--" in body:
                yield from _as_written(body)


def _as_written(body: str) -> Iterator[tuple[str, str]]:
    """Yield the variables with their values in the case they are written in."""
    low = declarations_of(body)
    for part in body.split(";"):
        name, _, value = part.partition(":")
        name = name.strip().lower()
        if name.startswith("--") and name in low:
            yield name, re.sub(r"\s*!important\s*$", "", value.strip(), flags=re.IGNORECASE)
