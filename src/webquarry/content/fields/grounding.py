"""Checks a model's values against the page: one without a supporting quote becomes null."""

import re
from collections.abc import Mapping
from typing import Any, cast

from webquarry.content.fields import value_parser
from webquarry.content.fields.facts import FieldValue, shorten_quote
from webquarry.content.fields.field_names import concepts_of, field_key
from webquarry.content.fields.field_spec import FieldSpec, field_spec
from webquarry.content.fields.fill import FilledSchema, json_pointer
from webquarry.content.fields.json_schema import violation
from webquarry.content.html.json_ld import as_node

_MARKUP = re.compile(r"[\\*_`|#>\[\]]+")
_EQUIVALENT = str.maketrans(
    {"\u2019": "'", "\u2018": "'", "“": '"', "”": '"', "\u2013": "-", "—": "-", "\u2212": "-"}
)
_MAX_LABEL_LINE = 200  # characters before a value: a longer text is not a label
_LABEL_BEFORE = re.compile(r"^[\s|*\-]*([^:|*]{2,40}?)\**\s*(?:\||:)\**[\s|*]*$")
_MIN_VERBATIM_CHARS = 4  # a shorter text may be on the page by chance
_PYTHON_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,), "number": (int, float), "integer": (int, float), "boolean": (bool,),
}  # fmt: skip
INFERRED = "inferred"  # the method of a value that no quote supports
NO_VALUE = "the model found no value"
NO_QUOTE = "the model's quote is not on the page"
NOT_IN_QUOTE = "the model's quote does not say so"
OTHER_FIELD = "the model's quote does not name the field"


def normalize_quote(text: str) -> str:
    """Return a text without differences between a page and a quotation: markup, quotes, case."""
    return " ".join(_MARKUP.sub(" ", text.translate(_EQUIVALENT)).casefold().split())


def keep_grounded(
    schema: dict[str, Any],
    data: Any,
    quotes: Mapping[str, str],
    page: str,
    *,
    ungrounded: bool = False,
) -> FilledSchema:
    """Return the data with only those values that a quote from the page supports.

    With `ungrounded`, the others are kept too, with the method `INFERRED` and without a quote.
    """
    checker = _GroundingChecker(quotes, normalize_quote(page), page, ungrounded=ungrounded)
    checker.filled.data = checker.value(field_spec("", schema, ""), data)
    return checker.filled


class _GroundingChecker:
    """Checks data field by field along its schema."""

    def __init__(
        self, quotes: Mapping[str, str], page: str, original: str, *, ungrounded: bool
    ) -> None:
        self._quotes = quotes
        self._ungrounded = ungrounded
        self._page = page  # normalised
        self._original = original  # with its lines
        self.filled = FilledSchema()

    def value(self, field: FieldSpec, given: Any) -> Any:
        if field.type == "object":
            return self._object(field, given)
        if field.type == "array":
            return self._array(field, given)
        return self.filled.record(field.pointer, self._scalar(field, given))

    def _object(self, field: FieldSpec, given: Any) -> dict[str, Any]:
        data: dict[str, Any] = {}
        for name, schema in field.schema["properties"].items():
            inner = field_spec(name, schema, json_pointer(field.pointer, name))
            data[name] = self.value(inner, as_node(given).get(name))
        return data

    def _array(self, field: FieldSpec, given: Any) -> list[Any] | None:
        if not isinstance(given, list) or not given:
            return self.filled.record(field.pointer, FieldValue(reason=NO_VALUE))
        values: list[Any] = []
        for index, each in enumerate(cast("list[Any]", given)):
            checker = _GroundingChecker(
                self._quotes, self._page, self._original, ungrounded=self._ungrounded
            )
            pointer = f"{field.pointer}/{index}"
            value = checker.value(field.item(pointer), each)
            if checker.filled.sources:  # something of it is on the page
                # its index changes when others before it are left out
                self.filled.add(checker.filled, pointer, f"{field.pointer}/{len(values)}")
                values.append(value)
        problem = violation(values, field.schema)
        if not values or problem:
            reason = f"the list {problem}" if values else NO_QUOTE
            return self.filled.record(field.pointer, FieldValue(reason=reason))
        return values

    def _scalar(self, field: FieldSpec, given: Any) -> FieldValue:
        if given is None:
            return FieldValue(reason=NO_VALUE)
        if not _has_type(given, field.type):
            return FieldValue(reason=f"the model's value is not of type {field.type}")
        value = int(given) if field.type == "integer" else given
        if problem := violation(value, field.schema):
            return FieldValue(reason=f"the model's value {problem}")
        found = self._quoted(field, value)
        return FieldValue(value, INFERRED) if self._ungrounded and not found else found

    def _quoted(self, field: FieldSpec, value: Any) -> FieldValue:
        """Return the value if the page supports it, otherwise the reason why not."""
        quote = self._quotes.get(field.pointer, "")
        is_on_page = bool(quote.strip()) and normalize_quote(quote) in self._page
        if is_on_page and _states(field, value, quote):
            return self._supported(field, value, quote)
        if self._is_verbatim(value):
            return self._supported(field, value, str(value))
        return FieldValue(reason=NOT_IN_QUOTE if is_on_page else NO_QUOTE)

    def _is_verbatim(self, value: Any) -> bool:
        """Tell whether the page has this text, and it is long enough not to be there by chance."""
        text = normalize_quote(value) if isinstance(value, str) else ""
        return len(text) >= _MIN_VERBATIM_CHARS and _contains_words(text, self._page)

    def _supported(self, field: FieldSpec, value: Any, quote: str) -> FieldValue:
        if _needs_name(field, value) and not _names(field, quote):
            return FieldValue(reason=OTHER_FIELD)
        if isinstance(value, str) and _belongs_to_other(field, value, self._original):
            return FieldValue(reason=OTHER_FIELD)
        return FieldValue(value, "llm", shorten_quote(quote))


