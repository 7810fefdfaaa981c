"""The reading order of a PDF page: columns from left to right, lines from top to bottom."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from statistics import median

from webquarry.reading.documents.pdf.glyphs import PlacedWord, WordRun
from webquarry.reading.documents.pdf.page_sections import Section, sections_of
from webquarry.reading.documents.pdf.reading_direction import in_reading_order, is_right_to_left

_MIN_RUNS = 4  # on each side of a gutter
_FEW_RUNS = 1  # if the page has columns there
_SLACK = 3.0  # points beside a gutter
_WIDE = 0.45  # share of the column width that a line of prose fills
_PROSE = 0.55  # share of the text in wide lines; a table has less
_FULL_WIDTH, _FULL_WORDS = 0.85, 8  # share of the column width; in a line of prose
_LEVEL, _LEVEL_SHARE = 1.0, 0.5  # points; cells of a table stand on common baselines
_MAX_DEPTH = 4
_SAME_LINE = 0.45  # em between baselines of words on one line
_STACKED = 0.3  # em: numerator and denominator, which overlap as much
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


class PdfLine:
    """One line of a column."""

    __slots__ = ("bold", "has_links", "mono", "runs", "size", "table", "text", "x0", "x1", "y")

    def __init__(self, runs: list[WordRun]) -> None:
        self.runs = runs
        self.x0 = runs[0].x0
        self.x1 = max(run.x1 for run in runs)
        longest = max(runs, key=_length)
        self.size = longest.size
        # the baseline is that of the main text: small words beside it are raised or lowered
        self.y = longest.y
        self.text = in_reading_order(" ".join(run.text for run in runs))
        self.has_links = any(run.has_links for run in runs)
        self.bold = all(run.bold for run in runs)
        self.mono = all(run.mono for run in runs)
        self.table = runs[0].table


def page_columns(pages: Sequence[list[WordRun]]) -> list[list[list[PdfLine]]]:
    """Return the columns of each page in reading order, each as its lines from top to bottom.

    A page without columns may have a few lines where other pages have their second one.
    """
    found = [list[float]() for _ in pages]
    columns = [_columns(runs, gutters) for runs, gutters in zip(pages, found, strict=True)]
    counts = Counter(round(gutter) for gutters in found for gutter in gutters)
    if counts:
        usual = counts.most_common(1)[0][0]
        for at, runs in enumerate(pages):
            if not found[at] and _is_free(runs, usual):
                columns[at] = _columns(runs, [usual])
    return [[_lines(runs) for runs in page] for page in columns]


def _is_free(runs: list[WordRun], gutter: float) -> bool:
    return 3 * sum(run.x0 < gutter < run.x1 for run in runs) < len(runs)


def _columns(runs: list[WordRun], found: list[float], depth: int = 0) -> list[list[WordRun]]:
    """Return the runs of each column in reading order; note the gutters."""
    if not runs or depth > _MAX_DEPTH:
        return [runs] if runs else []
    columns: list[list[WordRun]] = []
    full_width: list[WordRun] = []  # until the next columns begin
    for section in sections_of(runs):
        sides = _sides(section, found)
        if sides is None:
            full_width += section.runs
            continue
        if full_width:
            columns.append(full_width)
            full_width = []
        ordered = sides[::-1] if is_right_to_left([run.text for run in section.runs]) else sides
        columns += [part for side in ordered for part in _columns(side, [], depth + 1)]
    return [*columns, full_width] if full_width else columns


def _sides(section: Section, found: list[float]) -> tuple[list[WordRun], list[WordRun]] | None:
    """Return what is left and right of a gutter between flowing text; note its place."""
    for low, high in section.gutters:
        middle = (low + high) / 2
        left = [run for run in section.runs if run.x1 <= middle]
        right = [run for run in section.runs if run.x0 >= middle]
        is_known = any(low - _SLACK <= gutter <= high + _SLACK for gutter in found)
        if left and right and _are_columns(left, right, is_known=is_known):
            found.append(middle)
            return left, right
    return None


def _are_columns(left: list[WordRun], right: list[WordRun], *, is_known: bool) -> bool:
    least = _FEW_RUNS if is_known else _MIN_RUNS
    if _is_prose(left, right, least) or _are_independent(left, right):
        return True
    return _has_paragraphs(left) and _has_paragraphs(right)


def _length(run: WordRun) -> int:
    return len(run.text)


def _is_prose(left: list[WordRun], right: list[WordRun], least: int) -> bool:
    """Return whether both sides are flowing text next to each other, not cells of a table."""
    if min(len(left), len(right)) < least:
        return False
    top = min(max(run.y for run in left), max(run.y for run in right))
    bottom = max(min(run.y for run in left), min(run.y for run in right))
    beside = top > bottom or (top == bottom and least < _MIN_RUNS)
    return beside and _fills(left) and _fills(right)


def _are_independent(left: list[WordRun], right: list[WordRun]) -> bool:
    """Return whether two texts stand side by side with lines of their own, such as a sidebar."""
    if min(len(left), len(right)) < _MIN_RUNS or not (_fills(left) or _fills(right)):
        return False
    heights = sorted(run.y for run in right)
    level = 0
    for run in left:
        at = bisect_left(heights, run.y - _LEVEL)
        level += at < len(heights) and heights[at] <= run.y + _LEVEL
    return level < _LEVEL_SHARE * min(len(left), len(right))


def _fills(side: list[WordRun]) -> bool:
    width = max(run.x1 for run in side) - min(run.x0 for run in side)
    total = sum(len(run.text) for run in side)
    wide = sum(len(run.text) for run in side if run.width >= _WIDE * width)
    words = median(map(_word_count, side))
    return wide >= _PROSE * total and words >= 3


def _has_paragraphs(side: list[WordRun]) -> bool:
    """Return whether lines of prose are as wide as the column, beside shorter ones."""
    width = max(run.x1 for run in side) - min(run.x0 for run in side)
    full = (run for run in side if run.width >= _FULL_WIDTH * width)
    return sum(_word_count(run) >= _FULL_WORDS for run in full) >= _MIN_RUNS


def _word_count(run: WordRun) -> int:
    """Return the number of words; Chinese and Japanese has no spaces between them."""
    spaces = run.text.count(" ")
    return spaces + 1 if run.text.isascii() else spaces + 1 + len(_CJK.findall(run.text)) // 2


def _lines(runs: list[WordRun]) -> list[PdfLine]:
    groups: list[list[WordRun]] = []
    for run in sorted(runs, key=lambda run: -run.y):
        group = next((old for old in reversed(groups[-3:]) if _is_same_line(old, run)), None)
        if group is None:
            groups.append([run])
        else:
            group.append(run)
    return [PdfLine(_join_runs(sorted(group, key=lambda run: run.x0))) for group in groups]


def _is_same_line(group: list[WordRun], run: WordRun) -> bool:
    main = max(group, key=_length)
    if main.table or run.table:
        return False
    return abs(main.y - run.y) <= _SAME_LINE * max(main.size, run.size)


def _join_runs(runs: list[WordRun]) -> list[WordRun]:
    """Join runs that the file separates only because the font changes."""
    joined = [runs[0]]
    for run in runs[1:]:
        last = joined[-1]
        gap = run.x0 - last.x1
        size = max(last.size, run.size)
        if -size < gap < 0.12 * size and not _is_stacked(last, run):
            last.text += run.text
            last.words = _glued(last.words, run.words)
        elif gap < size:
            last.text += f" {run.text}"
            last.words = last.words + run.words
        else:
            joined.append(run)
            continue
        last.x1 = max(last.x1, run.x1)
        last.has_links = last.has_links or run.has_links
        last.bold = last.bold and run.bold
        last.mono = last.mono and run.mono
    return joined


def _is_stacked(above: WordRun, below: WordRun) -> bool:
    """Return whether one run stands above the other, as in a fraction."""
    least = _STACKED * min(above.size, below.size)
    return above.x1 - below.x0 > least and abs(above.y - below.y) > least


def _glued(words: list[PlacedWord], more: list[PlacedWord]) -> list[PlacedWord]:
    """Return the words of both, the last and the first joined to one."""
    if not words or not more:
        return words + more
    first, second = words[-1], more[0]
    link = first.link or second.link
    word = PlacedWord(first.text + second.text, first.x0, second.x1, link)
    return [*words[:-1], word, *more[1:]]
