"""The console's styles and scripts, as they lie in the package."""

import hashlib
from functools import cache
from importlib import resources
from pathlib import PurePath

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

_KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


def routes() -> list[Route]:
    """Return the route of the assets."""
    return [Route("/assets/{name}", _asset)]


async def _asset(request: Request) -> Response:
    body = _read(request.path_params["name"])
    if body is None:
        return Response(status_code=404)
    tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
    # asked for anew each time, so that an update is seen at once, but sent only when it changed
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    kind = _KINDS[PurePath(request.path_params["name"]).suffix]
    return Response(body, media_type=kind, headers=headers)


def _read(name: str) -> bytes | None:
    return _known().get(name)


@cache
def _known() -> dict[str, bytes]:
    """Return what there is by name; a name that is not in it leads nowhere."""
    folder = resources.files("webquarry.server.assets")
    return {
        file.name: file.read_bytes()
        for file in folder.iterdir()
        if PurePath(file.name).suffix in _KINDS
    }
