"""Converts a page or a text to the requested formats."""

import html
from collections.abc import Sequence
from urllib.parse import urljoin

from webquarry.content.html.charset import decode_page
from webquarry.content.html.page_data import page_data
from webquarry.content.markdown.structure import image_urls, markdown_structure
from webquarry.models.page import PageMetadata
from webquarry.models.page_formats import Format, FormatContent
from webquarry.models.reading import Reading

Contents = dict[Format, FormatContent]
# of these, the page alone is needed; the others come from the main content
_FROM_SOURCE: tuple[Format, ...] = ("rawHtml", "text", "links", "images")


def html_formats(
    source: bytes, *, url: str, content_type: str, formats: Sequence[Format]
) -> Contents:
    """Return a web page in each format."""
    contents: Contents = {}
    if any(name in _FROM_SOURCE for name in formats):
        contents |= _source_formats(source, url, content_type, formats)
    if "html" in formats or "json" in formats:
        contents |= _reading_formats(source, url, content_type, formats)
    elif "markdown" in formats:
        # imported here because the extractor is slow to load
        from webquarry.content.html.read_html import to_markdown

        contents["markdown"] = to_markdown(source, url, content_type)
    return {name: contents[name] for name in formats if name in contents}


def text_formats(markdown: str, *, url: str, title: str, formats: Sequence[Format]) -> Contents:
    """Return a text or the Markdown of a document in each format; it has no HTML of its own."""
    structure = markdown_structure(markdown)
    reading = Reading(
        url=url, final_url=url, markdown="", kind="text", metadata=PageMetadata(title=title)
    )
    contents: Contents = {
        "markdown": markdown,
        "html": as_html(markdown),
        "rawHtml": "",
        "text": markdown,
        "links": tuple(link["url"] for link in structure["links"]),
        "images": image_urls(markdown),
        "json": page_data(reading, markdown) if "json" in formats else {},
    }
    return {name: contents[name] for name in formats if name in contents}


def as_html(text: str) -> str:
    """Return a text that has no HTML as HTML."""
    return f"<pre>{html.escape(text, quote=False)}</pre>"


def _source_formats(
    source: bytes, url: str, content_type: str, formats: Sequence[Format]
) -> Contents:
    from webquarry.content.html.page_images import page_images
    from webquarry.content.html.quick_parse import quick_parse

    decoded = decode_page(source, content_type)
    parsed = quick_parse(source, content_type)
    base = _joined(url, parsed.base) or url
    links = (_joined(base, href) for href in parsed.links)
    return {
        "rawHtml": decoded,
        "text": parsed.text,
        "links": tuple(dict.fromkeys(link.partition("#")[0] for link in links if link)),
        "images": page_images(decoded, base) if "images" in formats else (),
    }


def _reading_formats(
    source: bytes, url: str, content_type: str, formats: Sequence[Format]
) -> Contents:
    from webquarry.content.html.read_html import read_html

    reading = read_html(source, url=url, content_type=content_type, keep_html="html" in formats)
    return {
        "markdown": reading.markdown,
        "html": reading.html or as_html(reading.markdown),
        "json": page_data(reading, reading.markdown),
    }


def _joined(base: str, reference: str) -> str:
    """Return an absolute web URL, '' for others."""
    try:
        url = urljoin(base, reference.strip()) if reference.strip() else ""
    except ValueError:
        return ""
    return url if url.startswith(("http://", "https://")) else ""
