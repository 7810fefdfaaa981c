"""`/llms.txt`: an index of this server for language models (llmstxt.org)."""

from functools import cache
from importlib import resources

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

PATH = "/llms.txt"


def routes() -> list[Route]:
    """Return the route of `/llms.txt`."""
    return [Route(PATH, _show, methods=["GET"])]


async def _show(_: Request) -> Response:
    return PlainTextResponse(_text(), headers={"Cache-Control": "max-age=3600"})


@cache
def _text() -> str:
    file = resources.files("webquarry.server.assets") / "llms.txt"
    return file.read_text(encoding="utf-8")
