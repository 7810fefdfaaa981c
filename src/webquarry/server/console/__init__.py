"""The web console: static pages, and the JSON API that their scripts call."""

from pathlib import Path

from starlette.routing import Route

from webquarry.server.admin import AdminApi
from webquarry.server.console import assets, console_api, console_pages
from webquarry.server.console.console_home import HomeApi, Identify
from webquarry.server.console.provider_keys import ProviderKeysApi
from webquarry.server.mcp_server import ServerOffer
from webquarry.settings.load import Settings


def routes(
    offer: ServerOffer, settings: Settings, identify: Identify, admin: AdminApi | None
) -> list[Route]:
    """Return the routes of the pages, the assets and the JSON API."""
    api = console_api.ConsoleApi(offer=offer, settings=settings, identify=identify, admin=admin)
    keys = ProviderKeysApi(
        offer=offer,
        settings=settings,
        require_operator=api.require_operator,
        directory=Path.cwd(),
    )
    home = HomeApi(offer, identify)
    return [*console_pages.routes(), *assets.routes(), *console_api.routes(api, home, keys)]
