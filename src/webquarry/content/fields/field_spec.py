"""A field that is asked for: what it may be called on a page."""

from dataclasses import dataclass
from typing import Any

from webquarry.content.fields.field_names import FieldConcept, bare_keys, concepts_of, key_of
from webquarry.content.text.word_list import words

_UNITS = frozenset(words("minute hour kg g gram lb cm mm m usd eur gbp percent iso"))
_SPANS = frozenset(words("minute min duration"))


@dataclass(frozen=True)
class FieldSpec:
    """One field of the schema."""

    schema: dict[str, Any]
    keys: tuple[str, ...]  # its own names, the first the most telling
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
    def kind(self) -> str:
        """Return how its text is to be read."""
        if self.concepts:
            return self.concepts[0].kind
        if self.format in ("date", "date-time"):
            return "date"
        words = set(self.keys[0].split()) if self.keys else set[str]()
        described = set(key_of(str(self.schema.get("description") or "")).split())
        return "duration" if _SPANS & (words | described) else "text"

    def means(self, *names: str) -> bool:
        """Tell whether it is one of these."""
        return bool(self.concepts) and self.concepts[0].name in names


def wanted(name: str, schema: dict[str, Any], pointer: str, parent: str = "") -> FieldSpec:
    """Return a field by its name, title and description."""
    own = key_of(name)
    words = own.split()
    if len(words) > 1 and words[-1] in _UNITS:
        own = " ".join(words[:-1])
    told = [key_of(str(schema.get(part) or "")) for part in ("title", "description")]
    joint = f"{key_of(parent)} {own}".strip() if parent else own
    keys = [joint, own] if parent and concepts_of(joint) else [own]
    keys += [key for key in told if key and len(key.split()) <= 4]
    concepts: tuple[FieldConcept, ...] = ()
    for key in [*keys, *bare_keys(own)]:
        concepts = concepts or concepts_of(key)
    if not concepts:
        keys += bare_keys(own)[1:]
    return FieldSpec(schema, tuple(dict.fromkeys(keys)), concepts, pointer)
