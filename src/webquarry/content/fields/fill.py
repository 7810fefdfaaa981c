"""Fills a schema from a page."""

from dataclasses import dataclass, field
from typing import Any

from webquarry.content.fields.candidates import NOWHERE, scalar, several
from webquarry.content.fields.facts import FieldValue, PageView, Statements, shortened
from webquarry.content.fields.field_spec import FieldSpec, wanted
from webquarry.content.fields.json_schema import complaint
from webquarry.content.fields.repeated_records import card_view, listings
from webquarry.content.fields.selectors import selected, shown
from webquarry.content.fields.structured_data import alike, found_at
from webquarry.content.fields.typed_values import read_value
from webquarry.content.fields.visible_labels import exact_of
from webquarry.content.html.dom import Element
from webquarry.content.html.json_ld import as_list, as_node
from webquarry.content.text.word_list import words

_GENERIC = frozenset(words("name description url image date published rating modified site"))
_WHOLE_VALUE = frozenset(words("name value text label full"))
_LEAST_SHARE = 0.5
_SAMPLE = 3
_SCALARS = frozenset(("string", "number", "integer", "boolean"))


@dataclass
class FilledSchema:
    """The data, and where each value came from, by JSON pointer."""

    data: Any = None
    sources: dict[str, FieldValue] = field(default_factory=dict[str, FieldValue])
    missing: dict[str, str] = field(default_factory=dict[str, str])

    def note(self, pointer: str, found: FieldValue) -> Any:
        """Remember where a value came from, or why there is none."""
        if found:
            self.sources[pointer] = found
        else:
            self.missing[pointer] = found.reason or NOWHERE
        return found.value


