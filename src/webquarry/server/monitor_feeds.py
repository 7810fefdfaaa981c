"""The Atom feeds of monitors: whoever knows the URL of one can read it, as feed readers need."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from webquarry.errors import WebquarryError
from webquarry.server.access_control import public_base_url
from webquarry.server.mcp_server import ServerOffer
from webquarry.server.problem_details import problem_of
from webquarry.services.watching.atom_feed import ATOM_TYPE, atom_feed
from webquarry.services.watching.monitor_views import FEED_PATH

_ENTRIES = 50


def routes(offer: ServerOffer, public_url: str) -> list[Route]:
    """Return the route of the feeds."""

    async def feed(request: Request) -> Response:
        watching = offer.services.watching
        try:
            monitor = await watching.feed_monitor(
                request.path_params["id"], request.path_params["token"]
            )
            changes = await watching.store.changes(monitor.id, limit=_ENTRIES)
        except WebquarryError as error:
            return problem_of(error)
        url = f"{public_base_url(request, public_url)}{request.url.path}"
        headers = {"Cache-Control": "private, max-age=60"}
        return Response(atom_feed(monitor, changes, url), media_type=ATOM_TYPE, headers=headers)

    return [Route(f"{FEED_PATH}/{{id}}/{{token}}", feed, methods=["GET"])]
