"""Pages as Firecrawl's documents."""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from webquarry.content.html.selected_elements import attribute_values, selected_page
from webquarry.parsing.parsers import Parsers
from webquarry.parsing.task import ParseTask
from webquarry.server.compat.firecrawl.firecrawl_formats import WantedFormats
from webquarry.server.compat.firecrawl.firecrawl_options import FirecrawlPageOptions

Json = dict[str, Any]
_DERIVED = ("json", "branding", "changeTracking", "actions")
_HTML = "text/html; charset=utf-8"
_OPEN_GRAPH = {
    "og:title": "ogTitle",
    "og:description": "ogDescription",
    "og:url": "ogUrl",
    "og:image": "ogImage",
    "og:locale": "ogLocale",
    "og:site_name": "ogSiteName",
    "article:published_time": "publishedTime",
    "article:modified_time": "modifiedTime",
    "article:section": "articleSection",
    "article:tag": "articleTag",
}


@dataclass(kw_only=True)
class PageParts:
    """What the readers of this server returned for one page."""

    url: str  # as requested
    final_url: str = ""
    title: str = ""
    status: int = 200
    content: dict[str, Any]  # by our format
    details: Mapping[str, Any] = field(default_factory=dict[str, Any])  # metadata of cinder_scrape
    extra: Json = field(default_factory=dict[str, Any])  # further metadata
    warnings: list[str] = field(default_factory=list[str])


def read_formats(options: FirecrawlPageOptions, wanted: WantedFormats) -> list[str]:
    """Return the formats to ask the readers for; a selection is made from the whole page."""
    names: list[str] = [name for name in wanted.plain if name not in _selected(options)]
    if (options.selects and _selected(options) & set(wanted.options)) or "attributes" in wanted:
        names.append("rawHtml")
    return list(dict.fromkeys(names))


def _selected(options: FirecrawlPageOptions) -> frozenset[str]:
    return frozenset({"markdown", "html"}) if options.selects else frozenset()


async def document(
    page: PageParts, options: FirecrawlPageOptions, wanted: WantedFormats, parsers: Parsers
) -> Json:
    """Return a page as a document with the formats that were asked for."""
    content = dict(page.content)
    source = str(content.get("rawHtml") or "")
    if options.selects:
        content |= await _selection(source, page, options, parsers)
    made: Json = {name: content[name] for name in wanted.plain if name in content}
    if "attributes" in wanted:
        made["attributes"] = await _attributes(source, page, wanted, parsers)
    made |= {name: content[name] for name in _DERIVED if name in content}
    made["metadata"] = _metadata(page)
    if page.warnings:
        made["warning"] = " ".join(f"{text}." for text in dict.fromkeys(page.warnings))
    return made


async def _selection(
    source: str, page: PageParts, options: FirecrawlPageOptions, parsers: Parsers
) -> Json:
    """Return Markdown and HTML of the chosen elements."""
    if not source:
        page.warnings.append("this page has no HTML: it is returned as a whole")
        return {}
    task = ParseTask(selected_page, subject=f"The page {page.url}")
    chosen = await parsers.run(
        task,
        source.encode("utf-8", "replace"),
        url=page.final_url or page.url,
        content_type=_HTML,
        include=list(options.includeTags or ()),
        exclude=list(options.excludeTags or ()),
        main=options.onlyMainContent is not False,
    )
    return {"markdown": chosen.markdown, "html": chosen.html}


async def _attributes(
    source: str, page: PageParts, wanted: WantedFormats, parsers: Parsers
) -> list[Json]:
    task = ParseTask(attribute_values, subject=f"The page {page.url}")
    found = await parsers.run(
        task,
        source.encode("utf-8", "replace"),
        content_type=_HTML,
        wanted=wanted.attributes,
    )
    return [values._asdict() | {"values": list(values.values)} for values in found]


def _metadata(page: PageParts) -> Json:
    details = page.details
    structured: Json = details.get("structuredData") or {}
    graph: dict[str, str] = structured.get("openGraph") or {}
    named = {_OPEN_GRAPH[name]: value for name, value in graph.items() if name in _OPEN_GRAPH}
    values: Json = {
        "title": page.title,
        "description": details.get("description"),
        "keywords": _joined(details.get("keywords")),
        "author": details.get("author"),
        "publishedTime": details.get("publishDate"),
        **named,
        "sourceURL": page.url,
        "url": page.final_url or page.url,
        "statusCode": page.status,
        "creditsUsed": 0,
        **page.extra,
    }
    return {name: value for name, value in values.items() if value not in (None, "")}


def _joined(words: Sequence[str] | None) -> str | None:
    return ", ".join(words) if words else None


def data_url(image: bytes, media_type: str) -> str:
    """Return an image as a URL that needs no further request and no key."""
    return f"data:{media_type};base64,{base64.b64encode(image).decode()}"
