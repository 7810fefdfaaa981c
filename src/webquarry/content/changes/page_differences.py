"""The differences of two versions of a page."""

from collections.abc import Iterator, Sequence

from webquarry.content.changes.change_kind import KindOfChange, kind_of_change
from webquarry.content.changes.differences import (
    MAX_FOLLOWS_CHARS,
    PLACE_SEPARATOR,
    VersionDifference,
)
from webquarry.content.changes.link_targets import comparable_link
from webquarry.content.changes.noise_zones import noise_zones
from webquarry.content.changes.page_units import MAX_UNITS, PageUnit, UnitReader, fold_text
from webquarry.content.changes.surrounding_text import SurroundingText
from webquarry.content.changes.unit_alignment import UnitPair, align_units
from webquarry.models.changes import NoiseReason, PageVersion

_MAX_LINKS = 2_000
_Zones = dict[int, NoiseReason]


def page_differences(
    before: PageVersion, after: PageVersion
) -> tuple[list[VersionDifference], bool]:
    """Return the differences in the order of the page, and whether it is too long for all."""
    title = _title_difference(before, after)
    if before.markdown == after.markdown:
        return title, False
    reader = UnitReader()
    old, new = reader.units(before.markdown), reader.units(after.markdown)
    zones = _zones(old) | _zones(new)
    alignment = align_units(old, new)
    seen = SurroundingText(before, old), SurroundingText(after, new)
    found = [_difference(pair, zones, seen) for pair in alignment.different]
    if title:  # the heading that repeats the title changes with it
        texts = fold_text(title[0].before), fold_text(title[0].after)
        found = [each for each in found if (fold_text(each.before), fold_text(each.after)) != texts]
    links = list(_link_differences(alignment.equal, zones, after.url))
    return [*title, *found, *links], max(len(old), len(new)) >= MAX_UNITS


def _title_difference(before: PageVersion, after: PageVersion) -> list[VersionDifference]:
    if not before.title or not after.title or fold_text(before.title) == fold_text(after.title):
        return []
    return [VersionDifference("title", before.title, after.title)]


def _zones(units: Sequence[PageUnit]) -> _Zones:
    """Return the reason for each unit that is in a noisy part, by its identity."""
    return {id(unit): zone for unit, zone in zip(units, noise_zones(units), strict=True) if zone}


def _difference(
    pair: UnitPair, zones: _Zones, seen: tuple[SurroundingText, SurroundingText]
) -> VersionDifference:
    units = [unit for unit in (pair.before, pair.after) if unit]
    before, after = (unit.text if unit else "" for unit in (pair.before, pair.after))
    kind, number = kind_of_change(before, after) if not pair.is_moved else KindOfChange("text")
    if pair.before and pair.after and {pair.before.level, pair.after.level} == {1}:
        kind = "title"
    reasons: list[NoiseReason | None] = [zones.get(id(unit)) for unit in units]
    reason: NoiseReason | None = reasons[-1] if all(reasons) else None
    if reason is None:
        reason = _reason(pair, seen)
    return VersionDifference(
        kind=kind, before=before, after=after, where=_where(units[-1]),
        follows=_follows(pair.previous), offset=pair.offset, number=number,
        reason=reason, block=pair.block,
    )  # fmt: skip


def _reason(pair: UnitPair, seen: tuple[SurroundingText, SurroundingText]) -> NoiseReason | None:
    """Return why a unit only seems to have been added or removed."""
    if pair.is_moved:
        return "moved"
    sides = (pair.before, pair.after)
    if any(unit and text.is_advertisement(unit) for unit, text in zip(sides, seen, strict=True)):
        return "advertisement"
    if pair.before and not pair.after:
        return "outside" if seen[1].has(pair.before, seen[0].at) else None
    if pair.after and not pair.before:
        return "outside" if seen[0].has(pair.after, seen[1].at) else None
    return None


def _where(unit: PageUnit) -> str:
    path = unit.path[:-1] if unit.level else unit.path
    return PLACE_SEPARATOR.join(path)


def _follows(unit: PageUnit | None) -> str:
    return unit.text[:MAX_FOLLOWS_CHARS] if unit else ""


def _link_differences(
    equal: Sequence[UnitPair], zones: _Zones, page: str
) -> Iterator[VersionDifference]:
    """Yield links whose text stayed and whose target changed; not those within the page."""
    own = comparable_link(page.partition("#")[0])
    left = _MAX_LINKS
    for before, after, *_ in equal:
        if not before or not after or before.links == after.links or left <= 0:
            continue
        left -= len(after.links)
        targets: dict[str, list[str]] = {}
        for text, url in before.links:
            targets.setdefault(text, []).append(url)
        for text, url in after.links:
            if text in targets and not _leads_to(url, targets[text], own):
                yield VersionDifference(
                    kind="link", before=targets[text][0], after=url, where=_where(after),
                    follows=text, reason=zones.get(id(after)),
                )  # fmt: skip


def _leads_to(url: str, targets: Sequence[str], own: str) -> bool:
    link = comparable_link(url)
    if url in targets or link in map(comparable_link, targets):
        return True
    pages = {each.partition("#")[0] for each in (link, *map(comparable_link, targets))}
    return pages == {own}
