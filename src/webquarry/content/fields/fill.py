"""Fills a schema from a page, field by field."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from webquarry.content.fields.candidates import NOT_FOUND, list_value, scalar_value
from webquarry.content.fields.facts import FieldValue, PageView, StructuredDataItem, shorten_quote
from webquarry.content.fields.field_spec import FieldSpec, field_spec
from webquarry.content.fields.json_schema import violation
from webquarry.content.fields.repeated_records import card_view, record_lists
from webquarry.content.fields.selectors import select, selected_text
from webquarry.content.fields.structured_data import property_values
from webquarry.content.fields.typed_values import typed_value
from webquarry.content.fields.visible_labels import attribute_of
from webquarry.content.html.dom import Element
from webquarry.content.html.json_ld import as_node
from webquarry.content.text.word_list import word_set

_GENERIC = word_set("name description url image date published rating modified site")
_VALUE_NAMES = word_set("name value text label full")
_MIN_FILLED = 0.5
_SAMPLE = 3
NO_MATCH = "matches nothing"
_LEAF_SUFFIXES = (".name", "Value", ".price")
_SCALARS = frozenset(("string", "number", "integer", "boolean"))


@dataclass
class FilledSchema:
    """The data, and the source of each value by JSON pointer."""

    data: Any = None
    sources: dict[str, FieldValue] = field(default_factory=dict[str, FieldValue])
    missing: dict[str, str] = field(default_factory=dict[str, str])

    def record(self, pointer: str, found: FieldValue) -> Any:
        """Record the source of a value, or why there is none, and return the value."""
        if found:
            self.sources[pointer] = found
        else:
            self.missing[pointer] = found.reason or NOT_FOUND
        return found.value

    def add(self, part: "FilledSchema", old: str = "", new: str = "") -> None:
        """Add the sources of a part, with its pointer `old` changed to `new`."""
        self.sources |= {new + key[len(old) :]: value for key, value in part.sources.items()}
        self.missing |= {new + key[len(old) :]: value for key, value in part.missing.items()}


class SchemaFiller:
    """Fills each field of a schema."""

    def __init__(self, items: list[StructuredDataItem]) -> None:
        self._items = items

    def fill(self, schema: dict[str, Any], view: PageView) -> FilledSchema:
        """Return the schema filled from a page."""
        filled = FilledSchema()
        filled.data = self._value(field_spec("", schema, ""), view, filled)
        return filled

    def _value(self, field: FieldSpec, view: PageView, filled: FilledSchema) -> Any:
        selector = field.schema.get("x-selector")
        if isinstance(selector, str):
            return self._selected(field, selector, view, filled)
        if field.type == "object":
            return self._object(field, view, filled)
        if field.type == "array":
            return self._array(field, view, filled)
        return filled.record(field.pointer, scalar_value(field, view))

    def _object(self, field: FieldSpec, view: PageView, filled: FilledSchema) -> dict[str, Any]:
        data: dict[str, Any] = {}
        for name, schema in field.schema["properties"].items():
            inner = field_spec(name, schema, json_pointer(field.pointer, name))
            fill = self._nested if _is_plain_object(inner) else self._value
            data[name] = fill(inner, view, filled)
        return data

    def _nested(self, field: FieldSpec, view: PageView, filled: FilledSchema) -> dict[str, Any]:
        """Fill an object inside another one only with values that belong to it."""
        data: dict[str, Any] = {}
        parent_name = pointer_name(field.pointer)
        own = PageView(
            url=view.url, items=tuple(_nested_items(field, view)), is_page=False, source=view.source
        )
        for name, schema in field.schema["properties"].items():
            inner = field_spec(name, schema, json_pointer(field.pointer, name), parent_name)
            if _is_plain_object(inner):
                data[name] = self._nested(inner, PageView(url=view.url, items=own.items), filled)
            else:
                data[name] = self._nested_value(inner, own, field, view, filled)
        if all(value is None for value in data.values()):
            filled.missing.setdefault(field.pointer, NOT_FOUND)
        return data

    def _nested_value(
        self,
        field: FieldSpec,
        own: PageView,
        parent: FieldSpec,
        view: PageView,
        filled: FilledSchema,
    ) -> Any:
        trial = FilledSchema()
        value = self._value(field, own, trial)
        if value is None and (fallback := _page_field(field, parent)):
            trial = FilledSchema()
            value = trial.record(field.pointer, scalar_value(fallback, view))
        filled.add(trial)
        return value

    def _array(self, field: FieldSpec, view: PageView, filled: FilledSchema) -> list[Any] | None:
        if field.schema["items"]["type"] == "object":
            return self._records(field, view, filled)
        found = list_value(field, view)
        problem = violation(found.value, field.schema) if found else ""
        return filled.record(
            field.pointer, FieldValue(reason=f"the list {problem}") if problem else found
        )

    def _records(self, field: FieldSpec, view: PageView, filled: FilledSchema) -> list[Any] | None:
        best, best_score = None, 0.0
        for candidates in record_lists(field, view, self._items):
            sample = [self._record(field, make()) for make in candidates.views[:_SAMPLE]]
            if all(_filled_share(record) < _MIN_FILLED for record in sample):
                continue
            made = [self._record(field, make()) for make in candidates.views]
            score = _list_score(made, is_named=candidates.is_named)
            if score > best_score + 1e-9:
                best, best_score = [each for each in made if _filled_share(each) > 0], score
        if best is None:
            reason = "no list of such records on the page"
            return filled.record(field.pointer, FieldValue(reason=reason))
        return _add_records(field, best, filled)

    def _record(self, field: FieldSpec, view: PageView) -> FilledSchema:
        """Return one filled record; its pointers begin at the record."""
        item = FieldSpec(field.schema["items"], (), (), "")
        record = FilledSchema()
        record.data = self._object(item, view, record)
        return record

    def _selected(
        self, field: FieldSpec, selector: str, view: PageView, filled: FilledSchema
    ) -> Any:
        root = view.source if view.source is not None else view.element
        found = select(root, selector) if root is not None else []
        if not found:
            return filled.record(field.pointer, FieldValue(reason=f"{selector!r} {NO_MATCH}"))
        if field.type != "array":
            return self._selected_one(field, found[0], view, filled)
        items = [field.item(f"{field.pointer}/{index}") for index in range(len(found))]
        pairs = zip(items, found, strict=True)
        return [self._selected_one(item, each, view, filled) for item, each in pairs]

    def _selected_one(
        self, field: FieldSpec, found: Element | str, view: PageView, filled: FilledSchema
    ) -> Any:
        if field.type == "object":
            is_text = isinstance(found, str)
            inner = PageView(view.url, is_page=False) if is_text else card_view(found, view)
            return self._object(field, inner, filled)
        return filled.record(field.pointer, _selected_value(field, found, view.url))


def json_pointer(parent: str, name: str) -> str:
    """Return the JSON pointer of a property (RFC 6901)."""
    return f"{parent}/{name.replace('~', '~0').replace('/', '~1')}"


def pointer_name(pointer: str) -> str:
    """Return the name of the property that a JSON pointer ends with."""
    return pointer.rpartition("/")[2].replace("~1", "/").replace("~0", "~")


def _is_plain_object(field: FieldSpec) -> bool:
    return field.type == "object" and "x-selector" not in field.schema


def _page_field(field: FieldSpec, parent: FieldSpec) -> FieldSpec | None:
    """Return the field to look for on the page when the nested items do not have it."""
    if field.type not in _SCALARS or "x-selector" in field.schema:
        return None
    if pointer_name(field.pointer).lower() in _VALUE_NAMES:
        return FieldSpec(field.schema, parent.keys, parent.concepts, field.pointer)
    return None if field.is_about(*_GENERIC) else field


def _nested_items(field: FieldSpec, view: PageView) -> Iterator[StructuredDataItem]:
    """Yield the first node of a nested object in each item."""
    parents = [p.rpartition(".")[0] if p.endswith(_LEAF_SUFFIXES) else p for p in field.paths]
    for item in view.items:
        values = property_values(item.node, field.keys, filter(None, parents))
        node = next((as_node(value) for value in values if isinstance(value, dict)), None)
        if node is not None:
            yield StructuredDataItem(node, item.method)


def _list_score(records: list[FilledSchema], *, is_named: bool) -> float:
    """Return how well a list fills the fields; 0 for too few records."""
    shares = [share for record in records if (share := _filled_share(record)) >= _MIN_FILLED]
    if len(shares) < (1 if is_named else 2):
        return 0.0
    return sum(shares) / len(records) + (0.3 if is_named else 0) + min(len(shares), 50) * 0.002


def _add_records(
    field: FieldSpec, records: list[FilledSchema], filled: FilledSchema
) -> list[Any] | None:
    problem = violation([record.data for record in records], field.schema)
    if problem:
        return filled.record(field.pointer, FieldValue(reason=f"the list {problem}"))
    for index, record in enumerate(records):
        filled.add(record, new=f"{field.pointer}/{index}")
    return [record.data for record in records]


def _selected_value(field: FieldSpec, found: Element | str, base: str) -> FieldValue:
    text = selected_text(found)
    attribute = text if isinstance(found, str) else attribute_of(found)
    value, reason = typed_value(field, text, attribute, base)
    return FieldValue(value, "selector", shorten_quote(text or attribute), reason)


def _filled_share(record: FilledSchema) -> float:
    filled = sum(value is not None and value != {} for value in record.data.values())
    return filled / len(record.data) if record.data else 0.0
