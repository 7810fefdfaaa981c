"""What is asked for in words, as a schema."""

import re
from typing import Any

from webquarry.content.fields.field_names import concepts_of, key_of
from webquarry.content.text.word_list import words

_ASKING = re.compile(
    r"^\s*(?:please\s+)?(?:extract|get|find|return|give|list|collect|scrape|pull|fetch|tell|show|"
    r"what\s+(?:is|are))\s+(?:me\s+)?(?:the\s+|all\s+the\s+)?(?:following\s*:?\s*)?",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"^(?:all|each|every|a list of|list of)\s+(?:of\s+)?(?:the\s+)?([\w ]{3,30}?)\s*"
    r"(?:\bwith\b|\bincluding\b|\band\s+their\b|\band\s+its\b|:|\()\s*(?:their\s+|its\s+|the\s+)?(.+)$",
    re.IGNORECASE | re.DOTALL,
)
_OF_ALL = re.compile(
    r"^(.+?)\s+(?:of|for|from)\s+(?:all|each|every)\s+(?:of\s+)?(?:the\s+)?(\w+(?:\s\w+)?)\b.*$",
    re.IGNORECASE | re.DOTALL,
)
_WHERE = re.compile(
    r"\s+(?:from|on|of|for|in|at)\s+(?:this|the|these|a|an|that)\s+(?:\w+\s*){1,4}\.?\s*$",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\s*(?:[,;\n&•]|\band\b|\bas well as\b|\bplus\b)\s*", re.IGNORECASE)
_IDLE = re.compile(r"^(?:the|its|their|a|an|any|also|and)\s+", re.IGNORECASE)
_MOST, _WORDS = 30, 4
_NOTHING = frozenset(
    words("information data detail everything content page fact structured datum info")
)


def schema_of(prompt: str) -> dict[str, Any] | None:
    """Return a schema with the things a prompt names; None where it names none."""
    text = _ASKING.sub("", " ".join(prompt.split("\n"))[:2000]).strip(" .!?:")
    many = _ALL.match(text)
    named, rest = (many[1], many[2]) if many else ("", text)
    if not many and (many := _OF_ALL.match(text)):
        rest, named = many[1], many[2]
    fields = _fields(_WHERE.sub("", rest))
    if not fields:
        return None
    told = {"type": "object", "properties": fields}
    key = _camel(named)
    if not key:
        return told
    return {"type": "object", "properties": {key: {"type": "array", "items": told}}}


def _fields(text: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for phrase in _BETWEEN.split(text):
        name = _IDLE.sub("", phrase.strip(" .()\"'")).strip()
        words = name.split()
        vague = set(key_of(name).split()) & _NOTHING
        key = _camel(name)
        if key and len(words) <= _WORDS and not vague and len(found) < _MOST:
            found[key] = {**_typed(name), "title": name}
    return found


def _typed(name: str) -> dict[str, Any]:
    concepts = concepts_of(key_of(name))
    kind = concepts[0].kind if concepts else "text"
    kinds: dict[str, dict[str, Any]] = {
        "price": {"type": "number"}, "rating": {"type": "number"}, "number": {"type": "number"},
        "count": {"type": "integer"}, "date": {"type": "string", "format": "date"},
        "email": {"type": "string", "format": "email"},
        "list": {"type": "array", "items": {"type": "string"}},
    }  # fmt: skip
    return kinds.get(kind, {"type": "string"})


def _camel(name: str) -> str:
    """Return a name for a field; empty where the text has neither letters nor digits."""
    words = re.findall(r"[^\W_]+", name)
    whole = "".join(word[:1].upper() + word[1:] for word in words)
    return whole[:1].lower() + whole[1:]
