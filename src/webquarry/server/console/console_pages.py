"""The pages of the console: what is the same for everybody, so nobody has to say who they are."""

import html
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from importlib import resources

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from webquarry.version import __version__

# no inline script or style, nothing from elsewhere, and no script may write markup
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)


@dataclass(frozen=True)
class ConsolePage:
    """One page: its name is that of its script and of its markup."""

    name: str
    title: str
    lead: str
    key: str  # pressed after g

    @property
    def path(self) -> str:
        return "/" if self.name == "overview" else f"/console/{self.name}"


PAGES = (
    ConsolePage("overview", "Overview", "How this server is doing, and what it did lately.", "o"),
    ConsolePage(
        "playground", "Playground", "Try every tool, with the same rights and limits.", "p"
    ),
    ConsolePage(
        "sessions", "Sessions", "Research in steps: what was asked, found and left open.", "s"
    ),
    ConsolePage("crawls", "Crawls", "Start a crawl and watch it.", "c"),
    ConsolePage("audit", "Bibliography", "Do the references exist, and do they still stand?", "b"),
    ConsolePage("searxng", "SearXNG", "The pool of instances, and why one of them was asked.", "x"),
    ConsolePage(
        "artifacts", "Artifacts", "Results too large for one answer, kept for a while.", "a"
    ),
    ConsolePage(
        "settings", "Settings", "What is in effect and where it was set; secrets masked.", "e"
    ),
)


def routes() -> list[Route]:
    """Return a route for each page."""
    return [Route(page.path, _serving(page), methods=["GET"]) for page in PAGES]


def _serving(page: ConsolePage) -> Callable[[Request], Awaitable[Response]]:
    async def serve(_: Request) -> Response:
        return HTMLResponse(rendered(page), headers={"Content-Security-Policy": POLICY})

    return serve


def rendered(page: ConsolePage) -> str:
    """Return the whole page."""
    values = {
        "title": html.escape(page.title),
        "lead": html.escape(page.lead),
        "name": page.name,
        "nav": "\n".join(_link(each, current=each is page) for each in PAGES),
        "keys": "\n".join(_key(each) for each in PAGES),
        "version": html.escape(__version__),
        "main": _template(page.name),
    }
    text = _template("shell")
    for name, value in values.items():
        text = text.replace(f"{{{{{name}}}}}", value)
    return text


def _link(page: ConsolePage, *, current: bool) -> str:
    mark = ' aria-current="page"' if current else ""
    return f'<a href="{page.path}" data-key="{page.key}"{mark}>{html.escape(page.title)}</a>'


def _key(page: ConsolePage) -> str:
    title = html.escape(page.title)
    return f"<div><dt><kbd>g</kbd> <kbd>{page.key}</kbd></dt><dd>{title}</dd></div>"


def _template(name: str) -> str:
    return resources.files("webquarry.server.assets").joinpath(f"{name}.html").read_text("utf-8")
