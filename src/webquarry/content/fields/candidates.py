"""Finds what a page says about one field, the surest statement first."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from webquarry.content.fields import value_parser as values
from webquarry.content.fields.facts import FieldValue, PageFact, PageView, shortened
from webquarry.content.fields.field_names import CONCEPTS, key_of
from webquarry.content.fields.field_spec import FieldSpec
from webquarry.content.fields.structured_data import alike, found_at, words_for
from webquarry.content.fields.typed_values import read_value
from webquarry.content.html.json_ld import as_list
from webquarry.content.text.word_list import words

_SURE = frozenset(("definition list", "table", "label"))
# too common as a class to say what an element holds
_VAGUE = frozenset(
    words(
        "now item product event entry from with by time total make call open hour job "
        "place day amount act unit team office web link type role serve star by page "
        "review rating course size posted start end until finish about interest host "
        "topic subject heading"
    )
)
_BY_NAME = {concept.name: concept for concept in CONCEPTS}
_KIN = {"currency": "price", "salary min": "salary", "salary max": "salary"}
_SPLIT = re.compile(r"\s*[,;•·|]\s*")
NOWHERE = "not found on the page"
_PROSE = frozenset(("description",))


@dataclass(frozen=True)
class FieldCandidate:
    """Something a page says that may be the value of a field."""

    texts: tuple[str, ...]
    method: str
    quote: str
    exact: str = ""


def scalar(field: FieldSpec, view: PageView) -> FieldValue:
    """Return the value of a field that has one."""
    reason = ""
    for tier in _tiers(field, view):
        read: dict[str, FieldValue] = {}
        for seen in tier:
            text = _one_text(field, seen)
            value, why = read_value(field, text, seen.exact, view.url)
            reason = reason or why
            if value is not None:
                read.setdefault(str(value).casefold(), FieldValue(value, seen.method, seen.quote))
        if len(read) == 1:
            return next(iter(read.values()))
        if len(read) > 1:
            told = ", ".join(shortened(str(one.value))[:40] for one in list(read.values())[:3])
            reason = f"ambiguous: the page says {told}"
            if next(iter(read.values())).method in ("json-ld", "microdata"):
                break
    return FieldValue(reason=reason or NOWHERE)


def _one_text(field: FieldSpec, seen: FieldCandidate) -> str:
    joined = field.type == "string" and not field.format and field.kind != "url"
    return ", ".join(seen.texts) if joined else next(iter(seen.texts), "")


def several(field: FieldSpec, view: PageView) -> FieldValue:
    """Return the values of a field that has a list of them."""
    item = FieldSpec(field.schema["items"], field.keys, field.concepts, field.pointer)
    reason = ""
    for tier in _tiers(field, view, many=True):
        sightings = list(tier)
        texts = [text for seen in sightings for text in seen.texts]
        if len(texts) == 1:
            texts = _split(field, texts[0])
        read = [read_value(item, text, "", view.url) for text in dict.fromkeys(texts)]
        reason = reason or next((why for _, why in read if why), "")
        found: list[Any] = [value for value, _ in read if value is not None]
        if found and len(found) == len(read):
            quote = shortened(" | ".join(seen.quote for seen in sightings))
            return FieldValue(found, sightings[0].method, quote)
    return FieldValue(reason=reason or NOWHERE)


def _split(field: FieldSpec, text: str) -> list[str]:
    if field.means("instruction", "ingredient", "responsibility") and "\n" not in text:
        return [part for part in re.split(r"(?<=[.!])\s+(?=[A-ZÀ-Ý\d])", text) if part]
    return [part for part in re.split(r"\n", text) if part] if "\n" in text else _SPLIT.split(text)


def _tiers(
    field: FieldSpec, view: PageView, *, many: bool = False
) -> Iterator[Iterable[FieldCandidate]]:
    for told in view.statements:
        yield from _stated(field, told.node, told.method, many=many)
    if field.means("name") and view.heading:
        yield [FieldCandidate((view.heading,), "heading", view.heading)]
    yield from _seen(field, view, many=many)
    if view.whole:
        yield [seen for concept in field.concepts[:1] for seen in _metas(concept.metas, view)]
        yield list(_patterns(field, view))


def _stated(
    field: FieldSpec, node: dict[str, Any], method: str, *, many: bool
) -> Iterator[list[FieldCandidate]]:
    ways = [(name, as_list(value)) for key in field.keys for name, value in alike(node, key)]
    ways += [(path, found_at(node, path)) for one in field.concepts for path in one.paths]
    for path, found in ways:
        texts = list(dict.fromkeys(filter(None, (_worded(value, many=many) for value in found))))
        if not texts:
            continue
        quote = shortened(f"{path}: {'; '.join(texts)}")
        if (
            many
            or field.kind in ("person", "list")
            or field.means("performer", "cuisine", "employment type", "category")
        ):
            yield [FieldCandidate(tuple(texts), method, quote)]
        elif field.kind == "url":
            yield [FieldCandidate((texts[0],), method, quote, texts[0])]
        else:
            yield [FieldCandidate((text,), method, quote) for text in texts]


def _worded(value: Any, *, many: bool) -> str:
    if many and isinstance(value, str) and "\n" in value:
        return "\n".join(" ".join(line.split()) for line in value.splitlines() if line.strip())
    return words_for(value)


def _seen(field: FieldSpec, view: PageView, *, many: bool) -> Iterator[list[FieldCandidate]]:
    synonyms = sorted(field.concepts[0].labels) if field.concepts else []
    for keys, vague in ((field.keys, False), (synonyms, True)):
        facts = [fact for key in keys for fact in view.facts.get(key, ())]
        yield _shown(fact for fact in facts if fact.method in _SURE)
        named = [f for f in facts if f.method == "element" and not (vague and f.key in _VAGUE)]
        yield _named_parts(field, named, many=many)
        yield _shown(
            fact for fact in facts if fact.method == "heading" and _fits(field, fact, many=many)
        )
    kin = _BY_NAME.get(_KIN.get(field.concepts[0].name, "")) if field.concepts else None
    for method in (_SURE, {"element"}) if kin else ():
        keys = sorted(kin.labels) if kin else []
        facts = [fact for key in keys for fact in view.facts.get(key, ())]
        yield _shown(fact for fact in facts if fact.method in method and fact.key not in _VAGUE)


def _fits(field: FieldSpec, fact: PageFact, *, many: bool) -> bool:
    """Tell whether what stands below a heading may be the value."""
    if many:
        return True
    return len(fact.values) == 1 and (len(fact.values[0]) < 120 or field.means("description"))


def _named_parts(field: FieldSpec, facts: list[PageFact], *, many: bool) -> list[FieldCandidate]:
    if not many and field.type == "string" and not field.means("description"):
        most = 4 if field.kind == "address" else 1
        facts = [f for f in facts if len(f.values) <= most and len(f.values[0]) < 200]
    if not many:
        return _shown(facts)
    keys = [fact.key for fact in facts]
    mine = [fact for fact in facts if fact.key == keys[0]]
    return _shown(fact for fact in mine if not _holds_others(fact, mine))


def _holds_others(fact: PageFact, facts: list[PageFact]) -> bool:
    """Tell the box around some parts from the parts."""
    inside = {one.values for one in facts if one.values != fact.values}
    return sum(all(value in fact.values[0] for value in values) for values in inside) > 1


def _shown(facts: Iterable[PageFact]) -> list[FieldCandidate]:
    return [FieldCandidate(fact.values, fact.method, fact.quote, fact.exact) for fact in facts]


def _metas(names: Iterable[str], view: PageView) -> Iterator[FieldCandidate]:
    for name in names:
        for fact in view.facts.get(f"meta {name}", ())[:1]:
            yield FieldCandidate(fact.values, fact.method, fact.quote, fact.values[0])
            return


def _patterns(field: FieldSpec, view: PageView) -> Iterator[FieldCandidate]:
    """Yield what only its form gives away, where the page has one thing of that form."""
    kind = "email" if field.format == "email" else field.kind
    if field.means("price", "currency"):
        facts = view.facts.get("price alone", ())  # in prose it may be the price of anything
        yield from (FieldCandidate(fact.values, "pattern", fact.quote) for fact in facts)
    elif kind == "email":
        yield from _alone(values.EMAIL.finditer(view.text), view.text)
    elif field.means("phone"):
        facts = view.facts.get("link tel", ())
        yield from (
            FieldCandidate(fact.values, "pattern", fact.quote, fact.exact) for fact in facts
        )
    elif field.means("rating"):
        yield from _alone(_RATED.finditer(view.text), view.text)
    elif field.means("review count"):
        yield from _alone(_REVIEWED.finditer(view.text), view.text)
    elif field.means("date", "start date", "published", "date posted"):
        facts = view.facts.get("time", ())
        yield from (
            FieldCandidate(fact.values, "pattern", fact.quote, fact.exact) for fact in facts
        )


_RATED = re.compile(r"\b\d(?:[.,]\d+)?\s*(?:/|out of)\s*5\b|\b\d[.,]\d\s*stars?\b", re.IGNORECASE)
_REVIEWED = re.compile(r"\b\d[\d,.]*\s+(?:customer\s+)?(?:reviews|ratings)\b", re.IGNORECASE)


def _alone(matches: Iterable[re.Match[str]], text: str) -> Iterator[FieldCandidate]:
    for match in matches:
        around = text[max(0, match.start() - 40) : match.end() + 40]
        yield FieldCandidate((match[0],), "pattern", shortened(around))


def known(name: str) -> bool:
    """Tell whether pages are known to say such a thing."""
    return any(key_of(name) in concept.labels for concept in CONCEPTS)
