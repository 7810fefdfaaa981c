"""Draws numbers with the characters a terminal has."""

from collections.abc import Sequence

WIDTH, HEIGHT = 64, 12
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # Braille: four rows, two columns


def plot(points: Sequence[tuple[str, float]], width: int = WIDTH, height: int = HEIGHT) -> str:
    """Return a line through the points, in their order, with the extremes beside it."""
    values = [value for _, value in points]
    low, high = min(values), max(values)
    rows, columns = height * 4, width * 2
    cells = [[0] * width for _ in range(height)]
    for x, y in _line(values, low, high, columns, rows):
        cells[y // 4][x // 2] |= _DOTS[y % 4][x % 2]
    marks = _marks(low, high, height)
    margin = max(map(len, marks.values()))
    lines = [
        f"{marks.get(row, ''):>{margin}} ┤{''.join(chr(0x2800 + cell) for cell in cells[row])}"
        for row in range(height)
    ]
    begin, end = points[0][0], points[-1][0]
    axis = f"{begin}{end:>{max(1, width - len(begin))}}"
    return "\n".join((*lines, f"{'':>{margin}} └{'─' * width}", f"{'':>{margin}}  {axis}"))


def _line(
    values: Sequence[float], low: float, high: float, columns: int, rows: int
) -> list[tuple[int, int]]:
    """Return the dots of the line, column by column without gaps."""
    span, last = (high - low) or 1.0, len(values) - 1
    heights: list[int] = []
    for x in range(columns):
        place = x * last / (columns - 1)
        left = min(int(place), last - 1)
        value = values[left] + (values[left + 1] - values[left]) * (place - left)
        heights.append(round((high - value) / span * (rows - 1)))
    dots: list[tuple[int, int]] = []
    for x, y in enumerate(heights):
        before = heights[x - 1] if x else y
        step = 1 if before <= y else -1
        # a steep rise has several dots above each other
        dots += [(x, between) for between in range(before, y + step, step)][1 if x else 0 :]
        dots.append((x, y))
    return dots


def _marks(low: float, high: float, height: int) -> dict[int, str]:
    if low == high:
        return {height // 2: f"{low:,.6g}"}
    middle = (low + high) / 2
    return {0: f"{high:,.6g}", height // 2: f"{middle:,.6g}", height - 1: f"{low:,.6g}"}
