"""Names of fields and labels of pages, and when two of them mean the same."""

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from webquarry.content.text.word_list import words

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD = re.compile(r"[^\W_]+")
_SMALL = frozenset(words("the a an of for your our this per"))


@lru_cache(maxsize=4096)
def key_of(text: str) -> str:
    """Return a name in one spelling: `reviewCount`, `Review count:` and `review_counts` agree."""
    words = _WORD.findall(_CAMEL.sub(" ", text[:120]).lower())
    return " ".join(_singular(word) for word in words if word not in _SMALL)


def _singular(word: str) -> str:
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-1]


@dataclass(frozen=True)
class FieldConcept:
    """One thing pages tell: what it is called, and where machines find it."""

    name: str
    labels: frozenset[str]
    paths: tuple[str, ...] = ()  # in schema.org statements
    metas: tuple[str, ...] = ()
    kind: str = "text"  # how its text is read


def _concept(line: str) -> FieldConcept:
    name, labels, paths, metas, kind = (part.strip() for part in line.split("|"))
    keys = frozenset(key_of(label) for label in [name, *labels.split(",")] if label.strip())
    return FieldConcept(name, keys, tuple(paths.split()), tuple(metas.split()), kind or "text")


_TABLE = Path(__file__).with_name("concepts.txt").read_text(encoding="utf-8")
CONCEPTS = tuple(_concept(line) for line in _TABLE.splitlines() if not line.startswith("#"))
_BY_LABEL: dict[str, tuple[FieldConcept, ...]] = {}
for _one in CONCEPTS:
    for _label in sorted(_one.labels):
        _BY_LABEL[_label] = (*_BY_LABEL.get(_label, ()), _one)


def concepts_of(key: str) -> tuple[FieldConcept, ...]:
    """Return what a name may mean, that of its own name first."""
    found = _BY_LABEL.get(key, ())
    return tuple(sorted(found, key=lambda concept: key_of(concept.name) != key))


# what pages put in front of the name of a thing, or behind it
_BEFORE = frozenset(
    words(
        "product recipe event job person profile article post item page entry pdp book "
        "listing detail main meta card info vacancy staff member contact single content p "
        "js field spec data"
    )
)
_BEHIND = frozenset(words("value text field info val content line wrapper main name"))


def bare_keys(key: str) -> tuple[str, ...]:
    """Return the key, and what is left of it without the words around the name proper."""
    words, found = key.split(), [key]
    if len(words) > 1 and words[0] in _BEFORE:
        words = words[1:]
        found.append(" ".join(words))
    if len(words) > 1 and words[-1] in _BEHIND:
        found.append(" ".join(words[:-1]))
    return tuple(dict.fromkeys(found))
