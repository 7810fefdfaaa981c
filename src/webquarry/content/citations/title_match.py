"""Compares titles and person names across spellings."""

import re
import unicodedata

from webquarry.content.text.snippets import plain_text

_STATUS = re.compile(r"^\W*(?:retracted|withdrawn)(?:\s+(?:article|paper|chapter))?\W*:\W*", re.I)
_WORD = re.compile(r"[^\W_]+")


def title_key(title: str) -> str:
    """Return the letters and digits of a title without case or accents."""
    return "".join(title_words(title))


def title_words(title: str) -> list[str]:
    """Return the words of a title without case or accents."""
    return _WORD.findall(_folded(without_status(plain_text(title))))


def without_status(title: str) -> str:
    """Return a title without a prefix such as `RETRACTED ARTICLE:`."""
    return _STATUS.sub("", title)


def title_similarity(one: str, other: str) -> float:
    """Return the Jaccard similarity of the words of two titles, 0 to 1."""
    left, right = set(title_words(one)), set(title_words(other))
    return len(left & right) / max(len(left | right), 1)


def same_person(one: str, other: str) -> bool:
    """Tell whether two names can be one person: one contains the family name of the other."""
    left, right = _name_words(one), _name_words(other)
    if not left or not right:
        return False
    return left[-1] in right or right[-1] in left


def _name_words(name: str) -> list[str]:
    family, comma, given = name.partition(",")
    words = _WORD.findall(_folded(f"{given} {family}" if comma else name))
    return [word for word in words if len(word) > 1] or words


def _folded(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in decomposed if not unicodedata.combining(char))
