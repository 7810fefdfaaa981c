"""Normalises company names: legal forms, case, accents, country marks."""

import re
import unicodedata

_WORD = re.compile(r"[^\W_]+(?:['\u2019&.-][^\W_]+)*")
_COUNTRY_MARK = re.compile(r"(?:(?<!\s)\s++)?\[[A-Z]{2}\]\s*$")  # "SIEMENS AG [DE]"
_LEGAL_FORMS = frozenset((
    "ab", "ag", "aps", "as", "asa", "bv", "co", "company", "corp", "corporation", "gmbh", "group",
    "holding", "holdings", "inc", "incorporated", "kabushiki", "kaisha", "kg", "kgaa", "kk",
    "limited", "llc", "llp", "lp", "ltd", "nv", "oy", "oyj", "plc", "pte", "pty", "pvt", "sa",
    "sarl", "sas", "se", "spa", "srl", "the",
))  # fmt: skip


def short_name(name: str) -> str:
    """Return the name without its legal form, in its own spelling: `Kaltura, Inc.` is `Kaltura`."""
    words = _COUNTRY_MARK.sub("", name).strip().rstrip(".,").split()
    while len(words) > 1 and _normalized(words[-1]) in _LEGAL_FORMS:
        words.pop()
    if len(words) > 1 and _normalized(words[0]) == "the":
        words.pop(0)
    return " ".join(words).rstrip(" .,&")


def company_key(name: str) -> str:
    """Return a key that all spellings of one company's name share."""
    return " ".join(name_words(short_name(name)))


def spellings(name: str) -> tuple[str, ...]:
    """Return the name as given and without its legal form, each once."""
    return tuple(dict.fromkeys((" ".join(name.split()), short_name(name))))


def name_words(name: str) -> list[str]:
    """Return the words of a name in lower case, without accents and dots."""
    return [word for each in _WORD.findall(name) if (word := _normalized(each))]


def contains_name(name: str, text: str) -> bool:
    """Tell whether a text has all words of a name in any order: `Sami Herrala` has Herrala."""
    words = name_words(short_name(name))
    return bool(words) and set(words) <= set(name_words(text))


def _normalized(word: str) -> str:
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    return "".join(char for char in decomposed if char.isalnum())
