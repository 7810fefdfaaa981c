"""The sample web: a handful of small sites, written for the demo and shipped with it."""

import html
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

DOMAIN = "localhost"  # names below it are this machine, for browsers as well (RFC 6761)
_LAYOUT = "_layout.html"
_CITED = "citation_"
_KINDS = {"txt": "text/plain; charset=utf-8", "xml": "application/xml; charset=utf-8"}


@dataclass(frozen=True)
class SamplePage:
    """One page: what its head says about it, and its text as HTML."""

    site: str
    path: str
    about: Mapping[str, str]
    main: str

    @property
    def title(self) -> str:
        """Return its title."""
        return self.about["title"]


@dataclass(frozen=True)
class SampleResponse:
    """What a server of the sample web says to a request."""

    status: int
    kind: str
    body: str
    location: str = ""


@dataclass(frozen=True)
class SampleWeb:
    """All the sites, as they are served on one port."""

    pages: Mapping[tuple[str, str], SamplePage]
    layouts: Mapping[str, str]
    files: Mapping[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    redirects: Mapping[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])

    def answer(self, site: str, path: str, port: int) -> SampleResponse:
        """Return a page, a file, a redirect or the apology of a site for having none of them."""
        at = (site, path)
        if at in self.redirects:
            return SampleResponse(
                301, "text/plain", "moved", located(site, self.redirects[at], port)
            )
        if at in self.files:
            kind = _KINDS[path.rpartition(".")[2]]
            return SampleResponse(200, kind, with_port(self.files[at], port))
        if at in self.pages:
            body = _whole(self.layouts[site], self.pages[at])
            return SampleResponse(200, "text/html; charset=utf-8", with_port(body, port))
        return SampleResponse(404, "text/html; charset=utf-8", _MISSING)


def located(site: str, path: str, port: int) -> str:
    """Return the address of something on the sample web."""
    return f"http://{site}.{DOMAIN}:{port}{path}"


def with_port(text: str, port: int) -> str:
    """Return a text whose addresses of the sample web name the port it is served on."""
    return text.replace(f".{DOMAIN}/", f".{DOMAIN}:{port}/")


@cache
def sample_web() -> SampleWeb:
    """Read the sites that come with the package."""
    home = files("webquarry_demo").joinpath("site")
    rules: dict[str, Any] = json.loads(home.joinpath("sites.json").read_text("utf-8"))
    pages: dict[tuple[str, str], SamplePage] = {}
    layouts: dict[str, str] = {}
    other: dict[tuple[str, str], str] = {}
    for site in (entry for entry in home.iterdir() if entry.is_dir()):
        for name, file in _below(site):
            text = file.read_text("utf-8")
            if name == _LAYOUT:
                layouts[site.name] = text
            elif name.endswith(".html"):
                page = _page(site.name, name, text)
                pages[site.name, page.path] = page
            else:
                other[site.name, f"/{name}"] = text
    for site, copies in rules["copies"].items():
        pages |= {(site, copy): pages[site, original] for copy, original in copies.items()}
    redirects = {
        (site, old): new for site, moved in rules["redirects"].items() for old, new in moved.items()
    }
    return SampleWeb(pages, layouts, other, redirects)


def _below(folder: "Traversable", prefix: str = "") -> Iterator[tuple[str, "Traversable"]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _below(entry, f"{prefix}{entry.name}/")
        else:
            yield prefix + entry.name, entry


def _page(site: str, name: str, text: str) -> SamplePage:
    """Read a file: lines of `name: value`, an empty line, HTML."""
    head, _, main = text.partition("\n\n")
    about = dict(line.split(": ", 1) for line in head.splitlines())
    path = "/" + name.removesuffix(".html").removesuffix("index")
    return SamplePage(site, path, about, main.strip())


def _whole(layout: str, page: SamplePage) -> str:
    values = {key: html.escape(value) for key, value in page.about.items()}
    values |= {"head": _head(page), "main": page.main}
    for key, value in values.items():
        layout = layout.replace(f"{{{{{key}}}}}", value)
    return layout


def _head(page: SamplePage) -> str:
    named = [("author", page.about.get("author", ""))]
    for key, value in page.about.items():
        if key.startswith(_CITED):
            named += [(key, each) for each in value.split("; ")]
    tags = [f'<meta name="{key}" content="{html.escape(text)}">' for key, text in named if text]
    date = page.about.get("date", "")
    dated = [f'<meta property="article:published_time" content="{date}">'] if date else []
    title = f"<title>{html.escape(page.title)}</title>"
    return "\n".join(['<meta charset="utf-8">', title, *tags, *dated])


_MISSING = (
    "<!doctype html><html lang=en><title>Not found</title>"
    "<h1>Not found</h1><p>There is no such page on this site.</p>"
)
