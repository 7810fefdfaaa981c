"""What a page shows outside of its main content."""

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

from webquarry.content.changes.noise_rules import AD_LABEL, noise_text
from webquarry.content.changes.page_units import PageUnit, fold_text
from webquarry.models.changes import PageVersion

_MIN_SPACES = 3  # a shorter text may be in another text by chance
_MAX_ROW_CHARS = 1_000
_MAX_LINES = 4_000
_HEADING_LINKS = "\u00b6\u00a7# "  # signs of links to headings, which main content does not have


class SurroundingText:
    """The text of a page that is not in its main content."""

    def __init__(self, version: PageVersion, units: Sequence[PageUnit]) -> None:
        self.at = version.at
        self._page = version.page_text
        self._units = units

    def has(self, unit: PageUnit, at: float) -> bool:
        """Tell whether a unit of the other version, read at another time, is outside here."""
        if not self._page:
            return False
        parts = unit.key.split(" | ") if len(unit.key) <= _MAX_ROW_CHARS else [unit.key]
        return all(self._has(part, at) for part in parts)

    def is_advertisement(self, unit: PageUnit) -> bool:
        """Tell whether a unit of this version follows the label of an advertisement."""
        return bool(self._page) and unit.key in self._advertised

    def _has(self, text: str, at: float) -> bool:
        if self._lines[text] > 0:
            return True
        if text.count(" ") >= _MIN_SPACES and self._text.count(text) > self._main.count(text):
            return True
        plain = noise_text(text, at)
        return plain != text and self._noisy_lines[plain] > 0

    @cached_property
    def _text(self) -> str:
        lines = self._page.split("\n")[:_MAX_LINES]
        return "\n".join(fold_text(line).rstrip(_HEADING_LINKS) for line in lines)

    @cached_property
    def _main(self) -> str:
        return "\n".join(unit.key for unit in self._units)

    @cached_property
    def _lines(self) -> Counter[str]:
        lines = Counter(self._text.split("\n"))
        lines.subtract(part for unit in self._units for part in unit.key.split(" | "))
        return lines

    @cached_property
    def _noisy_lines(self) -> Counter[str]:
        """The lines outside with noise in them, without that noise."""
        lines = (line for line, count in self._lines.items() if count > 0)
        return Counter(noise_text(line, self.at) for line in lines)

    @cached_property
    def _advertised(self) -> frozenset[str]:
        lines = self._text.split("\n")
        return frozenset(line for label, line in pairwise(lines) if AD_LABEL.fullmatch(label))
