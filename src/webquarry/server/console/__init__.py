"""The web console: pages without data, and the data that their scripts fetch as the caller."""

from starlette.routing import Route

from webquarry.server.admin import AdminDesk
from webquarry.server.console import assets, data, pages
from webquarry.server.console.data import Identify
from webquarry.server.protocol import Offer
from webquarry.settings.load import Settings


def routes(
    offer: Offer, settings: Settings, identify: Identify, admin: AdminDesk | None
) -> list[Route]:
    """Return the console's pages, their assets and their data."""
    desk = data.Desk(offer=offer, settings=settings, identify=identify, admin=admin)
    return [*pages.routes(), *assets.routes(), *data.routes(desk)]
