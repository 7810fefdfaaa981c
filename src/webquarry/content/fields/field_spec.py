"""A field of a schema, and the names it may have on a page."""

from dataclasses import dataclass
from typing import Any

from webquarry.content.fields.field_names import (
    NO_CONCEPT,
    FieldConcept,
    concepts_of,
    field_key,
    key_variants,
)
from webquarry.content.text.word_list import word_set

_UNITS = word_set("minute hour kg g gram lb cm mm m usd eur gbp percent iso")
_DURATION_WORDS = word_set("minute min duration")


@dataclass(frozen=True)
class FieldSpec:
    """One field of the schema."""

    schema: dict[str, Any]
    keys: tuple[str, ...]  # its names, the most specific first
    concepts: tuple[FieldConcept, ...]
    pointer: str

    @property
    def type(self) -> str:
        """Return its JSON type."""
        return str(self.schema["type"])

    @property
    def format(self) -> str:
        """Return the format it must have."""
        return str(self.schema.get("format") or "")

    @property
    def concept(self) -> FieldConcept:
        """Return its most likely concept."""
        return next(iter(self.concepts), NO_CONCEPT)

    @property
    def paths(self) -> tuple[str, ...]:
        """Return the schema.org paths of its concepts."""
        return tuple(path for concept in self.concepts for path in concept.paths)

    @property
    def kind(self) -> str:
        """Return how its text is parsed."""
        if self.concepts:
            return self.concept.kind
        if self.format in ("date", "date-time"):
            return "date"
        described = field_key(str(self.schema.get("description") or ""))
        stated = " ".join((*self.keys[:1], described)).split()
        return "text" if _DURATION_WORDS.isdisjoint(stated) else "duration"

    def is_about(self, *names: str) -> bool:
        """Tell whether its concept is one of these."""
        return self.concept.name in names

    def item(self, pointer: str) -> "FieldSpec":
        """Return the field of one item of this list."""
        return FieldSpec(self.schema["items"], self.keys, self.concepts, pointer)


def field_spec(name: str, schema: dict[str, Any], pointer: str, parent: str = "") -> FieldSpec:
    """Return a field by its name, title and description."""
    own = _without_unit(field_key(name))
    texts = (field_key(str(schema.get(part) or "")) for part in ("title", "description"))
    keys = [*_names(own, parent), *(key for key in texts if 0 < len(key.split()) <= 4)]
    variants = key_variants(own)
    concepts = next((found for key in (*keys, *variants) if (found := concepts_of(key))), ())
    if not concepts:
        keys += variants[1:]
    return FieldSpec(schema, tuple(dict.fromkeys(keys)), concepts, pointer)


def _without_unit(key: str) -> str:
    words = key.split()
    return " ".join(words[:-1]) if len(words) > 1 and words[-1] in _UNITS else key


def _names(own: str, parent: str) -> list[str]:
    """Return the name, preceded by that with the name of the parent if it is a concept."""
    joint = f"{field_key(parent)} {own}".strip()
    return [joint, own] if parent and concepts_of(joint) else [own]
