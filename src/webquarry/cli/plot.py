"""Line charts from Braille characters."""

from collections.abc import Sequence

WIDTH, HEIGHT = 64, 12
# the bits of a Braille character: four rows, two columns
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))


def plot(points: Sequence[tuple[str, float]], width: int = WIDTH, height: int = HEIGHT) -> str:
    """Return a line through (label, value) points, with labels for both axes."""
    values = [value for _, value in points]
    low, high = min(values), max(values)
    cells = [[0] * width for _ in range(height)]
    for x, y in _dots(_row_by_column(values, columns=width * 2, rows=height * 4)):
        cells[y // 4][x // 2] |= _DOTS[y % 4][x % 2]
    labels = _y_labels(low, high, height)
    margin = max(map(len, labels.values()))
    lines = [
        f"{labels.get(row, ''):>{margin}} ┤{''.join(chr(0x2800 + cell) for cell in cells[row])}"
        for row in range(height)
    ]
    first, last = points[0][0], points[-1][0]
    x_labels = f"{first}{last:>{max(1, width - len(first))}}"
    return "\n".join((*lines, f"{'':>{margin}} └{'─' * width}", f"{'':>{margin}}  {x_labels}"))


def _row_by_column(values: Sequence[float], *, columns: int, rows: int) -> list[int]:
    """Return the row of the line in each column, linearly interpolated; row 0 is the top."""
    low, high = min(values), max(values)
    span, last = (high - low) or 1.0, len(values) - 1
    found: list[int] = []
    for x in range(columns):
        position = x * last / (columns - 1)
        left = min(int(position), last - 1)
        value = values[left] + (values[left + 1] - values[left]) * (position - left)
        found.append(round((high - value) / span * (rows - 1)))
    return found


def _dots(heights: Sequence[int]) -> list[tuple[int, int]]:
    """Return the dots of the line; a steep part has several dots in a column."""
    dots: list[tuple[int, int]] = []
    for x, y in enumerate(heights):
        before = heights[x - 1] if x else y
        step = 1 if before <= y else -1
        dots += [(x, between) for between in range(before, y + step, step)][1 if x else 0 :]
        dots.append((x, y))
    return dots


def _y_labels(low: float, high: float, height: int) -> dict[int, str]:
    if low == high:
        return {height // 2: f"{low:,.6g}"}
    middle = (low + high) / 2
    return {0: f"{high:,.6g}", height // 2: f"{middle:,.6g}", height - 1: f"{low:,.6g}"}
