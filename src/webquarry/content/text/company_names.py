"""Names of companies, as registries spell them in a dozen ways."""

import re
import unicodedata

_WORD = re.compile(r"[^\W_]+(?:['\u2019&.-][^\W_]+)*")
_COUNTRY = re.compile(r"\s*\[[A-Z]{2}\]\s*$")  # "SIEMENS AG [DE]"
_FORMS = frozenset((
    "ab", "ag", "aps", "as", "asa", "bv", "co", "company", "corp", "corporation", "gmbh", "group",
    "holding", "holdings", "inc", "incorporated", "kabushiki", "kaisha", "kg", "kgaa", "kk",
    "limited", "llc", "llp", "lp", "ltd", "nv", "oy", "oyj", "plc", "pte", "pty", "pvt", "sa",
    "sarl", "sas", "se", "spa", "srl", "the",
))  # fmt: skip


def short_name(name: str) -> str:
    """Return the name without its legal form, in its own spelling: `Kaltura, Inc.` is `Kaltura`."""
    words = _COUNTRY.sub("", name).strip().rstrip(".,").split()
    while len(words) > 1 and _plain(words[-1]) in _FORMS:
        words.pop()
    if len(words) > 1 and _plain(words[0]) == "the":
        words.pop(0)
    return " ".join(words).rstrip(" .,&")


def company_key(name: str) -> str:
    """Return what is the same for all spellings of one company's name."""
    return " ".join(name_words(short_name(name)))


def spellings(name: str) -> tuple[str, ...]:
    """Return the name as given and without its legal form, each once."""
    return tuple(dict.fromkeys((" ".join(name.split()), short_name(name))))


def name_words(name: str) -> list[str]:
    """Return the words of a name in lower case, without accents and dots."""
    return [word for each in _WORD.findall(name) if (word := _plain(each))]


def is_named(wanted: str, given: str) -> bool:
    """Tell whether all words of a name are in another, in any order: `Sami Herrala` is Herrala."""
    words = name_words(short_name(wanted))
    return bool(words) and set(words) <= set(name_words(given))


def _plain(word: str) -> str:
    spread = unicodedata.normalize("NFKD", word.casefold())
    return "".join(char for char in spread if char.isalnum())
