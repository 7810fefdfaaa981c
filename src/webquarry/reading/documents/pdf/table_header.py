"""Headings of a table: cells over several lines, and headings over several columns."""

from collections.abc import Sequence
from dataclasses import dataclass

from webquarry.reading.documents.pdf.page_rules import Rule
from webquarry.reading.documents.pdf.table_columns import Columns, split_line
from webquarry.reading.documents.pdf.table_words import Words, text_of_words

_RULE_BELOW = 1.6  # em from a heading to the rule that shows which columns it is over
_SAME_CELL = 2.0  # em between lines of one heading


@dataclass(slots=True)
class _Heading:
    """A heading over the columns from the first to the last."""

    first: int
    last: int
    text: str
    y: float
    size: float
    level: int = 0
    underlined: bool = False

    def is_over(self, other: "_Heading") -> bool:
        return self.first <= other.first and other.last <= self.last


def header_rows(lines: Sequence[Words], columns: Columns, rules: Sequence[Rule]) -> list[list[str]]:
    """Return the rows of the header; a heading over several columns is repeated in each."""
    headings: list[_Heading] = []
    for number, line in enumerate(lines):
        below = [
            part for next_line in lines[number + 1 : number + 2]
            for part in split_line(next_line, columns, headings=True)
        ]  # fmt: skip
        parts = split_line(line, columns, headings=True)
        found = [_heading(part, (first, last), columns, rules) for first, last, part in parts]
        _share(found)
        if len(parts) == 1 < len(below):
            _cover(found[0], parts[0][2], below)
        for heading, (_, _, part) in zip(found, parts, strict=True):
            _widen(heading, part, below, columns)
            _add(headings, heading)
    for number, heading in enumerate(headings):
        above = (other for other in headings[:number] if _covers(other, heading))
        heading.level = max((other.level + 1 for other in above), default=0)
    depth = max((heading.level for heading in headings), default=-1) + 1
    _lower(headings, depth)
    rows = [[""] * len(columns) for _ in range(depth)]
    for heading in headings:
        for column in range(heading.first, heading.last + 1):
            cell = rows[heading.level][column]
            rows[heading.level][column] = f"{cell} {heading.text}".strip()
    return [row for row in rows if any(row)]


def _heading(
    part: Words, cut: tuple[int, int], columns: Columns, rules: Sequence[Rule]
) -> _Heading:
    x0, x1, y, size = part[0].x0, part[-1].x1, part[0].y, part[0].size
    first, last = columns.touched(x0, x1)
    rule = next(
        (r for r in rules if 0 < y - r.at < _RULE_BELOW * size and _is_below(r, x0, x1)), None
    )
    if rule is not None:
        low, high = columns.touched(rule.low, rule.high)
        if high - low + 1 < len(columns):
            return _Heading(low, high, text_of_words(part), y, size, underlined=True)
    if cut[0] == cut[1] and len(part) == 1:
        first, last = cut
    return _Heading(first, last, text_of_words(part), y, size)


def _share(headings: list[_Heading]) -> None:
    """Divide the columns of a rule among the headings that stand on it."""
    ranges: dict[tuple[int, int], list[_Heading]] = {}
    for heading in headings:
        if heading.underlined:
            ranges.setdefault((heading.first, heading.last), []).append(heading)
    for (first, last), group in ranges.items():
        width, rest = divmod(last - first + 1, len(group))
        for number, heading in enumerate(group if not rest and len(group) > 1 else ()):
            heading.first = first + number * width
            heading.last = heading.first + width - 1


def _cover(heading: _Heading, part: Words, below: list[tuple[int, int, Words]]) -> None:
    """Put a heading over all headings below it if it stands in their middle."""
    left, right = below[0][2][0].x0, below[-1][2][-1].x1
    off_center = abs((part[0].x0 + part[-1].x1) / 2 - (left + right) / 2)
    if not heading.underlined and off_center < 0.1 * (right - left):
        heading.first, heading.last = below[0][0], below[-1][1]


def _widen(
    heading: _Heading, part: Words, below: list[tuple[int, int, Words]], columns: Columns
) -> None:
    """Put a short heading over two columns if it stands between the headings of both."""
    if heading.first != heading.last:
        return
    pair = columns.pair_around((part[0].x0 + part[-1].x1) / 2)
    under = {first: other for first, last, other in below if first == last}
    if pair is None or not all(column in under for column in pair):
        return
    left, right = (under[column] for column in pair)
    middle = (left[0].x0 + right[-1].x1) / 2
    off_center = abs((part[0].x0 + part[-1].x1) / 2 - middle)
    is_over_one = _is_mostly_over(part, left) or _is_mostly_over(part, right)
    if not is_over_one and off_center < 0.1 * (right[-1].x1 - left[0].x0):
        heading.first, heading.last = pair


def _is_mostly_over(part: Words, other: Words) -> bool:
    common = min(part[-1].x1, other[-1].x1) - max(part[0].x0, other[0].x0)
    return common > 0.5 * min(part[-1].x1 - part[0].x0, other[-1].x1 - other[0].x0)


def _is_below(rule: Rule, x0: float, x1: float) -> bool:
    return rule.low <= x0 + 2 and rule.high >= x1 - 2


def _add(headings: list[_Heading], new: _Heading) -> None:
    """Add a heading, or a further line of the one above it."""
    above = next(
        (old for old in reversed(headings) if old.first <= new.last and new.first <= old.last), None
    )
    is_same = (
        above is not None
        and (above.first, above.last) == (new.first, new.last)
        and not above.underlined
        and 0 < above.y - new.y < _SAME_CELL * new.size
    )
    if above is not None and is_same:
        above.text = f"{above.text}\n{new.text}"
        above.y, above.underlined = new.y, new.underlined
    else:
        headings.append(new)


def _covers(above: _Heading, heading: _Heading) -> bool:
    return above.first <= heading.last and heading.first <= above.last and above.y > heading.y


def _lower(headings: list[_Heading], depth: int) -> None:
    """Put what has nothing below it into the last row of the header."""
    for number, heading in enumerate(headings):
        is_last = not any(_covers(heading, other) for other in headings[number + 1 :])
        if is_last:
            heading.level = depth - 1
