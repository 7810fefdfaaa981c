"""Learns from the first versions what differs without a change worth telling."""

from collections.abc import Iterable

from webquarry.content.changes.compare import MAX_CHANGES, differences
from webquarry.content.changes.differences import VersionDifference
from webquarry.content.changes.ignored_differences import NEVER_LEARNED, NoiseFilter
from webquarry.content.changes.noise_patterns import (
    MAX_PATTERNS,
    has_fixed_words,
    line_form,
    pattern_of,
)
from webquarry.content.changes.page_units import UnitReader
from webquarry.content.changes.rotating_sections import rotating_sections
from webquarry.models.changes import NoisePattern, NoiseProfile, PageVersion, Version

LEARNING_VERSIONS = 5
_MIN_SEEN = 2  # differences in one place; one is a change
_MIN_SEEN_NUMBERS = 3  # a number that is worth watching changes, too
_SHORT_WORDS = 6


def is_learning(profile: NoiseProfile) -> bool:
    """Tell whether a profile still learns from new versions."""
    return profile.versions < LEARNING_VERSIONS


def learn_noise(
    profile: NoiseProfile, before: Version, after: Version, *, is_reread: bool = False
) -> NoiseProfile:
    """Return the profile with what two successive versions show to be noise.

    A place that differs twice is noise, or once if the page was read twice in a row (`is_reread`).
    Prices, availability, titles and fields are never learned. Nothing is learned after the first
    versions.
    """
    if not is_learning(profile):
        return profile
    known = {each.id: each for each in (*profile.patterns, *profile.candidates)}
    if isinstance(before, PageVersion) and isinstance(after, PageVersion):
        for pattern in _noise(profile, before, after):
            seen = known[pattern.id].seen + 1 if pattern.id in known else 1
            seen = max(seen, pattern.needed) if is_reread else seen
            known[pattern.id] = pattern.model_copy(update={"seen": seen})
    is_known = [each for each in known.values() if each.seen >= each.needed or _is_muted(each)]
    rest = [each for each in known.values() if each.seen < each.needed and not _is_muted(each)]
    versions = profile.versions + 1
    return profile.model_copy(
        update={
            "versions": versions,
            "patterns": tuple(is_known[:MAX_PATTERNS]),
            "candidates": tuple(rest[:MAX_PATTERNS]) if versions < LEARNING_VERSIONS else (),
        }
    )


def _is_muted(pattern: NoisePattern) -> bool:
    return pattern.origin == "muted"


def _noise(
    profile: NoiseProfile, before: PageVersion, after: PageVersion
) -> Iterable[NoisePattern]:
    """Return the patterns of the places that differ, each once."""
    noise = NoiseFilter(profile, before, after)
    found = [noise.marked(each) for each in differences(before, after)[0][:MAX_CHANGES]]
    open_ = [each for each in found if _may_be_noise(each)]
    reader = UnitReader()
    rotating = rotating_sections(reader.units(before.markdown), reader.units(after.markdown))
    patterns: dict[str, NoisePattern] = {}
    for each in open_:
        where = each.where if each.where in rotating else ""
        pattern = _pattern(each, is_rotating=bool(where), replaced=_replaced(open_))
        if pattern:
            patterns[pattern.id] = pattern
    return patterns.values()


def _may_be_noise(difference: VersionDifference) -> bool:
    ignored = difference.ignored
    return difference.kind not in NEVER_LEARNED and (
        ignored is None or ignored.reason in ("learned", "moved")
    )


def _replaced(found: Iterable[VersionDifference]) -> frozenset[int]:
    """Return the places where something was removed and something was added."""
    actions: dict[int, set[str]] = {}
    for each in found:
        actions.setdefault(each.block, set()).add(each.action)
    return frozenset(block for block, seen in actions.items() if {"added", "removed"} <= seen)


def _pattern(
    difference: VersionDifference, *, is_rotating: bool, replaced: frozenset[int]
) -> NoisePattern | None:
    """Return the pattern of a difference, None if nothing tells its place."""
    needed = _MIN_SEEN_NUMBERS if difference.kind == "number" else _MIN_SEEN
    if is_rotating:
        pattern = pattern_of(difference, "section", "learned")
    elif difference.action == "changed" and _is_recognisable(difference):
        pattern = pattern_of(difference, "line", "learned")
    elif difference.action == "changed" or difference.block in replaced:
        pattern = pattern_of(difference, "following", "learned")
    else:
        return None
    return pattern.model_copy(update={"needed": needed})


def _is_recognisable(difference: VersionDifference) -> bool:
    """Tell whether a line has words that stay, and not only one among many."""
    form = line_form(difference)
    words = max(len(text.split()) for text in (difference.before, difference.after))
    return has_fixed_words(form, 1 if words <= _SHORT_WORDS else 2)
