"""Page ranges as people write them: "1-3,7", "5-"."""

import re

from webquarry.errors import BadInputError

_PART = re.compile(r"(\d{1,6})(?:\s*(-)\s*(\d{1,6})?)?")
_MAX_PARTS = 100

Ranges = tuple[tuple[int, int | None], ...]


def parse_page_ranges(pages: str | None) -> Ranges:
    """Return first and last page of each part; no last page means up to the end."""
    if pages is None or not pages.strip():
        return ()
    parts = [part.strip() for part in pages.split(",")]
    if len(parts) > _MAX_PARTS:
        raise BadInputError(f"pages names more than {_MAX_PARTS} ranges")
    return tuple(_parse(part, pages) for part in parts)


def _parse(part: str, pages: str) -> tuple[int, int | None]:
    match = _PART.fullmatch(part)
    if match is None:
        raise BadInputError(f"pages={pages[:80]!r} is not a list of pages like '1-3,7' or '5-'")
    first = int(match[1])
    last = first if match[2] is None else int(match[3]) if match[3] else None
    if first < 1 or (last is not None and last < first):
        raise BadInputError(f"pages={pages[:80]!r}: {part!r} is not a range that counts up from 1")
    return first, last
