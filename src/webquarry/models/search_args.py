"""Argument types of the search tools, normalised for providers."""

from typing import Annotated

from pydantic import AfterValidator, Field, WithJsonSchema

_ALIASES = {"uk": "gb"}  # not the ISO code


def language_code(text: str) -> str:
    """Return the language of a code like `de`, `de-AT` or `zh_Hant`."""
    code = text.strip().replace("_", "-").partition("-")[0].lower()
    if not (code.isascii() and code.isalpha() and len(code) in (2, 3)):
        raise ValueError(f"must be a language code like en or de, got {text!r}")
    return code


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
QueryText = Annotated[str, Field(min_length=1, max_length=500), _STRING]
ShortText = Annotated[str, Field(max_length=2000), _STRING]
