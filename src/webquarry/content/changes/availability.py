"""What a text says about whether something can be bought."""

import re
from typing import Literal

from webquarry.content.changes.noise_words import any_of

Availability = Literal["out_of_stock", "limited", "preorder", "in_stock"]
_ORDER: tuple[Availability, ...] = ("out_of_stock", "limited", "preorder", "in_stock")
_STATES: dict[Availability, "re.Pattern[str]"] = {
    state: re.compile(any_of(state), re.IGNORECASE) for state in _ORDER
}


def availability_in(text: str) -> Availability | None:
    """Return what a text says about availability, None if it does not."""
    return next((state for state, pattern in _STATES.items() if pattern.search(text)), None)
