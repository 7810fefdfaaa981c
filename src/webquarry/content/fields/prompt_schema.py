"""Derives a schema from a prompt."""

import re
from itertools import islice
from typing import Any

from webquarry.content.fields.field_names import NO_CONCEPT, concepts_of, field_key
from webquarry.content.text.word_list import word_set

_REQUEST_VERB = re.compile(
    r"^\s*(?:please\s+)?(?:extract|get|find|return|give|list|collect|scrape|pull|fetch|tell|show|"
    r"what\s+(?:is|are))\s+(?:me\s+)?(?:the\s+|all\s+the\s+)?(?:following\s*:?\s*)?",
    re.IGNORECASE,
)
_LIST_WITH_FIELDS = re.compile(
    r"^(?:all|each|every|a list of|list of)\s++(?:of\s++)?(?:the\s++)?([\w ]{3,30}?)\s*+"
    r"(?:\bwith\b|\bincluding\b|\band\s+their\b|\band\s+its\b|:|\()\s*+(?:their\s+|its\s+|the\s+)?(.+)$",
    re.IGNORECASE | re.DOTALL,
)
_FIELDS_OF_LIST = re.compile(
    r"^(.+?)(?<!\s)\s++(?:of|for|from)\s++(?:all|each|every)\s++(?:of\s++)?(?:the\s++)?"
    r"(\w+(?:\s\w+)?)\b.*$",
    re.IGNORECASE | re.DOTALL,
)
_LOCATION = re.compile(
    r"(?<!\s)\s++(?:from|on|of|for|in|at)\s++(?:this|the|these|a|an|that)\s++"
    r"\w++(?:\s++\w++){0,3}\s*+\.?\s*$",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(
    r"(?:(?<!\s)\s++)?(?:[,;\n&•]|\band\b|\bas well as\b|\bplus\b)\s*", re.IGNORECASE
)
_LEAD_WORD = re.compile(r"^(?:the|its|their|a|an|any|also|and)\s+", re.IGNORECASE)
_MAX_FIELDS, _MAX_NAME_WORDS = 30, 4
_KINDS: dict[str, dict[str, Any]] = {
    "price": {"type": "number"}, "rating": {"type": "number"}, "number": {"type": "number"},
    "count": {"type": "integer"}, "date": {"type": "string", "format": "date"},
    "email": {"type": "string", "format": "email"},
    "list": {"type": "array", "items": {"type": "string"}},
}  # fmt: skip
_POLITE = word_set("please can could would you kindly i want need to we")
# what no page states word for word, and questions
_TASK_WORDS = word_set(
    "summarise summarize summary classify categorise categorize explain describe compare analyse "
    "analyze translate evaluate assess judge rate decide determine interpret infer estimate "
    "predict write rewrite paraphrase answer rank recommend why how does do did is are was were "
    "should will whether who when where"
)
_UNSPECIFIC = word_set("information data detail everything content page fact structured datum info")


def asks_for_judgement(prompt: str) -> str:
    """Return the word with which a prompt asks for more than fields of a page; '' if none."""
    words = re.findall(r"[^\W\d_]+", prompt[:200].lower())
    start = [word for word in words if word not in _POLITE][:1]
    return start[0] if start and start[0] in _TASK_WORDS else ""


def schema_from_prompt(prompt: str) -> dict[str, Any] | None:
    """Return a schema with the fields a prompt names; None where it names none."""
    text = _REQUEST_VERB.sub("", " ".join(prompt.split())[:2000]).strip(" .!?:")
    list_name, names = _list_and_fields(text)
    fields = _fields(_LOCATION.sub("", names))
    if not fields:
        return None
    record = {"type": "object", "properties": fields}
    key = _camel(list_name)
    if not key:
        return record
    return {"type": "object", "properties": {key: {"type": "array", "items": record}}}


def _list_and_fields(text: str) -> tuple[str, str]:
    """Return the name of the list ("" for a single record) and the names of the fields."""
    if match := _LIST_WITH_FIELDS.match(text):
        return match[1], match[2]
    if match := _FIELDS_OF_LIST.match(text):
        return match[2], match[1]
    return "", text


def _fields(text: str) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for phrase in _SEPARATOR.split(text):
        name = _LEAD_WORD.sub("", phrase.strip(" .()\"'")).strip()
        key = field_key(name)
        is_field = len(name.split()) <= _MAX_NAME_WORDS and _UNSPECIFIC.isdisjoint(key.split())
        if is_field and (camel := _camel(name)):
            concept = next(iter(concepts_of(key)), NO_CONCEPT)
            fields[camel] = {**_KINDS.get(concept.kind, {"type": "string"}), "title": name}
    return dict(islice(fields.items(), _MAX_FIELDS))


def _camel(name: str) -> str:
    """Return a name in camel case; empty when the text has neither letters nor digits."""
    words = re.findall(r"[^\W_]+", name)
    pascal = "".join(word[:1].upper() + word[1:] for word in words)
    return pascal[:1].lower() + pascal[1:]
