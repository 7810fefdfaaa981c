"""One target per parser: takes any bytes and raises only for a defect."""

import asyncio
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from pydantic import ValidationError

from webquarry.content.citations.bibliography_files import read_bibliography
from webquarry.content.citations.export import Reference, bibtex, csl_json, ris, with_keys
from webquarry.content.citations.reference_parser import cited_parts, title_in, without_urls
from webquarry.content.claims.text_fragments import PageText
from webquarry.content.export.anchors import markdown_with_anchors
from webquarry.content.export.llms_text import describe
from webquarry.content.export.markdown_links import retarget_links
from webquarry.content.fields.extract_fields import fill_from_html
from webquarry.content.fields.prompt_schema import schema_from_prompt
from webquarry.content.html.read_html import read_html
from webquarry.content.html.sitemap_xml import read_sitemap
from webquarry.content.manuscript.latex_manuscript import read_latex
from webquarry.content.manuscript.manuscript_builder import build_manuscript
from webquarry.content.manuscript.raised_text import with_raised_digits
from webquarry.content.markdown.parse import visible_text
from webquarry.content.markdown.structure import markdown_structure
from webquarry.content.statistics.data_cube import CubeError
from webquarry.content.statistics.json_stat import JsonStat
from webquarry.content.statistics.sdmx import SdmxMessage
from webquarry.content.text.length import count_words, truncate
from webquarry.content.text.sentences import sentences_of
from webquarry.content.text.snippets import plain_text, shorten_snippet
from webquarry.content.visibility.css_syntax import parse_declarations
from webquarry.content.visibility.stylesheets import parse_stylesheet
from webquarry.errors import WebquarryError
from webquarry.net.client.content_encoding import Decoder
from webquarry.net.client.http1_connection import Http1Connection
from webquarry.reading.documents.document_type import sniff
from webquarry.reading.documents.draft import DocumentTask, UnreadableDocument
from webquarry.reading.documents.feeds import read_feed
from webquarry.reading.documents.formats import read_document
from webquarry.reading.documents.image_types import is_readable_image
from webquarry.reading.sites.youtube_captions import highlights, parse_captions
from webquarry.searxng.html_results import read_html as read_searxng

