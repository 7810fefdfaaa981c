"""Compares two versions of what is watched."""

from collections.abc import Iterable

from webquarry.content.changes.change_writer import ChangeWriter
from webquarry.content.changes.differences import VersionDifference
from webquarry.content.changes.entry_differences import entry_differences
from webquarry.content.changes.field_differences import field_differences
from webquarry.content.changes.ignored_differences import NoiseFilter
from webquarry.content.changes.page_differences import page_differences
from webquarry.models.changes import (
    Change,
    EntriesVersion,
    FieldsVersion,
    NoiseProfile,
    PageVersion,
    Version,
    VersionComparison,
)

MAX_CHANGES = 500
_NO_NOISE = NoiseProfile()


def compare_versions(
    before: Version, after: Version, profile: NoiseProfile = _NO_NOISE
) -> VersionComparison:
    """Return what changed from one version to the next, and what of it is ignored.

    Both versions must have the same form: a page, fields or entries.
    """
    found, truncated = differences(before, after)
    noise = NoiseFilter(profile, before, after)
    marked = [noise.marked(difference) for difference in found[:MAX_CHANGES]]
    writer = ChangeWriter(before, after)
    changes = [writer.change(each) for each in grouped(marked)]
    return VersionComparison(
        changes=_unique(change for change in changes if not change.ignored),
        ignored=_unique(change for change in changes if change.ignored),
        truncated=truncated or len(found) > MAX_CHANGES,
    )


def differences(before: Version, after: Version) -> tuple[list[VersionDifference], bool]:
    """Return all differences, noise included, and whether the versions are too long for all."""
    if isinstance(before, PageVersion) and isinstance(after, PageVersion):
        return page_differences(before, after)
    if isinstance(before, FieldsVersion) and isinstance(after, FieldsVersion):
        return field_differences(before, after), False
    if isinstance(before, EntriesVersion) and isinstance(after, EntriesVersion):
        return entry_differences(before, after)
    raise ValueError(f"a version of {before.form} cannot be compared with one of {after.form}")


def grouped(found: Iterable[VersionDifference]) -> list[VersionDifference]:
    """Join what was added or removed as one passage."""
    groups: list[VersionDifference] = []
    for each in found:
        last = groups[-1] if groups else None
        if last and each.block >= 0 and _is_one_passage(last, each):
            groups[-1] = last._replace(
                before="\n".join(filter(None, (last.before, each.before))),
                after="\n".join(filter(None, (last.after, each.after))),
            )
        else:
            groups.append(each)
    return groups


def _is_one_passage(last: VersionDifference, following: VersionDifference) -> bool:
    return (
        last.kind == following.kind == "text"
        and last.action == following.action != "changed"
        and (last.block, last.where, last.ignored)
        == (following.block, following.where, following.ignored)
    )


def _unique(changes: Iterable[Change]) -> tuple[Change, ...]:
    return tuple({change.id: change for change in changes}.values())
