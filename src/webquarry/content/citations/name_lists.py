"""Lists of names: what separates them, and whether given names come first."""

import re
from collections.abc import Sequence

from webquarry.content.citations.author_names import PARTICLES

SEPARATOR = re.compile(
    r"\s?(?:,\s?(?:&|\band\b|\bund\b|\u2026|\.\s\.\s\.)|[,;&]|(?<=\s)(?:and|und|y|et)(?=\s))\s?"
)
_MAX_NAME_WORDS = 5


def is_name(words: Sequence[str]) -> bool:
    """Tell whether words can be a name: capitalised, but for particles."""
    if not 1 <= len(words) <= _MAX_NAME_WORDS:
        return False
    return all(
        word[0].isalpha() and (not word[0].islower() or word.lower() in PARTICLES) for word in words
    ) and any(not word[0].islower() for word in words)


def is_direct(text: str) -> bool:
    """Tell whether a list starts with two people: `Mite Mijalkov, Giovanni Volpe, …`.

    `García Márquez, Gabriel José` may be one person, unless a third name or no comma follows.
    """
    first, separator, rest = _divided(text)
    second, other, _ = _divided(rest)
    given, names = first.split(), second.split()
    if len(given) < 2 or len(names) < 2 or given[0].lower() in PARTICLES:
        return False
    are_names = is_name(given) and is_name(names) and not names[-1].endswith(".")
    return are_names and (bool(other) or "," not in separator)


def _divided(text: str) -> tuple[str, str, str]:
    """Return the first part of a list, the separator after it, and the rest."""
    found = SEPARATOR.search(text)
    return (text[: found.start()], found[0], text[found.end() :]) if found else (text, "", "")
