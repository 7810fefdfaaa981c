"""Removes page numbers, running heads and publisher's lines that a single page shows."""

import re
from collections.abc import Sequence

from webquarry.reading.documents.pdf.glyphs import WordRun

_EDGE_LINES = 3  # at the top and at the bottom
_MIN_LINES = 6  # on the page
_MAX_WORDS = 24  # of a running head
_ISOLATED = 1.7  # em from its baseline to the next line of the page
_SMALL, _ISOLATED_SMALL = 0.9, 1.25  # times the size of the next line; em
_FAR = 2.0  # em between a page number and the rest of its line
_PAGE_NUMBER = re.compile(
    r"[-\u2013\u2014|\s]{0,4}(?:(?:page|seite|p\.|pg\.?)\s?)?"
    r"(?:[A-Z]?[-\u2013.]?\d{1,4}|\d{1,2}\s?[-\u2013]\s?\d{1,3}|[ivxlcIVXLC]{1,7})"
    r"(?:\s?(?:/|of|von|de|sur)\s?\d{1,4})?[-\u2013\u2014|\s]{0,4}",
    re.IGNORECASE,
)
_PUBLISHER = re.compile(
    r"\bdownloaded from\b|\bdownload date\b|\bdigitized by\b|\bissn\b|\bvol(?:ume|\.)?\s?\d|"
    r"\bauthorized licensed use\b|^(?:https?://|www\.)\S+$",
    re.IGNORECASE,
)
_Line = list[WordRun]


def without_furniture(runs: list[WordRun]) -> list[WordRun]:
    """Return the runs of a page without what only says where the page is from."""
    lines = _lines(runs)
    if len(lines) < _MIN_LINES:
        return runs
    removed = {id(run) for line in _furniture(lines) for run in line}
    return [run for run in runs if id(run) not in removed] if removed else runs


def _furniture(lines: Sequence[_Line]) -> list[_Line]:
    found: list[_Line] = []
    for ordered in (lines, lines[::-1]):
        outer = 0
        for number in range(_EDGE_LINES):
            if _is_isolated(ordered[number], ordered[number + 1]):
                outer = number + 1
        found += _at_edge(ordered[:outer])
    return found


def _at_edge(lines: Sequence[_Line]) -> list[_Line]:
    """Return what is furniture of the isolated lines from an edge; one has the page number."""
    found: list[_Line] = []
    has_number = False
    for line in lines:
        is_number = _is_page_number(line)
        if (is_number and not has_number) or (not is_number and _names_publisher(line)):
            found.append(line)
        has_number = has_number or is_number
    return found


def _lines(runs: Sequence[WordRun]) -> list[_Line]:
    lines: list[_Line] = []
    for run in sorted(runs, key=lambda run: -run.y):
        # a table stands at its upper edge, which may be the line below a running head
        is_table = run.table is not None or (lines and lines[-1][0].table is not None)
        if lines and not is_table and lines[-1][0].y - run.y < 0.6 * run.size:
            lines[-1].append(run)
        else:
            lines.append([run])
    return [sorted(line, key=lambda run: run.x0) for line in lines]


def _is_isolated(line: _Line, following: _Line) -> bool:
    if any(run.table for run in (*line, *following)):
        return not any(run.table for run in line)
    size, other = max(run.size for run in line), max(run.size for run in following)
    gap = abs(line[0].y - following[0].y)
    is_small = size < _SMALL * other
    return gap > _ISOLATED * max(size, other) or (is_small and gap > _ISOLATED_SMALL * other)


def _is_page_number(line: _Line) -> bool:
    """Return whether a line is a page number, or a running head with one."""
    text = " ".join(run.text for run in line)
    if _PAGE_NUMBER.fullmatch(text):
        return True
    return text.count(" ") < _MAX_WORDS and _has_page_number(line)


def _names_publisher(line: _Line) -> bool:
    text = " ".join(run.text for run in line)
    if text.count(" ") >= _MAX_WORDS:
        return False
    # a footnote may name a source
    return not text[:1].isdigit() and bool(_PUBLISHER.search(text[:500]))


def _has_page_number(line: _Line) -> bool:
    """Return whether the line begins or ends with a page number that stands apart."""
    if len(line) < 2:
        return False
    first, second, before, last = line[0], line[1], line[-2], line[-1]
    is_first = second.x0 - first.x1 > _FAR * first.size and _PAGE_NUMBER.fullmatch(first.text)
    is_last = last.x0 - before.x1 > _FAR * last.size and _PAGE_NUMBER.fullmatch(last.text)
    return bool(is_first or is_last)
