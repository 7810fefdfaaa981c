"""Checks what a model says against the page: a value without a quote that bears it out is null."""

import re
from collections.abc import Mapping
from typing import Any, cast

from webquarry.content.fields import value_parser
from webquarry.content.fields.facts import FieldValue, shortened
from webquarry.content.fields.field_names import concepts_of, key_of
from webquarry.content.fields.field_spec import FieldSpec, wanted
from webquarry.content.fields.fill import FilledSchema
from webquarry.content.fields.json_schema import complaint
from webquarry.content.html.json_ld import as_node

_MARKS = re.compile(r"[\\*_`|#>\[\]]+")
_SAME = str.maketrans(
    {"\u2019": "'", "\u2018": "'", "“": '"', "”": '"', "\u2013": "-", "—": "-", "\u2212": "-"}
)
_LABELLED = re.compile(r"^[\s|*\-]*([^:|*]{2,40}?)\**\s*(?:\||:)\**[\s|*]*$")
_SHORT = 4  # a shorter text is on every page by chance
_PYTHON: dict[str, tuple[type, ...]] = {
    "string": (str,), "number": (int, float), "integer": (int, float), "boolean": (bool,),
}  # fmt: skip
NOT_SAID = "the model found nothing"
NO_QUOTE = "the model's quote is not on the page"
NOT_IN_QUOTE = "the model's quote does not say so"
NOT_ABOUT = "the model's quote does not name the field"


def normal(text: str) -> str:
    """Return a text without what may differ between a page and a quotation of it."""
    return " ".join(_MARKS.sub(" ", text.translate(_SAME)).casefold().split())


def grounded(
    schema: dict[str, Any], data: Any, quotes: Mapping[str, str], page: str
) -> FilledSchema:
    """Return the data with only those values that the page bears out."""
    judge = _Judge(quotes, normal(page), page)
    judge.filled.data = judge.value(wanted("", schema, ""), data)
    return judge.filled


class _Judge:
    """Goes through data beside its schema."""

    def __init__(self, quotes: Mapping[str, str], page: str, written: str) -> None:
        self._quotes = quotes
        self._page = page
        self._written = written  # as it is, with its lines
        self.filled = FilledSchema()

    def value(self, field: FieldSpec, said: Any) -> Any:
        if field.type == "object":
            return self._object(field, said)
        if field.type == "array":
            return self._array(field, said)
        return self.filled.note(field.pointer, self._leaf(field, said))

    def _object(self, field: FieldSpec, said: Any) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, schema in field.schema["properties"].items():
            pointer = f"{field.pointer}/{name.replace('~', '~0').replace('/', '~1')}"
            found[name] = self.value(wanted(name, schema, pointer), as_node(said).get(name))
        return found

    def _array(self, field: FieldSpec, said: Any) -> list[Any] | None:
        if not isinstance(said, list) or not said:
            return self.filled.note(field.pointer, FieldValue(reason=NOT_SAID))
        item: dict[str, Any] = field.schema["items"]
        kept: list[Any] = []
        for place, one in enumerate(cast("list[Any]", said)):
            inner = _Judge(self._quotes, self._page, self._written)
            each = FieldSpec(item, field.keys, field.concepts, f"{field.pointer}/{place}")
            value = inner.value(each, one)
            if not inner.filled.sources:  # nothing of it is on the page
                continue
            at = f"{field.pointer}/{len(kept)}"
            kept.append(value)
            moved = {at + key[len(each.pointer) :]: v for key, v in inner.filled.sources.items()}
            self.filled.sources.update(moved)
            lost = {at + key[len(each.pointer) :]: v for key, v in inner.filled.missing.items()}
            self.filled.missing.update(lost)
        wrong = complaint(kept, field.schema)
        if not kept or wrong:
            reason = f"the list {wrong}" if kept else NO_QUOTE
            return self.filled.note(field.pointer, FieldValue(reason=reason))
        return kept

    def _leaf(self, field: FieldSpec, said: Any) -> FieldValue:
        if said is None:
            return FieldValue(reason=NOT_SAID)
        if not isinstance(said, _PYTHON[field.type]) or (
            isinstance(said, bool) != (field.type == "boolean")
        ):
            return FieldValue(reason=f"the model gave no {field.type}")
        if field.type == "integer":
            if not float(said).is_integer():
                return FieldValue(reason="the model gave no integer")
            said = int(said)
        if wrong := complaint(said, field.schema):
            return FieldValue(reason=f"the model's value {wrong}")
        quote = self._quotes.get(field.pointer, "")
        if not quote.strip() or normal(quote) not in self._page:
            return (
                self._borne_out(field, said, str(said))
                if self._verbatim(said)
                else FieldValue(reason=NO_QUOTE)
            )
        if not _says(field, said, quote) and self._verbatim(said):
            quote = said
        return self._borne_out(field, said, quote)

    def _verbatim(self, said: Any) -> bool:
        """Tell whether the page has this text, which is too long to be there by chance."""
        told = normal(said) if isinstance(said, str) else ""
        return len(told) >= _SHORT and _whole_words(told, self._page)

    def _borne_out(self, field: FieldSpec, said: Any, quote: str) -> FieldValue:
        if not _says(field, said, quote):
            return FieldValue(reason=NOT_IN_QUOTE)
        if _needs_name(field, said) and not _names(field, quote):
            return FieldValue(reason=NOT_ABOUT)
        if isinstance(said, str) and _said_of_another(field, said, self._written):
            return FieldValue(reason=NOT_ABOUT)
        return FieldValue(said, "llm", shortened(quote))


