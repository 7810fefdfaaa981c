"""The words by which pages about brands are told apart, in the languages they are written in."""

import re


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

_STRONG = _any(
    "brand (?:guide(?:lines?|book)?|book|assets?|identity|kit|cent(?:er|re)|portal|resources?"
    "|standards|manual|toolkit|hub)",
    "logo (?:usage|guidelines|downloads?|files)", "(?:press|media) kit", "visual identity",
    "style ?guides?", "design systems?", "colou?r palette", "brand colou?rs?", "tone of voice",
    "our (?:logo|brand|colou?rs|typeface)", "corporate (?:identity|design)",
    "markenrichtlinien", "charte graphique", "identidad (?:visual|de marca)",
)  # fmt: skip
_WEAK = ("logo", "brand", "color", "colour", "typography", "font", "palette", "guidelines",
         "trademark", "wordmark", "usage", "tone")  # fmt: skip
_ABOUT_LOOKS = _any("logos?", "colou?rs?", "typograph\\w*", "fonts?", "palette", "brand assets?",
                    "brand guidelines?", "farb\\w*", "couleurs?", "colores")  # fmt: skip
# shops speak of brands, colors and tones as well
_TELLING = _any("logos?", "guidelines?", "typography", "wordmarks?")
_MISSING = re.compile(
    r"\b(404|page (?:not|cannot be) found|not be found|doesn.t exist|no longer (?:here|available))",
    re.IGNORECASE,
)
_GATED = re.compile(r"\b(sign in|log ?in|password|request access|enter your e-?mail)\b", re.I)
_SHORT = 80  # words of a page that may be nothing but an apology or a door


def is_about_brand(text: str, title: str) -> bool:
    """Tell whether a page describes a brand, and is neither an apology nor a door."""
    words = len(text.split())
    head = f"{title}\n{text[:600]}"
    if _MISSING.search(title) or (words < _SHORT and _MISSING.search(head)):
        return False
    if words < _SHORT and _GATED.search(head):
        return False
    low = f"{title}\n{text}".lower()
    strong = _STRONG.search(low) is not None
    weak = sum(bool(re.search(rf"\b{word}s?\b", low)) for word in _WEAK)
    # a press room that only mentions its press kit says nothing about how the brand looks
    if strong:
        return _ABOUT_LOOKS.search(low) is not None
    return weak >= 4 and _TELLING.search(low) is not None


def is_gated(text: str, title: str) -> bool:
    """Tell whether the page asks who is there before it shows anything."""
    return len(text.split()) < _SHORT and bool(_GATED.search(f"{title}\n{text[:600]}"))
