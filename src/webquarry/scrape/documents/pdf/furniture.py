"""Headers, footers and page numbers: what stands at the same place of many pages."""

import re

from webquarry.scrape.documents.pdf.layout import Line

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

Page = list[list[Line]]
_Key = tuple[str, int]


def strip_furniture(pages: list[Page]) -> None:
    """Take repeated lines at the edges and bare page numbers out of the pages."""
    heights = [line.y for page in pages for column in page for line in column]
    if len(pages) < 2 or not heights:
        return
    margin = _MARGIN * (max(heights) - min(heights))
    low, high = min(heights) + margin, max(heights) - margin
    edges = [_edge_lines(page, low, high) for page in pages]
    seen: dict[_Key, list[int]] = {}
    for number, lines in enumerate(edges):
        for key in {_key(line) for line in lines}:
            seen.setdefault(key, []).append(number)
    for page, lines in zip(pages, edges, strict=True):
        gone = {id(line) for line in lines if _is_furniture(line, seen)}
        for column in page:
            column[:] = [line for line in column if id(line) not in gone]
        page[:] = [column for column in page if column]


def _edge_lines(page: Page, low: float, high: float) -> list[Line]:
    lines = sorted((line for column in page for line in column), key=lambda line: -line.y)
    top = [line for line in lines[:_EDGE_LINES] if line.y >= high]
    return top + [line for line in lines[-_EDGE_LINES:] if line.y <= low]


def _key(line: Line) -> _Key:
    """Return the line without its numbers, and its height."""
    return _DIGITS.sub("#", line.text), round(line.y / 4)


def _is_furniture(line: Line, seen: dict[_Key, list[int]]) -> bool:
    """Whether the line stands on many pages, or on many of those of its chapter."""
    words, place = _key(line)
    near = (seen.get((words, at), []) for at in (place - 1, place, place + 1))
    found = sorted({number for pages in near for number in pages})
    if _NUMBER.fullmatch(line.text):
        return len(found) >= 2
    return len(found) >= _FEWEST_PAGES and len(found) >= _SHARE * (found[-1] - found[0] + 1)
