"""Finds the straight lines of a scanned page: the rules of its tables."""

from typing import Any

from webquarry.reading.documents.ocr.recognized import GrayImage
from webquarry.reading.documents.pdf.page_rules import PageRules, Rule, joined_rules

_DARK = 0.62  # times the brightness of the paper
_MIN_LENGTH = 0.3  # inches; letters are shorter
_THICK = 0.05  # inches; thicker strokes are areas
_CLEAR = 0.35  # share of dark pixels beside a line
_MAX_RUNS = 20_000


def rules_of(image: GrayImage, dpi: int, height: float) -> PageRules:
    """Return the lines in points; y grows upwards from the bottom of a page of this height."""
    import numpy

    paper = float(numpy.percentile(image[::8, ::8], 90))
    dark = image < _DARK * paper
    scale = 72 / dpi
    horizontal = [
        Rule(height - (row + 0.5) * scale, start * scale, end * scale)
        for row, start, end in _runs(dark, dpi)
    ]
    vertical = [
        Rule((column + 0.5) * scale, height - end * scale, height - start * scale)
        for column, start, end in _runs(dark.T, dpi)
    ]
    return PageRules(joined_rules(horizontal), joined_rules(vertical))


def _runs(dark: Any, dpi: int) -> list[tuple[int, int, int]]:
    """Return row, start and end of long runs of dark pixels in thin lines."""
    import numpy

    rows, columns = dark.shape
    edges = numpy.zeros((rows, columns + 1), dtype=numpy.int8)
    edges[:, 1:-1] = numpy.diff(dark.view(numpy.int8), axis=1)
    edges[:, 0] = dark[:, 0]
    edges[:, -1] = -dark[:, -1].astype(numpy.int8)
    row, start = numpy.nonzero(edges == 1)
    end = numpy.nonzero(edges == -1)[1]
    is_long = end - start >= _MIN_LENGTH * dpi
    row, start, end = row[is_long][:_MAX_RUNS], start[is_long], end[is_long]
    thick = max(2, round(_THICK * dpi))
    found: list[tuple[int, int, int]] = []
    for at, low, high in zip(row.tolist(), start.tolist(), end.tolist(), strict=False):
        beside = [other for other in (at - thick, at + thick) if 0 <= other < rows]
        if all(dark[other, low:high].mean() < _CLEAR for other in beside):
            found.append((at, low, high))
    return found
