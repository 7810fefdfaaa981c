"""The web console: static pages, and the JSON API that their scripts call."""

from starlette.routing import Route

from webquarry.server.admin import AdminApi
from webquarry.server.console import assets, console_api, console_pages
from webquarry.server.console.console_api import Identify
from webquarry.server.mcp_server import ServerOffer
from webquarry.settings.load import Settings


def routes(
    offer: ServerOffer, settings: Settings, identify: Identify, admin: AdminApi | None
) -> list[Route]:
    """Return the routes of the pages, the assets and the JSON API."""
    api = console_api.ConsoleApi(offer=offer, settings=settings, identify=identify, admin=admin)
    return [*console_pages.routes(), *assets.routes(), *console_api.routes(api)]
