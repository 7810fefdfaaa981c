"""The order in which a person reads a page: columns, then lines."""

from statistics import median

from webquarry.reading.documents.pdf.glyphs import WordRun

_FEWEST_LINES = 4  # on each side of a gutter
_WIDE = 0.45  # share of a column that a line of prose fills
_PROSE = 0.55  # share of the text in such lines that makes it a column, not a table
_MOST_DEPTH = 4
_SAME_LINE = 0.45  # em between baselines of words on one line


class PdfLine:
    """What stands on one line of a column."""

    __slots__ = ("bold", "mono", "runs", "size", "text", "x0", "x1", "y")

    def __init__(self, runs: list[WordRun]) -> None:
        self.runs = runs
        self.x0 = runs[0].x0
        self.x1 = max(run.x1 for run in runs)
        longest = max(runs, key=_length)
        self.size = longest.size
        # the baseline is that of the main text: small words beside it are raised or lowered
        self.y = longest.y
        self.text = " ".join(run.text for run in runs)
        self.bold = all(run.bold for run in runs)
        self.mono = all(run.mono for run in runs)


def columns_of(runs: list[WordRun], depth: int = 0) -> list[list[PdfLine]]:
    """Return the columns in reading order, each as its lines from top to bottom."""
    gutter = _gutter(runs) if depth < _MOST_DEPTH else None
    if gutter is None:
        return [_lines(runs)] if runs else []
    out: list[list[PdfLine]] = []
    whole: list[WordRun] = []  # what runs over the whole width, until columns begin
    for band in _bands(runs, gutter):
        left = [run for run in band if run.x1 <= gutter + 1]
        right = [run for run in band if run.x0 >= gutter - 1]
        if len(left) + len(right) < len(band) or not _is_prose(left, right):
            whole += band
            continue
        if whole:
            out.append(_lines(whole))
            whole = []
        out += columns_of(left, depth + 1) + columns_of(right, depth + 1)
    return [*out, _lines(whole)] if whole else out


def _length(run: WordRun) -> int:
    return len(run.text)


def _gutter(runs: list[WordRun]) -> float | None:
    """Return the x of a vertical gap that text flows around on both sides."""
    if len(runs) < 2 * _FEWEST_LINES:
        return None
    low, high = min(run.x0 for run in runs), max(run.x1 for run in runs)
    width = high - low
    edges = sorted({round(run.x1) for run in runs if low + width / 5 < run.x1 < high - width / 5})
    best: tuple[int, float] | None = None
    for edge in edges:
        x = edge + 2.0
        crossing = sum(1 for run in runs if run.x0 < x < run.x1)
        left = [run for run in runs if run.x1 <= x]
        right = [run for run in runs if run.x0 >= x]
        if min(len(left), len(right)) < _FEWEST_LINES or crossing > len(runs) / 3:
            continue
        if not _is_prose(left, right):
            continue
        if best is None or crossing < best[0]:
            best = (crossing, x)
    return best[1] if best else None


def _is_prose(left: list[WordRun], right: list[WordRun]) -> bool:
    """Whether both sides are flowing text beside each other, not cells of a table."""
    if min(len(left), len(right)) < _FEWEST_LINES:
        return False
    overlap = min(max(r.y for r in left), max(r.y for r in right)) - max(
        min(r.y for r in left), min(r.y for r in right)
    )
    return overlap > 0 and all(_fills(side) for side in (left, right))


def _fills(side: list[WordRun]) -> bool:
    width = max(run.x1 for run in side) - min(run.x0 for run in side)
    total = sum(len(run.text) for run in side)
    wide = sum(len(run.text) for run in side if run.width >= _WIDE * width)
    words = median(run.text.count(" ") + 1 for run in side)
    return wide >= _PROSE * total and words >= 3


def _bands(runs: list[WordRun], gutter: float) -> list[list[WordRun]]:
    """Cut the page where a line crosses the gutter, such as a title over both columns."""
    crossing = [run for run in runs if run.x0 < gutter - 1 and run.x1 > gutter + 1]
    bands: list[list[WordRun]] = []
    rest = sorted(runs, key=lambda run: -run.y)
    cuts = sorted(crossing, key=lambda run: -run.y)
    for cut in cuts:
        above = [run for run in rest if run.y > cut.y + _SAME_LINE * cut.size]
        level = [run for run in rest if abs(run.y - cut.y) <= _SAME_LINE * cut.size]
        if above:
            bands.append(above)
        if level:
            if bands and not above and _crosses(bands[-1], gutter):
                bands[-1] += level
            else:
                bands.append(level)
        used = set(map(id, (*above, *level)))
        rest = [run for run in rest if id(run) not in used]
    if rest:
        bands.append(rest)
    return bands


def _crosses(band: list[WordRun], gutter: float) -> bool:
    return any(run.x0 < gutter - 1 and run.x1 > gutter + 1 for run in band)


def _lines(runs: list[WordRun]) -> list[PdfLine]:
    groups: list[list[WordRun]] = []
    for run in sorted(runs, key=lambda run: -run.y):
        group = next((old for old in reversed(groups[-3:]) if _on(old, run)), None)
        if group is None:
            groups.append([run])
        else:
            group.append(run)
    return [PdfLine(_joined(sorted(group, key=lambda run: run.x0))) for group in groups]


def _on(group: list[WordRun], run: WordRun) -> bool:
    main = max(group, key=_length)
    return abs(main.y - run.y) <= _SAME_LINE * max(main.size, run.size)


def _joined(runs: list[WordRun]) -> list[WordRun]:
    """Put together what the file kept apart only because the font changed."""
    out = [runs[0]]
    for run in runs[1:]:
        last = out[-1]
        gap = run.x0 - last.x1
        size = max(last.size, run.size)
        if gap < 0.12 * size and gap > -size:
            last.text += run.text
        elif gap < size:
            last.text += f" {run.text}"
        else:
            out.append(run)
            continue
        last.x1 = max(last.x1, run.x1)
        last.bold = last.bold and run.bold
        last.mono = last.mono and run.mono
    return out
