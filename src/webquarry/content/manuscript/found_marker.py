"""A citation marker as it is found in the text, before it is linked."""

import re
from dataclasses import dataclass

from webquarry.content.manuscript.manuscript_model import MarkerKind, Span

_MAX_RANGE = 200


@dataclass(frozen=True, slots=True)
class FoundMarker:
    """A marker in the text, and what it names."""

    kind: MarkerKind
    span: Span
    labels: tuple[str, ...] = ()  # numbers and keys; of a legal citation its report
    works: tuple[tuple[str, str], ...] = ()  # authors and year
    url: str | None = None
    removed: Span | None = None  # what a claim does not need; by default the whole marker


def expand_numbers(written: str) -> tuple[str, ...]:
    """Return the numbers of `3-5, 7` one by one."""
    numbers: list[str] = []
    for part in re.split(r"\s?[,;&]\s?", written):
        first, _, last = re.sub(r"\s?[-\u2010-\u2014\u2212]\s?", "-", part).partition("-")
        if not last or not 0 < int(last) - int(first) <= _MAX_RANGE:
            numbers += [number for number in (first, last) if number]
        else:
            numbers += map(str, range(int(first), int(last) + 1))
    return tuple(dict.fromkeys(str(int(number)) for number in numbers if number))