def _says(field: FieldSpec, said: Any, quote: str) -> bool:
    if isinstance(said, bool):
        after = re.split(r"[:|]", quote, maxsplit=1)[-1]
        return said in (
            value_parser.truth_in(after, field.kind),
            value_parser.truth_in(quote, field.kind),
        )
    if isinstance(said, (int, float)):
        return _has_number(field, float(said), quote)
    if _whole_words(normal(said), normal(quote)):
        return True
    if field.schema.get("enum"):
        return (
            value_parser.option_in(re.split(r"[:|]", quote, maxsplit=1)[-1], field.schema["enum"])
            == said
        )
    if field.kind == "currency":
        return value_parser.currency_in(quote) == said
    form = field.format or "date"
    return field.kind == "date" and said in (
        _date(quote, form),
        _date(quote.partition(":")[2], form),
    )


def _date(text: str, form: str) -> str | None:
    return value_parser.date_in(text.strip(), form) if text.strip() else ""


def _whole_words(inner: str, outer: str) -> bool:
    return bool(inner) and re.search(rf"(?<!\w){re.escape(inner)}(?!\w)", outer) is not None


def _has_number(field: FieldSpec, said: float, quote: str) -> bool:
    found = [value_parser.parsed(match[0]) for match in value_parser.NUMBER.finditer(quote)]
    found += [
        value_parser.parsed(match[2] or match[3]) for match in value_parser.PRICE.finditer(quote)
    ]
    if field.kind == "duration":
        found.append(value_parser.minutes_in(re.split(r":", quote, maxsplit=1)[-1]))
    return said in found


def _said_of_another(field: FieldSpec, said: str, page: str) -> bool:
    """Tell whether the page gives this value, everywhere, a name that is not the field's."""
    lines = [line for line in page.splitlines() if said in line]
    own = {*field.keys, *(label for concept in field.concepts for label in concept.labels)}
    labels = [_LABELLED.match(line[: line.index(said)]) for line in lines]
    keys = [key_of(label[1]) if label else "" for label in labels]
    return bool(keys) and all(key and concepts_of(key) and key not in own for key in keys)


def _needs_name(field: FieldSpec, said: Any) -> bool:
    return not isinstance(said, str) or (len(said) < _SHORT and field.kind != "currency")


def _names(field: FieldSpec, quote: str) -> bool:
    """Tell whether the quote is about the field: by its name, or by what only it looks like."""
    if field.kind == "price" and value_parser.PRICE.search(quote):
        return True
    if field.kind == "rating" and value_parser.RATING.search(quote):
        return True
    words = f" {key_of(quote)} "
    labels = {*field.keys, *(field.concepts[0].labels if field.concepts else ())}
    return any(f" {label} " in words for label in labels if label)
