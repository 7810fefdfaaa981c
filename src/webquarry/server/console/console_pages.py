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

_SETTINGS = "settings"


@dataclass(frozen=True)
class ConsolePage:
    """One page; its script and its template have the same name."""

    name: str
    title: str
    intro: str
    key: str  # keyboard shortcut, after g
    under: str = ""  # the page whose menu entry is marked instead

    @property
    def path(self) -> str:
        return "/" if self.name == "home" else f"/console/{self.name}"


PAGES = (
    ConsolePage("home", "Home", "Search the web, read a page, or check a reference.", "h"),
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
    ConsolePage("watch", "Watch", "Monitors tell what changes, with before and after.", "w"),
    ConsolePage("check", "Documents", "Check every claim and every reference of a document.", "d"),
    ConsolePage("audit", "Bibliography", "Check that references exist and are not retracted.", "b"),
    ConsolePage("artifacts", "Artifacts", "Large results, stored for a limited time.", "a"),
    ConsolePage("activity", "Activity", "Calls, errors and rate limits.", "y"),
    ConsolePage(
        "settings", "Settings", "Effective settings and their sources; secrets are masked.", "e"
    ),
    ConsolePage(
        "providers", "Providers", "Where searches go, and the keys they need.", "v", under=_SETTINGS
    ),
    ConsolePage(
        "searxng", "SearXNG", "The pool of instances and how one is chosen.", "x", under=_SETTINGS
    ),
)
_MISSING = ConsolePage("missing", "Page not found", "There is no page at this address.", "")


def routes() -> list[Route]:
    """Return a route for each page."""
    return [Route(page.path, _handler(page), methods=["GET"]) for page in PAGES]


def missing_page() -> Response:
    """Return the page for an unknown address."""
    policy = {"Content-Security-Policy": POLICY}
    return HTMLResponse(render(_MISSING), status_code=404, headers=policy)


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
        "nav": "\n".join(_link(each, page) for each in PAGES if not each.under),
        "tabs": _tabs(page),
        "keys": "\n".join(_key(each) for each in PAGES),
        "version": html.escape(__version__),
        "main": _template(page.name),
    }
    text = _template("shell")
    for name, value in values.items():
        text = text.replace(f"{{{{{name}}}}}", value)
    return text


def _link(page: ConsolePage, current: ConsolePage) -> str:
    """Return the link in the menu; the page above the current one is marked, too."""
    mark = ""
    if page.name in {current.name, current.under}:
        mark = ' aria-current="page"' if page is current else ' aria-current="true"'
    title = html.escape(page.title)
    return f'<a class="nav-{page.name}" href="{page.path}" data-key="{page.key}"{mark}>{title}</a>'


def _tabs(page: ConsolePage) -> str:
    """Return the links between the pages about settings."""
    if _SETTINGS not in {page.name, page.under}:
        return ""
    pages = [each for each in PAGES if _SETTINGS in {each.name, each.under}]
    links = "\n".join(_link(each, page) for each in pages)
    return f'<nav class="tabs" aria-label="Settings">\n{links}\n</nav>'


def _key(page: ConsolePage) -> str:
    title = html.escape(page.title)
    return f"<div><dt><kbd>g</kbd> <kbd>{page.key}</kbd></dt><dd>{title}</dd></div>"


def _template(name: str) -> str:
    return resources.files("webquarry.server.assets").joinpath(f"{name}.html").read_text("utf-8")
