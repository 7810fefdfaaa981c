"""What is left of the limits that apply to a caller, wherever they are counted."""

from collections.abc import Awaitable, Callable, Sequence

from webquarry.models.caller import Caller
from webquarry.models.quota import Quota

Looks = Callable[[Caller], Awaitable[Sequence[Quota]]]


class Quotas:
    """Asks everything that limits calls; each of them is registered once, at the start."""

    def __init__(self) -> None:
        self._places: list[Looks] = []

    def watch(self, look: Looks) -> None:
        """Add something that limits calls."""
        self._places.append(look)

    async def standing(self, caller: Caller) -> list[Quota]:
        """Return every limit that applies to the caller, without counting a call."""
        return [quota for look in self._places for quota in await look(caller)]
