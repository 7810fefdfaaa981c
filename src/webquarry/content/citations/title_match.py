"""Whether two titles, or two names, mean the same."""

import re
import unicodedata

from webquarry.content.text.snippets import plain

_STATUS = re.compile(r"^\W*(?:retracted|withdrawn)(?:\s+(?:article|paper|chapter))?\W*:\W*", re.I)
_WORD = re.compile(r"[^\W_]+")


def title_key(title: str) -> str:
    """Return what spellings of one title share: letters and digits, without case or accents."""
    return "".join(title_words(title))


def title_words(title: str) -> list[str]:
    """Return the words of a title as `title_key` sees them."""
    return _WORD.findall(_folded(_STATUS.sub("", plain(title))))


def likeness(one: str, other: str) -> float:
    """Return the share of words that two titles have in common, from 0 to 1."""
    left, right = set(title_words(one)), set(title_words(other))
    return len(left & right) / max(len(left | right), 1)


def same_person(one: str, other: str) -> bool:
    """Tell whether two spellings can be one person: the family name of one is in the other."""
    left, right = _name_words(one), _name_words(other)
    if not left or not right:
        return False
    return left[-1] in right or right[-1] in left


def _name_words(name: str) -> list[str]:
    family, comma, given = name.partition(",")
    words = _WORD.findall(_folded(f"{given} {family}" if comma else name))
    return [word for word in words if len(word) > 1] or words


def _folded(text: str) -> str:
    spread = unicodedata.normalize("NFKD", text.casefold())
    return "".join(mark for mark in spread if not unicodedata.combining(mark))
