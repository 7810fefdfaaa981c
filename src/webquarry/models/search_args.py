"""Arguments that the search tools share, in the form providers want them."""

from typing import Annotated

from pydantic import AfterValidator

_ALIASES = {"uk": "gb"}  # what people write for the United Kingdom


def language_code(text: str) -> str:
    """Return the two letters of a language, of `de`, `de-AT` or `zh_Hant`."""
    code = text.strip().replace("_", "-").partition("-")[0].lower()
    if not (code.isascii() and code.isalpha() and len(code) in (2, 3)):
        raise ValueError(f"must be a language code like en or de, got {text!r}")
    return code


def country_code(text: str) -> str:
    """Return the two letters of a country in lower case."""
    code = text.strip().lower()
    if not (code.isascii() and code.isalpha() and len(code) == 2):
        raise ValueError(f"must be a two-letter country code like us or de, got {text!r}")
    return _ALIASES.get(code, code)


Language = Annotated[str, AfterValidator(language_code)]
Country = Annotated[str, AfterValidator(country_code)]


def clamped(count: int, most: int, usual: int) -> int:
    """Return a count within 1 to `most`: too many become the most, too few the usual number."""
    return usual if count < 1 else min(count, most)


def _bounded(least: int, most: int) -> AfterValidator:
    def check(text: str) -> str:
        if not least <= len(text) <= most:
            raise ValueError(f"must have {least} to {most} characters, got {len(text)}")
        return text

    return AfterValidator(check)


# the bounds are checked but not listed: they would cost tokens and hardly ever tell anything
QueryText = Annotated[str, _bounded(1, 500)]
Short = Annotated[str, _bounded(0, 2000)]
