"""What kind of change it is, and the number that changed."""

from typing import NamedTuple

from webquarry.content.changes.availability import availability_in
from webquarry.content.changes.stated_numbers import StatedNumber, stated_numbers, without_numbers
from webquarry.content.changes.time_expressions import CLOCK, DATE
from webquarry.models.changes import ChangedNumber, ChangeKind

_SHORT_WORDS = 12  # longer texts mention availability in passing


class KindOfChange(NamedTuple):
    """The kind, and the number that changed."""

    kind: ChangeKind
    number: ChangedNumber | None = None


def kind_of_change(before: str, after: str) -> KindOfChange:
    """Return the kind of a change in the words of a page."""
    states = availability_in(before), availability_in(after)
    is_short = len(f"{before} {after}".split()) <= 2 * _SHORT_WORDS
    if is_short and any(states) and (states[0] != states[1] or "limited" in states):
        return KindOfChange("availability", _number(stated_numbers(before), stated_numbers(after)))
    if not before or not after:
        return KindOfChange("text")
    return _of_numbers(before, after)


def number_change(before: StatedNumber | None, after: StatedNumber) -> ChangedNumber:
    """Return the change of a number."""
    if before is None:
        return ChangedNumber(after=after.value, unit=after.unit)
    percent = 100 * (after.value - before.value) / abs(before.value) if before.value else None
    unit = after.unit or before.unit
    return ChangedNumber(before=before.value, after=after.value, unit=unit, percent=percent)


def _of_numbers(before: str, after: str) -> KindOfChange:
    left, right = stated_numbers(before), stated_numbers(after)
    number = _number(left, right)
    changed = _first_difference([each for each in left if each.is_price],
                                [each for each in right if each.is_price])  # fmt: skip
    if changed:
        return KindOfChange("price", number_change(*changed))
    if number and without_numbers(before, left) == without_numbers(after, right):
        return KindOfChange("number", number)
    if _without_times(before) == _without_times(after):
        return KindOfChange("date")
    return KindOfChange("text")


def _number(left: list[StatedNumber], right: list[StatedNumber]) -> ChangedNumber | None:
    changed = _first_difference(left, right)
    return number_change(*changed) if changed else None


def _first_difference(
    left: list[StatedNumber], right: list[StatedNumber]
) -> tuple[StatedNumber, StatedNumber] | None:
    """Return the first number that differs, in lists of the same length; else the last two."""
    if not left or not right:
        return None
    pairs = list(zip(left, right, strict=False))
    if len(left) != len(right):  # a crossed-out price was added, for example
        known = {number.value for number in left}
        new = [number for number in right if number.value not in known]
        pairs = [(left[-1], number) for number in new[-1:]]
    return next((pair for pair in pairs if pair[0].value != pair[1].value), None)


def _without_times(text: str) -> str:
    return " ".join(CLOCK.sub("\u27e8time\u27e9", DATE.sub("\u27e8date\u27e9", text)).split())
