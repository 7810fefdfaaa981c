"""The sample web: a few small sites written for the demo and shipped with it."""

import html
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

DOMAIN = "localhost"  # its subdomains resolve to this machine, also in browsers (RFC 6761)
_LAYOUT = "_layout.html"
_CITATION_PREFIX = "citation_"
_MEDIA_TYPES = {"txt": "text/plain; charset=utf-8", "xml": "application/xml; charset=utf-8"}


@dataclass(frozen=True)
class SamplePage:
    """One page: its metadata and its main content as HTML."""

    site: str
    path: str
    metadata: Mapping[str, str]
    main: str

    @property
    def title(self) -> str:
        """Return its title."""
        return self.metadata["title"]


@dataclass(frozen=True)
class SampleResponse:
    """The response of the sample web to a request."""

    status: int
    media_type: str
    body: str
    location: str = ""


@dataclass(frozen=True)
class SampleWeb:
    """All sites, served on one port."""

    pages: Mapping[tuple[str, str], SamplePage]
    layouts: Mapping[str, str]
    files: Mapping[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    redirects: Mapping[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])

    def respond(self, site: str, path: str, port: int) -> SampleResponse:
        """Return a page, a file, a redirect or a 404."""
        key = (site, path)
        if key in self.redirects:
            return SampleResponse(
                301, "text/plain", "moved", page_url(site, self.redirects[key], port)
            )
        if key in self.files:
            media_type = _MEDIA_TYPES[path.rpartition(".")[2]]
            return SampleResponse(200, media_type, with_port(self.files[key], port))
        if key in self.pages:
            body = _render(self.layouts[site], self.pages[key])
            return SampleResponse(200, "text/html; charset=utf-8", with_port(body, port))
        return SampleResponse(404, "text/html; charset=utf-8", _MISSING)


def page_url(site: str, path: str, port: int) -> str:
    """Return a URL of the sample web."""
    return f"http://{site}.{DOMAIN}:{port}{path}"


def with_port(text: str, port: int) -> str:
    """Return text with the port in all URLs of the sample web."""
    return text.replace(f".{DOMAIN}/", f".{DOMAIN}:{port}/")


@cache
def sample_web() -> SampleWeb:
    """Read the sites from the package."""
    root = files("webquarry_demo").joinpath("site")
    rules: dict[str, Any] = json.loads(root.joinpath("sites.json").read_text("utf-8"))
    pages: dict[tuple[str, str], SamplePage] = {}
    layouts: dict[str, str] = {}
    other: dict[tuple[str, str], str] = {}
    for site in (entry for entry in root.iterdir() if entry.is_dir()):
        for name, file in _files_below(site):
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


def _files_below(folder: "Traversable", prefix: str = "") -> Iterator[tuple[str, "Traversable"]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _files_below(entry, f"{prefix}{entry.name}/")
        else:
            yield prefix + entry.name, entry


def _page(site: str, name: str, text: str) -> SamplePage:
    """Parse a file: lines of `name: value`, an empty line, HTML."""
    head, _, main = text.partition("\n\n")
    about = dict(line.split(": ", 1) for line in head.splitlines())
    path = "/" + name.removesuffix(".html").removesuffix("index")
    return SamplePage(site, path, about, main.strip())


def _render(layout: str, page: SamplePage) -> str:
    values = {key: html.escape(value) for key, value in page.metadata.items()}
    values |= {"head": _head(page), "main": page.main}
    for key, value in values.items():
        layout = layout.replace(f"{{{{{key}}}}}", value)
    return layout


def _head(page: SamplePage) -> str:
    named = [("author", page.metadata.get("author", ""))]
    for key, value in page.metadata.items():
        if key.startswith(_CITATION_PREFIX):
            named += [(key, each) for each in value.split("; ")]
    tags = [f'<meta name="{key}" content="{html.escape(text)}">' for key, text in named if text]
    date = page.metadata.get("date", "")
    dated = [f'<meta property="article:published_time" content="{date}">'] if date else []
    title = f"<title>{html.escape(page.title)}</title>"
    return "\n".join(['<meta charset="utf-8">', title, *tags, *dated])


_MISSING = (
    "<!doctype html><html lang=en><title>Not found</title>"
    "<h1>Not found</h1><p>There is no such page on this site.</p>"
)
