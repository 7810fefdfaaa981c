"""Keeps a crawl out of places that never end: calendars, endless queries, paths that repeat."""

import re
from collections import Counter, defaultdict

_LONGEST = 2_000
_MOST_SEGMENTS = 24
_MOST_REPEATS = 3  # of one segment, like /a/b/a/b/a/b
_MOST_QUERIES = 200  # different queries of one path
_MOST_DATES = 60  # different dates of one path
_MOST_TWINS = 5  # queries of one path that brought nothing new
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
    """Remembers what one crawl has met."""

    def __init__(self) -> None:
        self._queries: Counter[str] = Counter()
        self._dates: Counter[str] = Counter()
        self._twins: defaultdict[str, int] = defaultdict(int)

    def catches(self, url: str) -> bool:
        """Whether a new address is one too many of its kind."""
        if len(url) > _LONGEST:
            return True
        head, mark, query = url.partition("?")
        segments = head.split("/")[3:]
        if len(segments) > _MOST_SEGMENTS or _repeats(segments):
            return True
        return self._endless_query(head, query) if mark else self._endless_dates(head)

    def note_twin(self, url: str) -> None:
        """Remember that an address brought what was there already."""
        head, mark, _ = url.partition("?")
        if mark:
            self._twins[head] += 1

    def _endless_query(self, head: str, query: str) -> bool:
        if self._twins.get(head, 0) >= _MOST_TWINS:
            return True
        self._queries[head] += 1
        if self._queries[head] > _MOST_QUERIES:
            return True
        if _DATE_NAMES.search(f"{head}?{query}") and _DIGITS.search(query):
            self._dates[head] += 1
            return self._dates[head] > _MOST_DATES
        return False

    def _endless_dates(self, head: str) -> bool:
        # articles have dates in their paths as well: only what calls itself a calendar counts
        if not _DATE.search(head) or not _DATE_NAMES.search(head):
            return False
        shape = _DIGITS.sub("0", head)
        self._dates[shape] += 1
        return self._dates[shape] > _MOST_DATES


def _repeats(segments: list[str]) -> bool:
    """Whether a segment, or a pair of them, comes again and again."""
    if len(segments) - len(set(segments)) < _MOST_REPEATS:
        return False
    counts = Counter(segment for segment in segments if segment)
    return bool(counts) and max(counts.values()) > _MOST_REPEATS
