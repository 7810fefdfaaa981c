"""Keywords that identify pages about a brand, in several languages."""

import re

from webquarry.content.text.length_limits import cap_text


def _any(*words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(words)})(?![^\W_])", re.IGNORECASE)


COLOURS = _any(
    "colou?rs?", "colou?r[ -]?\\w*", "palettes?", "swatch(?:es)?", "farb\\w*", "couleurs?",
    "colores?", "cores", "colori", "kleuren", "f\u00e4rger",
)  # fmt: skip
FONTS = _any(
    "typograph\\w*", "fonts?", "typefaces?", "type (?:scale|system)", "^type$",
    "schrift\\w*", "polices?", "tipograf\\w*",
)  # fmt: skip
LOGOS = _any("logos?", "logotypes?", "wordmarks?", "logomarks?", "brand ?marks?")
VOICE = _any(
    "tone of voice", "voice and tone", "tone (?:and|&|\\+) voice",
    "voice (?:&|\\+) tone", "brand voice",
    "^(?:our |the )?(?:tone|voice)$", "how we (?:sound|speak|write)", "tonalit\u00e4t",
    "ton de voix", "tono de voz",
)  # fmt: skip
SUBPAGES = (COLOURS, FONTS, LOGOS, VOICE)

_BRAND_PHRASES = _any(
    "brand (?:guide(?:lines?|book)?|book|assets?|identity|kit|cent(?:er|re)|portal|resources?"
    "|standards|manual|toolkit|hub)",
    "logo (?:usage|guidelines|downloads?|files)", "(?:press|media) kit", "visual identity",
    "style ?guides?", "design systems?", "colou?r palette", "brand colou?rs?", "tone of voice",
    "our (?:logo|brand|colou?rs|typeface)", "corporate (?:identity|design)",
    "markenrichtlinien", "charte graphique", "identidad (?:visual|de marca)",
)  # fmt: skip
_BRAND_WORDS = ("logo", "brand", "color", "colour", "typography", "font", "palette", "guidelines",
         "trademark", "wordmark", "usage", "tone")  # fmt: skip
_VISUAL = _any("logos?", "colou?rs?", "typograph\\w*", "fonts?", "palette", "brand assets?",
                    "brand guidelines?", "farb\\w*", "couleurs?", "colores")  # fmt: skip
# shops also write about brands, colors and tones
_DISTINCTIVE = _any("logos?", "guidelines?", "typography", "wordmarks?")
_NOT_FOUND = re.compile(
    r"\b(404|page (?:not|cannot be) found|not be found|doesn.t exist|no longer (?:here|available))",
    re.IGNORECASE,
)
_GATED = re.compile(r"\b(sign in|log ?in|password|request access|enter your e-?mail)\b", re.I)
_SHORT_PAGE_WORDS = 80  # a shorter page may be only an error or a login


def is_about_brand(text: str, title: str) -> bool:
    """Tell whether a page describes a brand and is not an error page or a login."""
    if _NOT_FOUND.search(title) or is_gated(text, title) or _is_short(text, title, _NOT_FOUND):
        return False
    lowered = f"{title}\n{text}".lower()
    if _BRAND_PHRASES.search(lowered):
        # a press room may mention a press kit without describing the brand
        return _VISUAL.search(lowered) is not None
    count = sum(bool(re.search(rf"\b{word}s?\b", lowered)) for word in _BRAND_WORDS)
    return count >= 4 and _DISTINCTIVE.search(lowered) is not None


def is_gated(text: str, title: str) -> bool:
    """Tell whether the page requires a login before it shows anything."""
    return _is_short(text, title, _GATED)


def _is_short(text: str, title: str, pattern: re.Pattern[str]) -> bool:
    """Tell whether a page is short and its beginning matches."""
    return len(text.split()) < _SHORT_PAGE_WORDS and bool(
        pattern.search(f"{title}\n{cap_text(text, 600)}")
    )
