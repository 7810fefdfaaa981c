"""Finds sections whose content is replaced or shuffled from one version to the next."""

from collections.abc import Sequence

from webquarry.content.changes.differences import PLACE_SEPARATOR
from webquarry.content.changes.page_units import PageUnit

_MAX_UNITS = 80
_MIN_UNITS = 2
_MIN_SHARE = 0.5  # of the units of a section, that have another place or are gone
_MAX_PAGE_SHARE = 0.5  # a section that is most of the page is its content


def rotating_sections(before: Sequence[PageUnit], after: Sequence[PageUnit]) -> frozenset[str]:
    """Return the sections that rotate; one that grows at one end does not."""
    old, new = _sections(before), _sections(after)
    most = _MAX_PAGE_SHARE * max(len(before), len(after))
    return frozenset(
        where
        for where, keys in new.items()
        if where in old
        and _MIN_UNITS <= len(keys) <= min(_MAX_UNITS, most)
        and is_rotating(old[where], keys)
    )


def is_rotating(before: Sequence[str], after: Sequence[str]) -> bool:
    """Tell whether a list was replaced or shuffled, and did not only grow at one end."""
    old, new = set(before), set(after)
    kept = [key for key in after if key in old]
    is_shuffled = kept != [key for key in before if key in new]
    gone, came = old - new, new - old
    if not is_shuffled and (not gone or not came):
        return False
    moved = len(set(kept)) if is_shuffled else 0
    if len(gone) + len(came) + 2 * moved < _MIN_SHARE * (len(old) + len(new)):
        return False
    return (
        is_shuffled or not kept or not (_grows(before, after) or _grows(before[::-1], after[::-1]))
    )


def _grows(before: Sequence[str], after: Sequence[str]) -> bool:
    """Tell whether new keys are all before the kept ones, and gone ones were all after them."""
    old, new = set(before), set(after)
    first = next(at for at, key in enumerate(after) if key in old)
    last = max(at for at, key in enumerate(before) if key in new)
    return all(key in old for key in after[first:]) and all(
        key in new for key in before[: last + 1]
    )


def _sections(units: Sequence[PageUnit]) -> dict[str, list[str]]:
    """Return the units below each heading that is not the title of the page."""
    sections: dict[str, list[str]] = {}
    level = 0
    for unit in units:
        level = unit.level or level
        if unit.path and level > 1 and not unit.level:
            sections.setdefault(PLACE_SEPARATOR.join(unit.path), []).append(unit.key)
    return sections
