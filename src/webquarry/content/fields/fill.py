"""Fills a schema from a page."""

from dataclasses import dataclass, field
from typing import Any

from webquarry.content.dom import Element
from webquarry.content.fields.facts import Found, Statements, View, shortened
from webquarry.content.fields.finding import NOWHERE, scalar, several
from webquarry.content.fields.reading import read_value
from webquarry.content.fields.records import card_view, listings
from webquarry.content.fields.schema import complaint
from webquarry.content.fields.selectors import selected, shown
from webquarry.content.fields.sights import exact_of
from webquarry.content.fields.statements import alike, found_at
from webquarry.content.fields.wanted import Wanted, wanted
from webquarry.content.jsonld import as_list, as_node
from webquarry.content.wordlist import words

_GENERIC = frozenset(words("name description url image date published rating modified site"))
_WHOLE_VALUE = frozenset(words("name value text label full"))
_LEAST_SHARE = 0.5
_SAMPLE = 3
_SCALARS = frozenset(("string", "number", "integer", "boolean"))


@dataclass
class Filled:
    """The data, and where each value came from, by JSON pointer."""

    data: Any = None
    sources: dict[str, Found] = field(default_factory=dict[str, Found])
    missing: dict[str, str] = field(default_factory=dict[str, str])

    def note(self, pointer: str, found: Found) -> Any:
        """Remember where a value came from, or why there is none."""
        if found:
            self.sources[pointer] = found
        else:
            self.missing[pointer] = found.reason or NOWHERE
        return found.value


class Filler:
    """Walks through a schema and asks the page for each field."""

    def __init__(self, told: list[Statements]) -> None:
        self._told = told

    def fill(self, schema: dict[str, Any], view: View) -> Filled:
        """Return the schema filled from a page."""
        filled = Filled()
        filled.data = self._value(wanted("", schema, ""), view, filled)
        return filled

    def _value(self, field: Wanted, view: View, filled: Filled) -> Any:
        selector = field.schema.get("x-selector")
        if isinstance(selector, str):
            return self._selected(field, selector, view, filled)
        if field.type == "object":
            return self._object(field, view, filled)
        if field.type == "array":
            return self._array(field, view, filled)
        return filled.note(field.pointer, scalar(field, view))

    def _object(self, field: Wanted, view: View, filled: Filled) -> dict[str, Any]:
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
        self, parent: str, field: Wanted, view: View, filled: Filled
    ) -> dict[str, Any] | None:
        """Fill an object that is part of another: only from what is said about that part."""
        data: dict[str, Any] = {}
        nodes = tuple(self._parts(field, view))
        for name, schema in field.schema["properties"].items():
            pointer = f"{field.pointer}/{name.replace('~', '~0').replace('/', '~1')}"
            one = wanted(name, schema, pointer, parent)
            if one.type == "object" and "x-selector" not in schema:
                data[name] = self._inner(name, one, View(url=view.url, statements=nodes), filled)
                continue
            data[name] = self._part(name, one, (field, view, nodes), filled)
        if all(value is None for value in data.values()):
            filled.missing.setdefault(field.pointer, NOWHERE)
        return data

    def _part(
        self,
        name: str,
        one: Wanted,
        about: tuple[Wanted, View, tuple[Statements, ...]],
        filled: Filled,
    ) -> Any:
        parent, view, nodes = about
        inside = View(url=view.url, statements=nodes, whole=False, source=view.source)
        trial = Filled()
        value = self._value(one, inside, trial)
        loose = one.type in _SCALARS and "x-selector" not in one.schema
        if value is None and loose and name.lower() in _WHOLE_VALUE:
            as_one = Wanted(one.schema, parent.keys, parent.concepts, one.pointer)
            trial = Filled()
            value = trial.note(one.pointer, scalar(as_one, view))
        elif value is None and loose and not (one.concepts and one.concepts[0].name in _GENERIC):
            trial = Filled()
            value = trial.note(one.pointer, scalar(one, view))
        filled.sources.update(trial.sources)
        filled.missing.update(trial.missing)
        return value

    def _parts(self, field: Wanted, view: View) -> list[Statements]:
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

    def _array(self, field: Wanted, view: View, filled: Filled) -> list[Any] | None:
        if field.schema["items"]["type"] != "object":
            found = several(field, view)
            wrong = complaint(found.value, field.schema) if found else ""
            return filled.note(field.pointer, Found(reason=f"the list {wrong}") if wrong else found)
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
            return filled.note(field.pointer, Found(reason="no list of such things on the page"))
        return self._kept(field, best, filled)

    def _record(self, field: Wanted, view: View, place: int) -> Filled:
        item = Wanted(field.schema["items"], (), (), f"{field.pointer}/{place}")
        one = Filled()
        one.data = self._object(item, view, one)
        return one

    def _kept(self, field: Wanted, records: list[Filled], filled: Filled) -> list[Any] | None:
        wrong = complaint([one.data for one in records], field.schema)
        if wrong:
            return filled.note(field.pointer, Found(reason=f"the list {wrong}"))
        for place, one in enumerate(records):
            at = f"{field.pointer}/{place}"
            filled.sources.update({at + _inside(p, field): v for p, v in one.sources.items()})
            filled.missing.update({at + _inside(p, field): v for p, v in one.missing.items()})
        return [one.data for one in records]

    def _selected(self, field: Wanted, selector: str, view: View, filled: Filled) -> Any:
        top = view.source if view.source is not None else view.element
        found = selected(top, selector) if top is not None else []
        bare = {name: value for name, value in field.schema.items() if name != "x-selector"}
        inner = Wanted(bare, field.keys, field.concepts, field.pointer)
        if not found:
            return filled.note(field.pointer, Found(reason=f"{selector!r} matches nothing"))
        if field.type in _SCALARS:
            return filled.note(field.pointer, _exactly(inner, found[0], view.url))
        if field.type == "object":
            return self._object(inner, _scope(found[0], view), filled)
        return self._each(inner, found, view, filled)

    def _each(
        self, field: Wanted, found: list[Element | str], view: View, filled: Filled
    ) -> list[Any]:
        item = field.schema["items"]
        values: list[Any] = []
        for place, one in enumerate(found):
            each = Wanted(item, field.keys, field.concepts, f"{field.pointer}/{place}")
            if item["type"] == "object":
                values.append(self._object(each, _scope(one, view), filled))
            else:
                values.append(filled.note(each.pointer, _exactly(each, one, view.url)))
        return values


def _exactly(field: Wanted, one: Element | str, base: str) -> Found:
    text = shown(one)
    exact = text if isinstance(one, str) else exact_of(one)
    value, reason = read_value(field, text, exact, base)
    return Found(value, "selector", shortened(text or exact), reason)


def _scope(one: Element | str, view: View) -> View:
    return View(url=view.url, whole=False) if isinstance(one, str) else card_view(one, view)


def _share(one: Filled) -> float:
    told = sum(1 for value in one.data.values() if value is not None and value != {})
    return told / len(one.data) if one.data else 0.0


def _inside(pointer: str, field: Wanted) -> str:
    """Return the part of a pointer behind the item of the list that it leads into."""
    return "/" + pointer[len(field.pointer) + 1 :].partition("/")[2]
