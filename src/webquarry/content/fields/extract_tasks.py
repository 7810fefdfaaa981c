"""The extraction of data as tasks that a worker process can run: the page comes as UTF-8."""

from typing import Any

from webquarry.content.fields.extract_fields import content_items, fill_from_html, fill_from_text
from webquarry.content.fields.facts import StructuredDataItem
from webquarry.content.fields.fill import FilledSchema
from webquarry.models.page import PageMetadata


def fill_page(
    html: bytes, *, schema: dict[str, Any], url: str, hints: str, about: PageMetadata
) -> FilledSchema:
    """Return the schema filled from a page."""
    return fill_from_html(html.decode(), schema, url=url, hints=hints, about=about)


def fill_text(markdown: bytes, *, schema: dict[str, Any], url: str) -> FilledSchema:
    """Return the schema filled from a text."""
    return fill_from_text(markdown.decode(), schema, url=url)


def stated_items(html: bytes) -> list[StructuredDataItem]:
    """Return the structured data about the content of a page."""
    return content_items(html.decode())
