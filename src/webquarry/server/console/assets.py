"""Serves the console's styles and scripts from the package."""

import hashlib
from functools import cache
from importlib import resources
from pathlib import PurePath

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

_MEDIA_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


def routes() -> list[Route]:
    """Return the route of the assets."""
    return [Route("/assets/{name}", _asset)]


async def _asset(request: Request) -> Response:
    body = _assets().get(request.path_params["name"])
    if body is None:
        raise HTTPException(404)
    tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
    # revalidated each time, so that an update is visible at once, but sent only if it changed
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    kind = _MEDIA_TYPES[PurePath(request.path_params["name"]).suffix]
    return Response(body, media_type=kind, headers=headers)


@cache
def _assets() -> dict[str, bytes]:
    """Return all assets by name; only these are served, so a path cannot escape the folder."""
    folder = resources.files("webquarry.server.assets")
    return {
        file.name: file.read_bytes()
        for file in folder.iterdir()
        if PurePath(file.name).suffix in _MEDIA_TYPES
    }
