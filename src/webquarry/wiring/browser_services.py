"""Services of pages that callers operate, and of stored logins.

As in `wiring.container`, each member imports what it needs when it is first used.
"""

from functools import cached_property
from typing import TYPE_CHECKING

from webquarry.wiring.shared_services import SharedServices

if TYPE_CHECKING:
    from webquarry.reading.browsing.browsing_service import BrowsingService
    from webquarry.storage.logins import Logins
    from webquarry.wiring.signed_in_reading import SignedInReading


class BrowserServices(SharedServices):
    """The part of `Services` that opens pages for one person."""

    @cached_property
    def logins(self) -> "Logins":
        from webquarry.storage.logins import Logins

        options = self._settings.browsing
        return Logins(self.store, enabled=options.logins, shared=options.logins_shared)

    @cached_property
    def signed_in(self) -> "SignedInReading":
        from webquarry.wiring.signed_in_reading import SignedInReading

        return SignedInReading(self._settings, self, self._stack)

    @cached_property
    def browsing(self) -> "BrowsingService":
        from webquarry.wiring.open_browsing import open_browsing

        return open_browsing(self._settings, self, self._stack)
