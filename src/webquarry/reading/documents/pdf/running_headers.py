"""Removes running headers, footers and page numbers: text repeated at the edges of pages."""

import re

from webquarry.reading.documents.pdf.glyphs import WordRun

_DIGITS = re.compile(r"\d+|\b[ivxlc]{1,7}\b", re.IGNORECASE)
_EDGE_LINES = 3  # lines at the top or bottom that may be a header or footer
_MARGIN = 0.1  # share of the height of the text
_MIN_PAGES = 3
_MIN_SHARE = 0.3  # of the pages from the first to the last repetition
_NUMBER = re.compile(
    r"[-\u2013\u2014\s]*+(?:(?:page|seite|p\.)\s*+)?\d{1,5}+"
    r"(?:\s*+(?:/|of|von|de|sur)\s*+\d{1,5}+)?[-\u2013\u2014\s]*+|[ivxl]{1,7}",
    re.IGNORECASE,
)

_Key = tuple[str, int]


def remove_running_headers(pages: list[list[WordRun]]) -> None:
    """Remove repeated text at the edges and bare page numbers from the pages."""
    heights = [run.y for page in pages for run in page]
    if len(pages) < 2 or not heights:
        return
    margin = _MARGIN * (max(heights) - min(heights))
    low, high = min(heights) + margin, max(heights) - margin
    edges = [_at_edges(page, low, high) for page in pages]
    occurrences = _occurrences(edges)
    for page, runs in zip(pages, edges, strict=True):
        repeated = [run for run in runs if _is_repeated(run, occurrences)]
        removed = {id(run) for run in repeated if not _is_in_text(run, page, repeated)}
        page[:] = [run for run in page if id(run) not in removed]


def _is_in_text(number: WordRun, page: list[WordRun], repeated: list[WordRun]) -> bool:
    """Return whether a number is at the end of an inner line, as in a table of contents."""
    if not _NUMBER.fullmatch(number.text):
        return False
    heights = [_height(run) for run in page]
    if _height(number) in (min(heights), max(heights)):
        return False
    beside = [run for run in page if _height(run) == _height(number) and run is not number]
    return bool(beside) and not any(run is other for run in beside for other in repeated)


def _occurrences(edges: list[list[WordRun]]) -> dict[_Key, list[int]]:
    pages: dict[_Key, list[int]] = {}
    for number, runs in enumerate(edges):
        for key in {_key(run) for run in runs}:
            pages.setdefault(key, []).append(number)
    return pages


def _at_edges(page: list[WordRun], low: float, high: float) -> list[WordRun]:
    heights = sorted({_height(run) for run in page})
    bottom, top = heights[:_EDGE_LINES], heights[-_EDGE_LINES:]
    return [
        run
        for run in page
        if (run.y >= high and _height(run) in top) or (run.y <= low and _height(run) in bottom)
    ]


def _height(run: WordRun) -> int:
    return round(run.y / 4)


def _key(run: WordRun) -> _Key:
    """Return the text without its numbers, and its height."""
    return _DIGITS.sub("#", run.text), _height(run)


def _is_repeated(run: WordRun, occurrences: dict[_Key, list[int]]) -> bool:
    """Return whether the text is on many pages, or on many pages of one chapter."""
    if run.table:
        return False
    text, height = _key(run)
    near = (occurrences.get((text, at), []) for at in (height - 1, height, height + 1))
    pages = sorted({number for numbers in near for number in numbers})
    if _NUMBER.fullmatch(run.text):
        return len(pages) >= 2
    return len(pages) >= _MIN_PAGES and len(pages) >= _MIN_SHARE * (pages[-1] - pages[0] + 1)
