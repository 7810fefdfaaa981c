"""Argument types of the search tools, normalised for providers."""

from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints, WithJsonSchema

# written differently from the plain code: traditional Chinese, Brazilian Portuguese
_VARIANTS = {
    "zh-hant": "zh-hant",
    "zh-tw": "zh-hant",
    "zh-hk": "zh-hant",
    "zh-mo": "zh-hant",
    "pt-br": "pt-br",
}
_ALIASES = {"uk": "gb"}  # not the ISO code


def language_code(text: str) -> str:
    """Return the language of a code like `de`, `de-AT` or `zh_Hant`.

    Regions are dropped, except where they decide how the language is written.
    """
    tag = text.strip().replace("_", "-").lower()
    code = tag.partition("-")[0]
    if not (code.isascii() and code.isalpha() and len(code) in (2, 3)):
        raise ValueError(f"must be a language code like en or de, got {text!r}")
    return next((v for start, v in _VARIANTS.items() if f"{tag}-".startswith(f"{start}-")), code)


def country_code(text: str) -> str:
    """Return the country code in lower case."""
    code = text.strip().lower()
    if not (code.isascii() and code.isalpha() and len(code) == 2):
        raise ValueError(f"must be a two-letter country code like us or de, got {text!r}")
    return _ALIASES.get(code, code)


Language = Annotated[str, AfterValidator(language_code)]
Country = Annotated[str, AfterValidator(country_code)]


def clamped(count: int, maximum: int, default: int) -> int:
    """Return the count, at most `maximum`; the default if it is less than 1."""
    return default if count < 1 else min(count, maximum)


# the bounds are checked but not in the schema: they cost tokens and rarely help
_STRING = WithJsonSchema({"type": "string"})
QueryText = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500), _STRING
]
ShortText = Annotated[str, Field(max_length=2000), _STRING]
