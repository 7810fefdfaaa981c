"""The pages of the console. They contain no data, so they need no authentication."""

import html
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from importlib import resources

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from webquarry.version import __version__

# no inline scripts or styles, no external resources, and scripts may not write markup
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)


@dataclass(frozen=True)
class ConsolePage:
    """One page; its script and its template have the same name."""

    name: str
    title: str
    intro: str
    key: str  # keyboard shortcut, after g

    @property
    def path(self) -> str:
        return "/" if self.name == "overview" else f"/console/{self.name}"


PAGES = (
    ConsolePage("overview", "Overview", "Health and recent activity of this server.", "o"),
    ConsolePage(
        "playground",
        "Playground",
        "Run any tool here. Your permissions and rate limits apply.",
        "p",
    ),
    ConsolePage(
        "sessions", "Sessions", "Multi-step research: searches, sources and open questions.", "s"
    ),
    ConsolePage("crawls", "Crawls", "Start crawls and follow their progress.", "c"),
    ConsolePage("audit", "Bibliography", "Check that references exist and are not retracted.", "b"),
    ConsolePage("searxng", "SearXNG", "The pool of instances and how one is chosen.", "x"),
    ConsolePage("artifacts", "Artifacts", "Large results, stored for a limited time.", "a"),
    ConsolePage(
        "settings",
        "Settings",
        "Effective settings and their sources; secrets are masked.",
        "e",
    ),
)


def routes() -> list[Route]:
    """Return a route for each page."""
    return [Route(page.path, _handler(page), methods=["GET"]) for page in PAGES]


def _handler(page: ConsolePage) -> Callable[[Request], Awaitable[Response]]:
    async def serve(_: Request) -> Response:
        return HTMLResponse(render(page), headers={"Content-Security-Policy": POLICY})

    return serve


def render(page: ConsolePage) -> str:
    """Return the page as HTML."""
    values = {
        "title": html.escape(page.title),
        "lead": html.escape(page.intro),
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
