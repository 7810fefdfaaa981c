"""Detects crawl traps: calendars, endless query strings, repeating paths."""

import re
from collections import Counter, defaultdict

_MAX_LENGTH = 2_000
_MAX_SEGMENTS = 24
_MAX_REPEATS = 3  # of one segment, like /a/b/a/b/a/b
_MAX_QUERIES = 200  # different queries of one path
_MAX_DATES = 60  # different dates of one path
_MAX_REPEATED_QUERIES = 5  # queries of one path with repeated content
_DATE = re.compile(
    r"(?:19|20|21)\d\d[-/_]?(?:0?[1-9]|1[0-2])(?:[-/_]?(?:0?[1-9]|[12]\d|3[01]))?(?!\d)"
)
_DATE_NAMES = re.compile(
    r"(?:^|[?&/_-])(?:cal(?:endar)?|day|month|year|week|date|from|to|start|end|tribe-bar-date|"
    r"mini|eventdate)(?:[=/?&]|$)",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"\d+")


class Traps:
    """Counts the URLs of one crawl by path."""

    def __init__(self) -> None:
        self._queries: Counter[str] = Counter()
        self._dates: Counter[str] = Counter()
        self._repeated: defaultdict[str, int] = defaultdict(int)

    def is_trap(self, url: str) -> bool:
        """Whether a new URL exceeds the limit for URLs of its kind."""
        if len(url) > _MAX_LENGTH:
            return True
        head, mark, query = url.partition("?")
        segments = head.split("/")[3:]
        if len(segments) > _MAX_SEGMENTS or _has_repeated_segments(segments):
            return True
        return self._endless_query(head, query) if mark else self._endless_dates(head)

    def note_repeated(self, url: str) -> None:
        """Count a URL whose content was already known."""
        head, mark, _ = url.partition("?")
        if mark:
            self._repeated[head] += 1

    def _endless_query(self, head: str, query: str) -> bool:
        if self._repeated.get(head, 0) >= _MAX_REPEATED_QUERIES:
            return True
        self._queries[head] += 1
        if self._queries[head] > _MAX_QUERIES:
            return True
        if _DATE_NAMES.search(f"{head}?{query}") and _DIGITS.search(query):
            self._dates[head] += 1
            return self._dates[head] > _MAX_DATES
        return False

    def _endless_dates(self, head: str) -> bool:
        # articles have dates in their paths too: only paths that look like a calendar count
        if not _DATE.search(head) or not _DATE_NAMES.search(head):
            return False
        shape = _DIGITS.sub("0", head)
        self._dates[shape] += 1
        return self._dates[shape] > _MAX_DATES


def _has_repeated_segments(segments: list[str]) -> bool:
    """Whether a segment, or a pair of segments, repeats too often."""
    if len(segments) - len(set(segments)) < _MAX_REPEATS:
        return False
    counts = Counter(segment for segment in segments if segment)
    return bool(counts) and max(counts.values()) > _MAX_REPEATS
