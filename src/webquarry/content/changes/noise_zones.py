"""The parts of a page that rotate by their nature: advertisements, and teasers of other pages."""

from collections.abc import Sequence

from webquarry.content.changes.noise_rules import (
    AD_LABEL,
    daily_label,
    is_advertisement,
    is_cookie_notice,
    is_related_heading,
)
from webquarry.content.changes.page_units import PageUnit
from webquarry.models.changes import NoiseReason

_TEASER_WORDS = 30
_MAJOR_LEVEL = 2  # a heading of this level ends teasers that no heading announces


def noise_zones(units: Sequence[PageUnit]) -> list[NoiseReason | None]:
    """Return for each unit the reason why everything about it is ignored."""
    reader = _Reader()
    notices = _cookie_notices(units)
    return ["cookie_notice" if unit.block in notices else reader.zone(unit) for unit in units]


def _cookie_notices(units: Sequence[PageUnit]) -> set[int]:
    """Return the blocks that ask for consent."""
    blocks: dict[int, list[str]] = {}
    for unit in units:
        blocks.setdefault(unit.block, []).append(unit.key)
    return {block for block, texts in blocks.items() if is_cookie_notice(" ".join(texts))}


class _Reader:
    """Goes through the units of a page."""

    def __init__(self) -> None:
        self._ad_block = -1
        self._daily_line = -1
        self._teaser_level = 0  # of the heading that announces teasers; 0: there are none
        self._in_teasers = False

    def zone(self, unit: PageUnit) -> NoiseReason | None:
        """Return the reason for the next unit."""
        self._follow_teasers(unit)
        if self._is_ad(unit):
            return "advertisement"
        return "related" if self._in_teasers or self._is_daily(unit) else None

    def _is_daily(self, unit: PageUnit) -> bool:
        """Tell whether a unit is what a label such as "Quote of the day" announces."""
        label = daily_label(unit.key)
        if label == "all":
            self._daily_line = unit.line + 1
        return bool(label) or unit.line == self._daily_line

    def _is_ad(self, unit: PageUnit) -> bool:
        if any(AD_LABEL.fullmatch(heading) for heading in unit.path):
            return True
        if AD_LABEL.fullmatch(unit.key):
            # a label alone marks the next block, one above other lines its own
            self._ad_block = unit.block + 1 if unit.is_block else unit.block
            return True
        return unit.block == self._ad_block or is_advertisement(unit.key)

    def _follow_teasers(self, unit: PageUnit) -> None:
        """Teasers start at a heading or a line that announces them, and are short or listed."""
        if is_related_heading(unit.key):
            self._in_teasers, self._teaser_level = True, unit.level or _MAJOR_LEVEL
        elif unit.level:
            self._in_teasers = self._in_teasers and unit.level > self._teaser_level
        elif not unit.in_list and len(unit.key.split()) > _TEASER_WORDS:
            self._in_teasers = False
