"""Headers, footers and page numbers: what stands at the same place of many pages."""

import re

from webquarry.reading.documents.pdf.glyphs import WordRun

_DIGITS = re.compile(r"\d+|\b[ivxlc]{1,7}\b", re.IGNORECASE)
_EDGE_LINES = 3  # lines from the top or bottom that may belong to it
_MARGIN = 0.1  # share of the height that text takes on any page
_FEWEST_PAGES = 3
_SHARE = 0.3  # of the pages from the first to the last of them
_NUMBER = re.compile(
    r"[-\u2013\u2014\s]*(?:page|seite|p\.)?\s*\d{1,5}(?:\s*(?:/|of|von|de|sur)\s*\d{1,5})?"
    r"[-\u2013\u2014\s]*|[ivxl]{1,7}",
    re.IGNORECASE,
)

_Key = tuple[str, int]


def strip_furniture(pages: list[list[WordRun]]) -> None:
    """Take repeated words at the edges and bare page numbers out of the pages."""
    heights = [run.y for page in pages for run in page]
    if len(pages) < 2 or not heights:
        return
    margin = _MARGIN * (max(heights) - min(heights))
    low, high = min(heights) + margin, max(heights) - margin
    edges = [_at_edges(page, low, high) for page in pages]
    seen: dict[_Key, list[int]] = {}
    for number, runs in enumerate(edges):
        for key in {_key(run) for run in runs}:
            seen.setdefault(key, []).append(number)
    for page, runs in zip(pages, edges, strict=True):
        gone = {id(run) for run in runs if _is_furniture(run, seen)}
        page[:] = [run for run in page if id(run) not in gone]


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
    """Return the words without their numbers, and their height."""
    return _DIGITS.sub("#", run.text), _height(run)


def _is_furniture(run: WordRun, seen: dict[_Key, list[int]]) -> bool:
    """Whether the words stand on many pages, or on many of those of their chapter."""
    words, place = _key(run)
    near = (seen.get((words, at), []) for at in (place - 1, place, place + 1))
    found = sorted({number for pages in near for number in pages})
    if _NUMBER.fullmatch(run.text):
        return len(found) >= 2
    return len(found) >= _FEWEST_PAGES and len(found) >= _SHARE * (found[-1] - found[0] + 1)
