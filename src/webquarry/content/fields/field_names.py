"""Normalises field names and page labels, and maps them to known concepts."""

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from webquarry.content.text.word_list import word_set

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD = re.compile(r"[^\W_]+")
_FUNCTION_WORDS = word_set("the a an of for your our this per")


@lru_cache(maxsize=4096)
def field_key(text: str) -> str:
    """Return a normalised name: the same for `reviewCount`, `Review count:`, `review_counts`."""
    words = _WORD.findall(_CAMEL.sub(" ", text[:120]).lower())
    return " ".join(_singular(word) for word in words if word not in _FUNCTION_WORDS)


def _singular(word: str) -> str:
    if len(word) < 4 or word.endswith(("ss", "us", "is")):
        return word
    return f"{word[:-3]}y" if word.endswith("ies") else word.removesuffix("s")


@dataclass(frozen=True)
class FieldConcept:
    """A concept that pages state: its labels, and its schema.org paths and meta names."""

    name: str
    labels: frozenset[str]
    paths: tuple[str, ...] = ()  # in schema.org items
    metas: tuple[str, ...] = ()
    kind: str = "text"  # how its text is parsed


def _concept(line: str) -> FieldConcept:
    name, labels, paths, metas, kind = (part.strip() for part in line.split("|"))
    keys = frozenset(field_key(label) for label in [name, *labels.split(",")] if label.strip())
    return FieldConcept(name, keys, tuple(paths.split()), tuple(metas.split()), kind or "text")


_TABLE = Path(__file__).with_name("concepts.txt").read_text(encoding="utf-8")
CONCEPTS = tuple(_concept(line) for line in _TABLE.splitlines() if not line.startswith("#"))
_BY_LABEL: dict[str, tuple[FieldConcept, ...]] = {}
for _one in CONCEPTS:
    for _label in sorted(_one.labels):
        _BY_LABEL[_label] = (*_BY_LABEL.get(_label, ()), _one)


NO_CONCEPT = FieldConcept("", frozenset())


def concepts_of(key: str) -> tuple[FieldConcept, ...]:
    """Return the concepts that a label may mean, the one of that name first."""
    concepts = _BY_LABEL.get(key, ())
    return tuple(sorted(concepts, key=lambda concept: field_key(concept.name) != key))


# words that class names add before or after the name of a field
_PREFIX_WORDS = word_set(
    "product recipe event job person profile article post item page entry pdp book "
    "listing detail main meta card info vacancy staff member contact single content p "
    "js field spec data"
)
_SUFFIX_WORDS = word_set("value text field info val content line wrapper main name")


def key_variants(key: str) -> tuple[str, ...]:
    """Return the key, and the key without generic first and last words."""
    words, variants = key.split(), [key]
    if len(words) > 1 and words[0] in _PREFIX_WORDS:
        words = words[1:]
        variants.append(" ".join(words))
    if len(words) > 1 and words[-1] in _SUFFIX_WORDS:
        variants.append(" ".join(words[:-1]))
    return tuple(dict.fromkeys(variants))
