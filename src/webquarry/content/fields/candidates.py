"""Finds candidates for the value of a field on a page, the most reliable first."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from webquarry.content.fields import value_parser
from webquarry.content.fields.facts import FieldValue, PageFact, PageView, shorten_quote
from webquarry.content.fields.field_names import CONCEPTS, NO_CONCEPT
from webquarry.content.fields.field_spec import FieldSpec
from webquarry.content.fields.structured_data import matching_properties, value_text, values_at
from webquarry.content.fields.typed_values import typed_value
from webquarry.content.html.json_ld import as_list
from webquarry.content.text.word_list import word_set

_LABELLED_METHODS = frozenset(("definition list", "table", "label"))
# too common as a class name to identify the content of an element
_GENERIC_CLASSES = word_set(
    "now item product event entry from with by time total make call open hour job "
    "place day amount act unit team office web link type role serve star by page "
    "review rating course size posted start end until finish about interest host "
    "topic subject heading"
)
_BY_NAME = {concept.name: concept for concept in CONCEPTS}
_RELATED = {"currency": "price", "salary min": "salary", "salary max": "salary"}
_LIST_SEPARATOR = re.compile(r"(?:(?<!\s)\s++)?[,;•·|]\s*")
NOT_FOUND = "not found on the page"
_SEVERAL_VALUES = ("performer", "cuisine", "employment type", "category")


def scalar_value(field: FieldSpec, view: PageView) -> FieldValue:
    """Return the value of a field that has one."""
    reason = ""
    for tier in _tiers(field, view):
        values, problem = _distinct_values(field, tier, view.url)
        reason = reason or problem
        if len(values) == 1:
            return values[0]
        if values:
            texts = ", ".join(shorten_quote(str(each.value))[:40] for each in values[:3])
            reason = f"ambiguous: the page says {texts}"
            if values[0].method in ("json-ld", "microdata"):
                break
    return FieldValue(reason=reason or NOT_FOUND)


def _distinct_values(
    field: FieldSpec, candidates: Iterable[PageFact], url: str
) -> tuple[list[FieldValue], str]:
    """Return the different values of the candidates, and the first reason why one is invalid."""
    values: dict[str, FieldValue] = {}
    reason = ""
    is_joined = field.type == "string" and not field.format and field.kind != "url"
    for candidate in candidates:
        text = ", ".join(candidate.values if is_joined else candidate.values[:1])
        value, problem = typed_value(field, text, candidate.attribute, url)
        reason = reason or problem
        if value is not None:
            found = FieldValue(value, candidate.method, candidate.quote)
            values.setdefault(str(value).casefold(), found)
    return list(values.values()), reason


def list_value(field: FieldSpec, view: PageView) -> FieldValue:
    """Return the values of a field that has a list of them."""
    item = field.item(field.pointer)
    reason = ""
    for tier in _tiers(field, view, many=True):
        candidates = list(tier)
        parsed = [typed_value(item, text, "", view.url) for text in _list_texts(field, candidates)]
        reason = reason or next((problem for _, problem in parsed if problem), "")
        values: list[Any] = [value for value, _ in parsed if value is not None]
        if values and len(values) == len(parsed):
            quote = shorten_quote(" | ".join(candidate.quote for candidate in candidates))
            return FieldValue(values, candidates[0].method, quote)
    return FieldValue(reason=reason or NOT_FOUND)


def _list_texts(field: FieldSpec, candidates: Iterable[PageFact]) -> list[str]:
    texts = [text for candidate in candidates for text in candidate.values]
    if len(texts) == 1:
        texts = _split_list(field, texts[0])
    return list(dict.fromkeys(texts))


def _split_list(field: FieldSpec, text: str) -> list[str]:
    if "\n" in text:
        return list(filter(None, text.split("\n")))
    if field.is_about("instruction", "ingredient", "responsibility"):
        return list(filter(None, re.split(r"(?<=[.!])\s+(?=[A-ZÀ-Ý\d])", text)))
    return _LIST_SEPARATOR.split(text)


def _tiers(field: FieldSpec, view: PageView, *, many: bool = False) -> Iterator[Iterable[PageFact]]:
    """Yield groups of candidates, the most reliable source first."""
    for item in view.items:
        yield from _from_item(field, item.node, item.method, many=many)
    if field.is_about("name") and view.heading:
        yield [PageFact("", (view.heading,), "heading", view.heading)]
    yield from _from_facts(field, view, many=many)
    if view.is_page:
        metas = _facts(view, [f"meta {name}" for name in field.concept.metas])
        yield [replace(meta, attribute=meta.values[0]) for meta in metas[:1]]
        yield _from_patterns(field, view)


def _from_item(
    field: FieldSpec, node: dict[str, Any], method: str, *, many: bool
) -> Iterator[list[PageFact]]:
    by_path = [
        (name, as_list(value))
        for key in field.keys
        for name, value in matching_properties(node, key)
    ]
    by_path += [(path, values_at(node, path)) for path in field.paths]
    for path, values in by_path:
        texts = list(dict.fromkeys(filter(None, (_text(value, many=many) for value in values))))
        if texts:
            quote = shorten_quote(f"{path}: {'; '.join(texts)}")
            yield _item_candidates(field, texts, method, quote, many=many)


def _item_candidates(
    field: FieldSpec, texts: list[str], method: str, quote: str, *, many: bool
) -> list[PageFact]:
    if many or field.kind in ("person", "list") or field.is_about(*_SEVERAL_VALUES):
        return [PageFact("", tuple(texts), method, quote)]
    if field.kind == "url":
        return [PageFact("", (texts[0],), method, quote, texts[0])]
    return [PageFact("", (text,), method, quote) for text in texts]


def _text(value: Any, *, many: bool) -> str:
    if many and isinstance(value, str) and "\n" in value:
        return "\n".join(" ".join(line.split()) for line in value.splitlines() if line.strip())
    return value_text(value)


def _from_facts(field: FieldSpec, view: PageView, *, many: bool) -> Iterator[list[PageFact]]:
    """Yield candidates from visible labels: by the field's names, synonyms and related concept."""
    yield from _from_labels(field, _facts(view, field.keys), many=many)
    synonyms = _facts(view, sorted(field.concept.labels))
    specific = [f for f in synonyms if f.method != "element" or f.key not in _GENERIC_CLASSES]
    yield from _from_labels(field, specific, many=many)
    related = _BY_NAME.get(_RELATED.get(field.concept.name, ""), NO_CONCEPT)
    facts = _facts(view, sorted(related.labels - _GENERIC_CLASSES))
    yield _of_method(facts, *_LABELLED_METHODS)
    yield _of_method(facts, "element")