class SchemaFiller:
    """Walks through a schema and asks the page for each field."""

    def __init__(self, told: list[Statements]) -> None:
        self._told = told

    def fill(self, schema: dict[str, Any], view: PageView) -> FilledSchema:
        """Return the schema filled from a page."""
        filled = FilledSchema()
        filled.data = self._value(wanted("", schema, ""), view, filled)
        return filled

    def _value(self, field: FieldSpec, view: PageView, filled: FilledSchema) -> Any:
        selector = field.schema.get("x-selector")
        if isinstance(selector, str):
            return self._selected(field, selector, view, filled)
        if field.type == "object":
            return self._object(field, view, filled)
        if field.type == "array":
            return self._array(field, view, filled)
        return filled.note(field.pointer, scalar(field, view))

    def _object(self, field: FieldSpec, view: PageView, filled: FilledSchema) -> dict[str, Any]:
        data: dict[str, Any] = {}
        for name, schema in field.schema["properties"].items():
            pointer = f"{field.pointer}/{name.replace('~', '~0').replace('/', '~1')}"
            one = wanted(name, schema, pointer)
            nested = one.type == "object" and "x-selector" not in schema
            data[name] = (
                self._inner(name, one, view, filled) if nested else self._value(one, view, filled)
            )
        return data

    def _inner(
        self, parent: str, field: FieldSpec, view: PageView, filled: FilledSchema
    ) -> dict[str, Any] | None:
        """Fill an object that is part of another: only from what is said about that part."""
        data: dict[str, Any] = {}
        nodes = tuple(self._parts(field, view))
        for name, schema in field.schema["properties"].items():
            pointer = f"{field.pointer}/{name.replace('~', '~0').replace('/', '~1')}"
            one = wanted(name, schema, pointer, parent)
            if one.type == "object" and "x-selector" not in schema:
                data[name] = self._inner(
                    name, one, PageView(url=view.url, statements=nodes), filled
                )
                continue
            data[name] = self._part(name, one, (field, view, nodes), filled)
        if all(value is None for value in data.values()):
            filled.missing.setdefault(field.pointer, NOWHERE)
        return data

    def _part(
        self,
        name: str,
        one: FieldSpec,
        about: tuple[FieldSpec, PageView, tuple[Statements, ...]],
        filled: FilledSchema,
    ) -> Any:
        parent, view, nodes = about
        inside = PageView(url=view.url, statements=nodes, whole=False, source=view.source)
        trial = FilledSchema()
        value = self._value(one, inside, trial)
        loose = one.type in _SCALARS and "x-selector" not in one.schema
        if value is None and loose and name.lower() in _WHOLE_VALUE:
            as_one = FieldSpec(one.schema, parent.keys, parent.concepts, one.pointer)
            trial = FilledSchema()
            value = trial.note(one.pointer, scalar(as_one, view))
        elif value is None and loose and not (one.concepts and one.concepts[0].name in _GENERIC):
            trial = FilledSchema()
            value = trial.note(one.pointer, scalar(one, view))
        filled.sources.update(trial.sources)
        filled.missing.update(trial.missing)
        return value

    def _parts(self, field: FieldSpec, view: PageView) -> list[Statements]:
        found: list[Statements] = []
        for told in view.statements:
            values = [
                v
                for key in field.keys
                for _, value in alike(told.node, key)
                for v in as_list(value)
            ]
            for concept in field.concepts:
                for path in concept.paths:
                    trimmed = (
                        path.rpartition(".")[0]
                        if path.endswith((".name", "Value", ".price"))
                        else path
                    )
                    values += found_at(told.node, trimmed) if trimmed else []
            nodes = [as_node(value) for value in values if isinstance(value, dict)]
            found += [Statements(node, told.method) for node in nodes[:1]]
        return found

    def _array(self, field: FieldSpec, view: PageView, filled: FilledSchema) -> list[Any] | None:
        if field.schema["items"]["type"] != "object":
            found = several(field, view)
            wrong = complaint(found.value, field.schema) if found else ""
            return filled.note(
                field.pointer, FieldValue(reason=f"the list {wrong}") if wrong else found
            )
        best, score = None, 0.0
        for listing in listings(field, view, self._told):
            first = [self._record(field, make(), 0) for make in listing.views[:_SAMPLE]]
            if all(_share(one) < _LEAST_SHARE for one in first):
                continue
            tried = [self._record(field, make(), at) for at, make in enumerate(listing.views)]
            kept = [one for one in tried if _share(one) >= _LEAST_SHARE]
            mean = sum(map(_share, kept)) / len(tried) if tried else 0.0
            worth = mean + (0.3 if listing.named else 0) + min(len(kept), 50) * 0.002
            if len(kept) > (0 if listing.named else 1) and worth > score + 1e-9:
                best, score = [one for one in tried if _share(one) > 0], worth
        if best is None:
            return filled.note(
                field.pointer, FieldValue(reason="no list of such things on the page")
            )
        return self._kept(field, best, filled)

    def _record(self, field: FieldSpec, view: PageView, place: int) -> FilledSchema:
        item = FieldSpec(field.schema["items"], (), (), f"{field.pointer}/{place}")
        one = FilledSchema()
        one.data = self._object(item, view, one)
        return one

    def _kept(
        self, field: FieldSpec, records: list[FilledSchema], filled: FilledSchema
    ) -> list[Any] | None:
        wrong = complaint([one.data for one in records], field.schema)
        if wrong:
            return filled.note(field.pointer, FieldValue(reason=f"the list {wrong}"))
        for place, one in enumerate(records):
            at = f"{field.pointer}/{place}"
            filled.sources.update({at + _inside(p, field): v for p, v in one.sources.items()})
            filled.missing.update({at + _inside(p, field): v for p, v in one.missing.items()})
        return [one.data for one in records]

    def _selected(
        self, field: FieldSpec, selector: str, view: PageView, filled: FilledSchema
    ) -> Any:
        top = view.source if view.source is not None else view.element
        found = selected(top, selector) if top is not None else []
        bare = {name: value for name, value in field.schema.items() if name != "x-selector"}
        inner = FieldSpec(bare, field.keys, field.concepts, field.pointer)
        if not found:
            return filled.note(field.pointer, FieldValue(reason=f"{selector!r} matches nothing"))
        if field.type in _SCALARS:
            return filled.note(field.pointer, _exactly(inner, found[0], view.url))
        if field.type == "object":
            return self._object(inner, _scope(found[0], view), filled)
        return self._each(inner, found, view, filled)

    def _each(
        self, field: FieldSpec, found: list[Element | str], view: PageView, filled: FilledSchema
    ) -> list[Any]:
        item = field.schema["items"]
        values: list[Any] = []
        for place, one in enumerate(found):
            each = FieldSpec(item, field.keys, field.concepts, f"{field.pointer}/{place}")
            if item["type"] == "object":
                values.append(self._object(each, _scope(one, view), filled))
            else:
                values.append(filled.note(each.pointer, _exactly(each, one, view.url)))
        return values


def _exactly(field: FieldSpec, one: Element | str, base: str) -> FieldValue:
    text = shown(one)
    exact = text if isinstance(one, str) else exact_of(one)
    value, reason = read_value(field, text, exact, base)
    return FieldValue(value, "selector", shortened(text or exact), reason)


def _scope(one: Element | str, view: PageView) -> PageView:
    return PageView(url=view.url, whole=False) if isinstance(one, str) else card_view(one, view)


def _share(one: FilledSchema) -> float:
    told = sum(1 for value in one.data.values() if value is not None and value != {})
    return told / len(one.data) if one.data else 0.0


def _inside(pointer: str, field: FieldSpec) -> str:
    """Return the part of a pointer behind the item of the list that it leads into."""
    return "/" + pointer[len(field.pointer) + 1 :].partition("/")[2]
