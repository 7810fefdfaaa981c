"""Conditions on numbers, as in `price < 20` and `drops 5 %`."""

import re
from dataclasses import dataclass
from typing import Literal, NoReturn

from webquarry.content.changes.stated_numbers import stated_numbers
from webquarry.content.fields.field_names import field_key
from webquarry.models.changes import Change, ChangedNumber
from webquarry.models.model import ArgumentsError

EXAMPLES = (
    "price < 20, stock >= 5, price between 10 and 20, price falls below 15, price drops 5 %, "
    "rises, rating changes"
)
MAX_CHARS = 200
Relation = Literal[
    "<", "<=", ">", ">=", "=", "!=", "between", "falls_below", "rises_above", "drops", "rises",
    "changes",
]  # fmt: skip
_TOKEN = re.compile(r"<=|>=|!=|==|[<>=≤≥≠]|[^\s<>=!≤≥≠]+")
_COMPARISONS: dict[str, Relation] = {
    "<": "<", "<=": "<=", "≤": "<=", ">": ">", ">=": ">=", "≥": ">=", "=": "=", "==": "=",
    "!=": "!=", "≠": "!=", "below": "<", "under": "<", "above": ">", "over": ">",
}  # fmt: skip
_MOVES: dict[str, Relation] = {
    "drops": "drops", "falls": "drops", "decreases": "drops", "sinks": "drops",
    "rises": "rises", "increases": "rises", "grows": "rises", "changes": "changes",
}  # fmt: skip
_CROSSINGS: dict[tuple[Relation, Relation], Relation] = {
    ("drops", "<"): "falls_below", ("rises", ">"): "rises_above",
}  # fmt: skip
_FILLERS = frozenset(("is", "by", "at", "least", "than", "goes"))
_EVERY_NUMBER = frozenset(("", "number", "value", "it"))


@dataclass(frozen=True)
class NumberCondition:
    """A condition that the number of a change must meet."""

    text: str
    subject: str  # a kind of change, a field, or words of the heading; empty: any number
    relation: Relation
    value: float | None = None  # None: any drop, rise or change
    high: float | None = None  # the end of a range
    unit: str = ""  # a currency code or %

    def accepts(self, change: Change) -> bool:
        """Tell whether a change has a number that meets the condition."""
        number = change.number
        if number is None or not self._is_about(change):
            return False
        if self.unit not in ("", "%") and number.unit and number.unit != self.unit:
            return False
        return self._is_met(number)

    def _is_about(self, change: Change) -> bool:
        if self.subject in _EVERY_NUMBER or self.subject == change.kind:
            return True
        key = field_key(self.subject)
        places = (change.where.rpartition("/")[2], change.where, _words_before_number(change))
        return any(f" {key} " in f" {field_key(place)} " for place in places)

    def _is_met(self, number: ChangedNumber) -> bool:
        before, after = number.before, number.after
        if self.relation in ("drops", "rises", "changes"):
            return before is not None and self._moves(number)
        limit = self.value or 0.0
        if self.relation == "between":
            return limit <= after <= (self.high or 0.0)
        if self.relation == "falls_below":
            return after < limit and (before is None or before >= limit)
        if self.relation == "rises_above":
            return after > limit and (before is None or before <= limit)
        return _compare(after, self.relation, limit)

    def _moves(self, number: ChangedNumber) -> bool:
        size = number.percent if self.unit == "%" else number.delta
        if size is None or not number.delta:
            return False
        if (self.relation == "drops" and size > 0) or (self.relation == "rises" and size < 0):
            return False
        # 5 % less of 0.1 is not exact in binary
        return self.value is None or abs(size) >= self.value * (1 - 1e-9)


def parse_condition(text: str) -> NumberCondition:
    """Return a condition from its text; the error of a wrong one says how to write it."""
    if len(text) > MAX_CHARS:
        _reject(text[:40], f"it has more than {MAX_CHARS} characters")
    tokens = _TOKEN.findall(text.strip())
    start = next((at for at, word in enumerate(tokens) if _is_relation(word.lower())), None)
    if start is None:
        _reject(text, "it has no comparison")
    subject = " ".join(token for token in tokens[:start] if token.lower() not in _FILLERS).lower()
    relation, rest = _relation(tokens[start:])
    if relation == "between":
        return _range(text, subject, rest)
    stated = " ".join(rest)
    if not stated and relation in ("drops", "rises", "changes"):
        return NumberCondition(text.strip(), subject, relation)
    value, unit = _amount(text, stated)
    if unit == "%" and relation not in ("drops", "rises", "changes"):
        unit = ""  # the number itself is a percentage
    return NumberCondition(text.strip(), subject, relation, value, None, unit)


def _is_relation(word: str) -> bool:
    return word in _COMPARISONS or word in _MOVES or word == "between"


def _relation(tokens: list[str]) -> tuple[Relation, list[str]]:
    """Return the relation that the tokens start with, and the tokens after it."""
    word, rest = tokens[0].lower(), tokens[1:]
    while rest and rest[0].lower() in _FILLERS:
        rest = rest[1:]
    if word == "between":
        return "between", rest
    if word in _COMPARISONS:
        return _COMPARISONS[word], rest
    relation = _MOVES[word]
    crossing = _COMPARISONS.get(rest[0].lower()) if rest else None
    if crossing and (relation, crossing) in _CROSSINGS:
        return _CROSSINGS[relation, crossing], rest[1:]
    return relation, rest


def _range(text: str, subject: str, tokens: list[str]) -> NumberCondition:
    words = [token.lower() for token in tokens]
    if "and" not in words:
        _reject(text, "a range needs two numbers, as in 'between 10 and 20'")
    at = words.index("and")
    low, unit = _amount(text, " ".join(tokens[:at]))
    high, other = _amount(text, " ".join(tokens[at + 1 :]))
    low, high = min(low, high), max(low, high)
    unit = unit or other
    return NumberCondition(text.strip(), subject, "between", low, high, "" if unit == "%" else unit)


def _amount(text: str, stated: str) -> tuple[float, str]:
    numbers = stated_numbers(stated)
    if len(numbers) != 1:
        _reject(text, f"{stated!r} is not a number" if stated else "the number is missing")
    number = numbers[0]
    unit = number.unit if number.is_price else "%" if number.unit in ("%", "percent") else ""
    return number.value, unit


def _compare(value: float, relation: str, limit: float) -> bool:
    return {
        "<": value < limit, "<=": value <= limit, ">": value > limit, ">=": value >= limit,
        "=": value == limit, "!=": value != limit,
    }[relation]  # fmt: skip


def _words_before_number(change: Change) -> str:
    """Return the words of the passage before what changed, such as its label."""
    first = change.diff[0] if change.diff else None
    return first.text if first and first.op == "equal" else ""


def _reject(text: str, problem: str) -> NoReturn:
    message = f"the condition {text!r} cannot be read: {problem}. Examples: {EXAMPLES}"
    raise ArgumentsError(message, "condition")