def _facts(view: PageView, keys: Iterable[str]) -> list[PageFact]:
    return [fact for key in keys for fact in view.facts.get(key, ())]


def _from_labels(
    field: FieldSpec, facts: list[PageFact], *, many: bool
) -> Iterator[list[PageFact]]:
    yield _of_method(facts, *_LABELLED_METHODS)
    yield _from_elements(field, _of_method(facts, "element"), many=many)
    below = _of_method(facts, "heading")
    yield below if many else [fact for fact in below if _fits_heading(field, fact)]


def _of_method(facts: Iterable[PageFact], *methods: str) -> list[PageFact]:
    return [fact for fact in facts if fact.method in methods]


def _fits_heading(field: FieldSpec, fact: PageFact) -> bool:
    """Tell whether the text below a heading may be a single value."""
    return len(fact.values) == 1 and (len(fact.values[0]) < 120 or field.is_about("description"))


def _from_elements(field: FieldSpec, facts: list[PageFact], *, many: bool) -> list[PageFact]:
    if many:
        same_key = [fact for fact in facts if fact.key == facts[0].key]
        return [fact for fact in same_key if not _contains_others(fact, same_key)]
    if field.type != "string" or field.is_about("description"):
        return facts
    max_values = 4 if field.kind == "address" else 1
    return [f for f in facts if len(f.values) <= max_values and len(f.values[0]) < 200]


def _contains_others(fact: PageFact, facts: list[PageFact]) -> bool:
    """Tell whether a fact is the element around several of the others."""
    others = {other.values for other in facts if other.values != fact.values}
    return sum(all(value in fact.values[0] for value in values) for values in others) > 1


def _from_patterns(field: FieldSpec, view: PageView) -> Iterable[PageFact]:
    """Return values that are recognised only by their form."""
    name = "email" if field.format == "email" else field.concept.name
    if pattern := _TEXT_PATTERNS.get(name):
        return _quoted_matches(pattern, view.text)
    facts = view.facts.get(_PATTERN_FACTS.get(name, ""), ())
    return [replace(fact, method="pattern") for fact in facts]


_RATING = re.compile(r"\b\d(?:[.,]\d+)?\s*(?:/|out of)\s*5\b|\b\d[.,]\d\s*stars?\b", re.IGNORECASE)
_REVIEWS = re.compile(r"\b\d[\d,.]{0,20}\s+(?:customer\s+)?(?:reviews|ratings)\b", re.IGNORECASE)
_TEXT_PATTERNS = {"email": value_parser.EMAIL, "rating": _RATING, "review count": _REVIEWS}
_PATTERN_FACTS = {  # concept -> key of facts
    "price": "price alone",  # in prose it may be the price of anything
    "currency": "price alone",
    "phone": "link tel",
    **dict.fromkeys(("date", "start date", "published", "date posted"), "time"),
}


def _quoted_matches(pattern: re.Pattern[str], text: str) -> Iterator[PageFact]:
    for match in pattern.finditer(text):
        context = text[max(0, match.start() - 40) : match.end() + 40]
        yield PageFact("", (match[0],), "pattern", shorten_quote(context))
