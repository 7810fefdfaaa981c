"""Intervals of a PDF page: what the parts of tables have in common."""

from collections.abc import Iterable
from typing import NamedTuple


class ColumnSpan(NamedTuple):
    """An interval of x."""

    low: float
    high: float

    @property
    def width(self) -> float:
        """Its length in points."""
        return self.high - self.low

    @property
    def center(self) -> float:
        """The x of its middle."""
        return (self.low + self.high) / 2

    def common(self, other: "ColumnSpan") -> float:
        """Return how many points both share; negative where they are apart."""
        return min(self.high, other.high) - max(self.low, other.low)

    def covers_much_of(self, other: "ColumnSpan", share: float) -> bool:
        """Return whether both share so much of the shorter one."""
        return self.common(other) > share * min(self.width, other.width)


def is_near(value: float, other: float, slack: float) -> bool:
    """Return whether two places are the same, but for a few points."""
    return abs(value - other) <= slack


def is_any_near(value: float, others: Iterable[float], slack: float) -> bool:
    """Return whether one of the places is the same."""
    return any(is_near(value, other, slack) for other in others)
