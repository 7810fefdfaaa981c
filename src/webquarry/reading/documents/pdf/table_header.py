"""Headings of a table: cells over several lines, and headings over several columns."""

from collections.abc import Sequence
from dataclasses import dataclass

from webquarry.reading.documents.pdf.page_rules import Rule
from webquarry.reading.documents.pdf.table_columns import Columns, Part, split_line
from webquarry.reading.documents.pdf.table_edges import ColumnSpan, is_near
from webquarry.reading.documents.pdf.table_words import Words, text_of_words

_RULE_BELOW = 1.6  # em from a heading to the rule that shows which columns it is over
_OFF_CENTER = 0.1  # of the width
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

    def meets(self, other: "_Heading") -> bool:
        return self.first <= other.last and other.first <= self.last

    def goes_on_with(self, other: "_Heading") -> bool:
        is_same = (self.first, self.last) == (other.first, other.last)
        return is_same and not self.underlined and 0 < self.y - other.y < _SAME_CELL * other.size


def header_rows(lines: Sequence[Words], columns: Columns, rules: Sequence[Rule]) -> list[list[str]]:
    """Return the rows of the header; a heading over several columns is repeated in each."""
    headings: list[_Heading] = []
    parts = [split_line(line, columns, headings=True) for line in lines]
    for line, below in zip(parts, _following(parts), strict=True):
        for heading in _line_headings(line, below, columns, rules):
            _add(headings, heading)
    depth = _set_levels(headings)
    rows = [[""] * len(columns) for _ in range(depth)]
    for heading in headings:
        _write(heading, rows[heading.level])
    return list(filter(any, rows))


def _following(parts: list[list[Part]]) -> list[list[Part]]:
    """Return for each line the next one; nothing for the last."""
    return [*parts[1:], []] if parts else []


def _line_headings(
    line: list[Part], below: list[Part], columns: Columns, rules: Sequence[Rule]
) -> list[_Heading]:
    found = [_heading(part, (first, last), columns, rules) for first, last, part in line]
    _share(found)
    if len(line) == 1 < len(below):
        _cover(found[0], line[0][2], below)
    for heading, (_, _, part) in zip(found, line, strict=True):
        _widen(heading, part, below, columns)
    return found


def _set_levels(headings: list[_Heading]) -> int:
    """Give each heading its row; return the number of rows."""
    for number, heading in enumerate(headings):
        above = [other.level for other in headings[:number] if _covers(other, heading)]
        heading.level = max(above, default=-1) + 1
    depth = max(map(_level_of, headings), default=-1) + 1
    _lower(headings, depth)
    return depth


def _level_of(heading: _Heading) -> int:
    return heading.level


def _write(heading: _Heading, row: list[str]) -> None:
    for column in range(heading.first, heading.last + 1):
        row[column] = f"{row[column]} {heading.text}".strip()


def _heading(
    part: Words, cut: tuple[int, int], columns: Columns, rules: Sequence[Rule]
) -> _Heading:
    text, y, size = text_of_words(part), part[0].y, part[0].size
    rule = next((rule for rule in rules if _is_below(rule, part)), None)
    ruled = columns.touched(rule.low, rule.high) if rule else (0, len(columns))
    if ruled[1] - ruled[0] + 1 < len(columns):
        return _Heading(*ruled, text, y, size, underlined=True)
    is_whole = cut[0] == cut[1] and len(part) == 1
    own = cut if is_whole else columns.touched(part[0].x0, part[-1].x1)
    return _Heading(*own, text, y, size)


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


def _cover(heading: _Heading, part: Words, below: list[Part]) -> None:
    """Put a heading over all headings below it if it stands in their middle."""
    both = ColumnSpan(below[0][2][0].x0, below[-1][2][-1].x1)
    is_central = is_near(_span(part).center, both.center, _OFF_CENTER * both.width)
    if is_central and not heading.underlined:
        heading.first, heading.last = below[0][0], below[-1][1]


def _widen(heading: _Heading, part: Words, below: list[Part], columns: Columns) -> None:
    """Put a short heading over two columns if it stands between the headings of both."""
    pair = columns.pair_around(_span(part).center)
    under = {first: _span(other) for first, last, other in below if first == last}
    if heading.first == heading.last and pair and set(pair) <= set(under):
        left, right = (under[column] for column in pair)
        if _is_centered(_span(part), left, right):
            heading.first, heading.last = pair


def _is_centered(span: ColumnSpan, left: ColumnSpan, right: ColumnSpan) -> bool:
    """Return whether a heading stands in the middle above two others, not above one of them."""
    if span.covers_much_of(left, 0.5) or span.covers_much_of(right, 0.5):
        return False
    both = ColumnSpan(left.low, right.high)
    return is_near(span.center, both.center, _OFF_CENTER * both.width)


def _span(part: Words) -> ColumnSpan:
    return ColumnSpan(part[0].x0, part[-1].x1)


def _is_below(rule: Rule, part: Words) -> bool:
    is_close = 0 < part[0].y - rule.at < _RULE_BELOW * part[0].size
    return is_close and rule.covers(part[0].x0, part[-1].x1)


def _add(headings: list[_Heading], new: _Heading) -> None:
    """Add a heading, or a further line of the one above it."""
    above = next(filter(new.meets, reversed(headings)), None)
    if above is not None and above.goes_on_with(new):
        above.text = f"{above.text}\n{new.text}"
        above.y, above.underlined = new.y, new.underlined
    else:
        headings.append(new)


def _covers(above: _Heading, heading: _Heading) -> bool:
    return above.meets(heading) and above.y > heading.y


def _lower(headings: list[_Heading], depth: int) -> None:
    """Put what has nothing below it into the last row of the header."""
    for number, heading in enumerate(headings):
        if not any(_covers(heading, other) for other in headings[number + 1 :]):
            heading.level = depth - 1
