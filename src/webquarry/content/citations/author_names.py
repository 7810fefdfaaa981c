"""Author names: splitting a list of authors, and a name into family and given name."""

import re
from typing import NamedTuple

from webquarry.content.text.word_list import word_set

_PARTICLES = word_set("van von der den de del della di da la le du ter ten bin ibn al el")
_ORGANIZATION = re.compile(
    r"\b(inc|ltd|llc|gmbh|corp|staff|team|editors?|editorial|university|institute|agency|ministry|"
    r"department|foundation|association|society|press|news|organi[sz]ation|committee|group|"
    r"reuters|wikipedia|bbc|contributors?)\b",
    re.IGNORECASE,
)
_MAX_NAME_WORDS = 5
# Chinese, Japanese and Korean names have the family name first and no initials
_EAST_ASIAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SEPARATOR = re.compile(r"(?:(?<!\s)\s++)?;\s*|(?<!\s)\s+and\s+")


class Name(NamedTuple):
    """A person's name; an organisation has a family name only."""

    family: str
    given: str

    @property
    def inverted(self) -> str:
        """The name with the family name first: `Curie, Marie`."""
        return f"{self.family}, {self.given}" if self.given else self.family

    @property
    def natural(self) -> str:
        """The name with the given name first: `Marie Curie`."""
        return f"{self.given} {self.family}" if self.given else self.family


def split_authors(text: str) -> tuple[str, ...]:
    """Return the names in a text that separates them with `;` or `and`."""
    return tuple(name.strip() for name in _SEPARATOR.split(text) if name.strip())


def split_name(name: str) -> Name:
    """Return family and given name; organisations and single names are not split."""
    if "," in name:
        family, _, given = name.partition(",")
        return Name(family.strip(), given.strip())
    parts = name.split()
    is_short = 2 <= len(parts) <= _MAX_NAME_WORDS
    if (
        _EAST_ASIAN.search(name)
        or not is_short
        or not name[0].isalpha()
        or _ORGANIZATION.search(name)
    ):
        return Name(name, "")
    start = len(parts) - 1
    while start > 1 and parts[start - 1].lower() in _PARTICLES:
        start -= 1
    return Name(" ".join(parts[start:]), " ".join(parts[:start]))
