"""Serves a bundle to a browser on this machine, and nothing else to anyone."""

import asyncio
import socket
import sys
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from webquarry.errors import BadInputError

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from webquarry.library import LibrarySession
    from webquarry.services.bundles.replay import Replay, ReplayResponse

_HOST = "127.0.0.1"


class ReplayApp:
    """The ASGI application: GET and HEAD of a `Replay`, for this host only."""

    def __init__(self, replay: "Replay") -> None:
        self._replay = replay

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Answer one request."""
        del receive
        if scope["type"] != "http":
            return
        status, media_type, body, policy = 400, "text/plain", b"Bad request", "default-src 'none'"
        if scope["method"] in {"GET", "HEAD"} and _is_local(scope):
            response = await self._response(scope)
            status, media_type = response.status, response.media_type
            body, policy = response.body, response.policy
        headers = {
            "content-type": media_type,
            "content-length": str(len(body)),
            "content-security-policy": policy,
            "x-content-type-options": "nosniff",
            "referrer-policy": "no-referrer",
            "cross-origin-opener-policy": "same-origin",
            "cache-control": "no-store",
        }
        listed = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": status, "headers": listed})
        sent = b"" if scope["method"] == "HEAD" else body
        await send({"type": "http.response.body", "body": sent})

    async def _response(self, scope: "Scope") -> "ReplayResponse":
        # the URL of a captured page is one percent-encoded part of the path
        path = scope["raw_path"].decode("latin-1").partition("?")[0]
        head, slash, rest = path.lstrip("/").partition("/")
        stamp, _, url = rest.partition("/")
        return await self._replay.respond(f"/{head}{slash}{unquote(stamp)}/{url}")


def _is_local(scope: "Scope") -> bool:
    """Whether the request names this server: a page elsewhere must not read a bundle."""
    hosts = [value for name, value in scope["headers"] if name == b"host"]
    name = hosts[0].decode("latin-1").rpartition(":")[0] if len(hosts) == 1 else ""
    return name in {_HOST, "localhost"}


async def serve_bundle(
    library: "LibrarySession", path: Path, *, port: int, open_browser: bool
) -> None:
    """Serve until Ctrl-C."""
    import uvicorn

    from webquarry.services.bundles.bundle_archive import BundleArchive
    from webquarry.services.bundles.replay import Replay

    check = await library.app.services.bundles.verify(path)
    with await asyncio.to_thread(BundleArchive.open, path, tolerant=True) as archive:
        if not archive.records:
            reason = archive.damage or "it has no records"
            raise BadInputError(f"{path.name} cannot be shown: {reason}")
        app = ReplayApp(Replay(archive, check, library.app.services.parsers))
        listener = _listen(port)
        url = f"http://{_HOST}:{listener.getsockname()[1]}/"
        sys.stdout.write(f"{check.verdict}: {path.name} is open at {url} (Ctrl-C ends)\n")
        sys.stdout.flush()
        if open_browser:
            await asyncio.to_thread(webbrowser.open, url)
        config = uvicorn.Config(app, log_config=None, access_log=False, lifespan="off", ws="none")
        await uvicorn.Server(config).serve(sockets=[listener])


def _listen(port: int) -> socket.socket:
    try:
        return socket.create_server((_HOST, port))
    except OSError as error:
        raise BadInputError(f"--port: {port} cannot be used: {error.strerror}") from error
