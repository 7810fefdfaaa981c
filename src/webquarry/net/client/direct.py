"""The short way to places that are asked again and again: straight to the address that was checked.

What goes through the guard crosses this process twice. A place that is asked often gets a client of
its own instead. It is told the addresses that the guard's own resolver found and checked, and knows
no other name. Whatever is unusual goes through the guard, which also gives the reasons (ADR 9).
"""

import re
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from webquarry.net.client.wreq_client import HttpClient
from webquarry.net.clock import Clock
from webquarry.net.guard.resolver import PinnedHost
from webquarry.net.guard.server import Guard
from webquarry.net.url import Url

# requests before a client of its own pays: making one costs as much as five through the guard
FEW = 2
RECENT = 60.0  # seconds after which a place counts as new
CHECKED = 60.0  # seconds until its addresses are looked up and checked again
LIFETIME = 600.0  # seconds of one client, like that of a connection of the guard
_MOST = 16  # places; each takes a quarter of a megabyte
# names that nobody could read in two ways
_NAME = re.compile(r"[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+")

Make = Callable[[PinnedHost], HttpClient]


@dataclass
class _Place:
    asked: float
    times: int = 0
    engine: HttpClient | None = None
    addresses: frozenset[str] = frozenset()
    made: float = 0.0
    checked: float = 0.0


class DirectClients:
    """The clients of places that are asked often."""

    def __init__(self, guard: Guard, make: Make, clock: Clock) -> None:
        self._guard = guard
        self._make = make
        self._clock = clock
        self._places: OrderedDict[tuple[str, int], _Place] = OrderedDict()

    async def engine(self, here: Url) -> HttpClient | None:
        """Return the client of a place; None when it has none and the guard has to be asked."""
        now = self._clock.now()
        place = self._place(here, now)
        place.times += 1
        place.asked = now
        if place.engine and now - place.checked < CHECKED and now - place.made < LIFETIME:
            return place.engine
        if place.times <= FEW or not _is_plain(here):
            return None
        pinned = await self._guard.pin(here)
        if pinned is None:
            self.forget(here)
            return None
        return self._renewed(place, pinned, now)

    def forget(self, here: Url) -> bool:
        """Ask the guard for this place until it is asked often again; tell if it had a client."""
        place = self._places.pop((here.host, here.port), None)
        if place is None or place.engine is None:
            return False
        place.engine.let_go()
        return True

    def close(self) -> None:
        """Close all connections."""
        places, self._places = self._places, OrderedDict()
        for place in places.values():
            if place.engine:
                place.engine.close()

    def _place(self, here: Url, now: float) -> _Place:
        key = (here.host, here.port)
        place = self._places.get(key)
        if place is not None and now - place.asked > RECENT:
            self.forget(here)
            place = None
        if place is None:
            place = self._places[key] = _Place(asked=now)
        self._places.move_to_end(key)
        while len(self._places) > _MOST:
            _, oldest = self._places.popitem(last=False)
            if oldest.engine:
                oldest.engine.let_go()
        return place

    def _renewed(self, place: _Place, pinned: PinnedHost, now: float) -> HttpClient:
        addresses = frozenset(pinned.addresses)
        old = now - place.made >= LIFETIME
        if place.engine is None or old or addresses != place.addresses:
            if place.engine:
                place.engine.let_go()  # not closed: it may be in the middle of something
            place.engine, place.made, place.addresses = self._make(pinned), now, addresses
        place.checked = now
        return place.engine


def _is_plain(here: Url) -> bool:
    return here.address is not None or _NAME.fullmatch(here.host) is not None