URL = "https://example.com/a/b?c=d"
_NOW = 1_700_000_000.0
_MAX_DECODED = 2**22
_SCHEMA = {
    "type": "object",
    "properties": {
        "title": {"type": "string"},
        "price": {"type": "number"},
        "author": {"type": "string"},
        "email": {"type": "string", "format": "email"},
        "published": {"type": "string", "format": "date"},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
}


def html(data: bytes) -> None:
    """HTML to Markdown, with metadata, hidden text, walls and anchors."""
    plain = read_html(data, url=URL, keep_html=True).markdown
    names = re.findall(r"""id=["']?([\w-]+)""", _text(data))[:20]
    markdown_with_anchors(data, content_type="", url=URL, names=names, plain=plain)


def css(data: bytes) -> None:
    """Style sheets and style attributes."""
    text = _text(data)
    parse_stylesheet(text)
    parse_declarations(text)
    attribute = text.replace('"', "'").replace("<", " ")
    page = f'<style>{text}</style><p style="{attribute}" class=a id=b>Some text</p>'
    read_html(page, url=URL)


def json_ld(data: bytes) -> None:
    """Metadata: JSON-LD, Next.js data, meta tags."""
    text = _text(data).replace("</", "<\\/")
    attribute = text.replace('"', "&quot;")
    read_html(
        f'<script type="application/ld+json">{text}</script>'
        f'<meta name=author content="{attribute}">'
        f'<title>{attribute}</title><script id="__NEXT_DATA__">{text}</script><p>Text</p>',
        url=URL,
    )


def fields(data: bytes) -> None:
    """Structured extraction without a language model."""
    with suppress(WebquarryError):
        fill_from_html(_text(data), _SCHEMA, url=URL)
    schema_from_prompt(_text(data))


def markdown(data: bytes) -> None:
    """Markdown that sites offer, also as it is exported."""
    text = _text(data)
    if retarget_links(text, lambda target: target) != text:
        raise AssertionError("links that stay as they are change the text")
    describe(text)
    markdown_structure(text)
    visible_text(text)
    count_words(text)
    truncate(text, 1000)


def text(data: bytes) -> None:
    """Sentences, snippets and text fragments."""
    source = _text(data)
    sentences = sentences_of(source)
    shorten_snippet(source)
    plain_text(source)
    page = PageText(source)
    if sentences and (span := page.span_of(sentences[-1][:200])):
        page.directive_for(span)


def bibliography(data: bytes) -> None:
    """BibTeX, RIS, CSL-JSON and plain lists of references."""
    with suppress(WebquarryError, ValueError):
        read_bibliography(_text(data))


def bibtex_file(data: bytes) -> None:
    """BibTeX."""
    with suppress(WebquarryError, ValueError):
        read_bibliography(_text(data), "bibtex")


def ris_file(data: bytes) -> None:
    """RIS."""
    with suppress(WebquarryError, ValueError):
        read_bibliography(_text(data), "ris")


def citation(data: bytes) -> None:
    """Find titles in references, and export references with any metadata."""
    source = _text(data)
    title_in(source)
    cited_parts(source)
    without_urls(source)
    authors = tuple(source.split("\n")[:20])
    reference = Reference(URL, source, authors, site=source, published=source[:40], doi=source)
    keyed = with_keys([reference, reference._replace(url=f"{URL}&e=f")])
    bibtex(keyed)
    ris(keyed)
    csl_json(keyed)


def manuscript(data: bytes) -> None:
    """Documents to check: Markdown, printed pages and LaTeX with its .bib file."""
    source = _text(data)
    build_manuscript(with_raised_digits(source), "markdown")
    build_manuscript(source, "pdf")
    body, _, works = source.partition("\f")
    read_latex(body, works or None)


def sitemap(data: bytes) -> None:
    """Sitemaps, also compressed."""
    with suppress(WebquarryError):
        read_sitemap(data)


def robots(data: bytes) -> None:
    """Read robots.txt."""
    from protego import Protego

    rules: Any = Protego.parse(_text(data[: 512 * 2**10]))
    rules.can_fetch(URL, "webquarry")
    rules.crawl_delay("webquarry")
    list(rules.sitemaps)


def feed(data: bytes) -> None:
    """RSS and Atom."""
    with suppress(WebquarryError, UnreadableDocument):
        read_feed(DocumentTask("feed", data, url=URL))


def pdf(data: bytes) -> None:
    """PDF, as the document worker reads it."""
    from webquarry.reading.documents.pdf.pdf_reader import read_pdf

    with suppress(WebquarryError, UnreadableDocument):
        read_pdf(DocumentTask("pdf", data, url=URL))
        read_pdf(DocumentTask("pdf", data, url=URL, marked=True))


def document(data: bytes) -> None:
    """Documents of every kind, as their first bytes tell, without text recognition."""
    kind = sniff(data, None, _name_of(data))
    if kind is None and is_readable_image(data):
        kind = "image"
    if kind is None:
        return
    with suppress(WebquarryError, UnreadableDocument, RecursionError):
        read_document(DocumentTask(kind, data, url=URL, recognizer="/bin/false"))


def sdmx(data: bytes) -> None:
    """SDMX-JSON and JSON-stat."""
    with suppress(ValidationError, CubeError, WebquarryError):
        SdmxMessage.model_validate_json(data).cube()
    with suppress(ValidationError, CubeError, WebquarryError):
        JsonStat.model_validate_json(data).cube()


def http(data: bytes) -> None:
    """Receive an HTTP/1.1 response: head, chunks, content encodings."""
    with suppress(WebquarryError):
        asyncio.run(_receive(data))


def encoding(data: bytes) -> None:
    """Decode a body in every content encoding."""
    for name in ("gzip", "deflate", "br", "zstd"):
        with suppress(WebquarryError):
            _decode(name, data)


def searxng(data: bytes) -> None:
    """Read the HTML result page of a SearXNG instance."""
    body = b"<div id=main_results>" + data + b"</div>"
    for content in (data, body):
        with suppress(WebquarryError):
            read_searxng(_text(content).encode("utf-8", "replace"), url=URL, name="s", now=_NOW)


def captions(data: bytes) -> None:
    """Captions of a video."""
    highlights(parse_captions(_text(data)))


TARGETS: dict[str, Callable[[bytes], None]] = {
    each.__name__: each
    for each in (
        html, css, json_ld, fields, markdown, text, bibliography, bibtex_file, ris_file, citation,
        manuscript, sitemap, robots, feed, pdf, document, sdmx, http, encoding, searxng, captions,
    )
}  # fmt: skip


def _name_of(data: bytes) -> str:
    """Return a file name for kinds that only a name tells."""
    names = {b"{": "x.ipynb", b"1": "x.srt", b"a": "x.csv", b"R": "x.eml"}
    return names.get(data[:1], "x")


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _decode(name: str, data: bytes) -> None:
    size = 0
    for piece in Decoder(name).feed(data):
        size += len(piece)
        if size > _MAX_DECODED:
            return


async def _receive(data: bytes) -> None:
    connection = Http1Connection()
    connection.connection_made(_Transport())
    sent = asyncio.create_task(connection.send(b"", URL))
    await asyncio.sleep(0)
    for start in range(0, len(data), 997):
        connection.data_received(data[start : start + 997])
    connection.connection_lost(None)
    response = await sent
    body = b"".join([chunk async for chunk in response.chunks()])
    _decode(response.headers.get("content-encoding", ""), body)


class _Transport(asyncio.Transport):
    """Accepts everything."""

    def write(self, data: Any) -> None:
        """Ignore what is sent."""

    def is_closing(self) -> bool:
        return False

    def abort(self) -> None:
        """Ignore that the connection is closed."""

    def close(self) -> None:
        """Ignore that the connection is closed."""

    def pause_reading(self) -> None:
        """Ignore that the reader is slow."""

    def resume_reading(self) -> None:
        """Ignore that the reader continues."""