def _has_type(value: Any, name: str) -> bool:
    if isinstance(value, bool) or not isinstance(value, _PYTHON_TYPES[name]):
        return isinstance(value, bool) and name == "boolean"
    return name != "integer" or float(value).is_integer()


def _states(field: FieldSpec, value: Any, quote: str) -> bool:
    """Tell whether a quote states the value."""
    after_label = re.split(r"[:|]", quote, maxsplit=1)[-1]
    if isinstance(value, bool):
        readings = (value_parser.boolean_in(text, field.kind) for text in (after_label, quote))
        return value in readings
    if isinstance(value, (int, float)):
        return _states_number(field, float(value), quote)
    if _contains_words(normalize_quote(value), normalize_quote(quote)):
        return True
    if field.schema.get("enum"):
        return value_parser.option_in(after_label, field.schema["enum"]) == value
    if field.kind == "currency":
        return value_parser.currency_in(quote) == value
    stated = (quote.strip(), quote.partition(":")[2].strip())
    dates = (value_parser.date_in(text, field.format or "date") for text in stated)
    return field.kind == "date" and value in dates


def _contains_words(inner: str, outer: str) -> bool:
    return bool(inner) and re.search(rf"(?<!\w){re.escape(inner)}(?!\w)", outer) is not None


def _states_number(field: FieldSpec, value: float, quote: str) -> bool:
    parse, numbers, prices = value_parser.parse_number, value_parser.NUMBER, value_parser.PRICE
    found = [parse(match[0]) for match in numbers.finditer(quote)]
    found += [parse(match[2] or match[3]) for match in prices.finditer(quote)]
    if field.kind == "duration":
        found.append(value_parser.minutes_in(quote.split(":", 1)[-1]))
    return value in found


def _belongs_to_other(field: FieldSpec, value: str, page: str) -> bool:
    """Tell whether the page labels this value everywhere with the name of another field."""
    own = {*field.keys, *(label for concept in field.concepts for label in concept.labels)}
    keys = [_label_key(line, value) for line in page.splitlines() if value in line]
    return bool(keys) and all(key and concepts_of(key) and key not in own for key in keys)


def _label_key(line: str, value: str) -> str:
    before = line[: line.index(value)]
    label = _LABEL_BEFORE.match(before) if len(before) <= _MAX_LABEL_LINE else None
    return field_key(label[1]) if label else ""


def _needs_name(field: FieldSpec, value: Any) -> bool:
    is_short = isinstance(value, str) and len(value) < _MIN_VERBATIM_CHARS
    return not isinstance(value, str) or (is_short and field.kind != "currency")


def _names(field: FieldSpec, quote: str) -> bool:
    """Tell whether the quote is about the field, by its name or its typical form."""
    if field.kind == "price" and value_parser.PRICE.search(quote):
        return True
    if field.kind == "rating" and value_parser.RATING.search(quote):
        return True
    words = f" {field_key(quote)} "
    return any(f" {label} " in words for label in {*field.keys, *field.concept.labels} - {""})
