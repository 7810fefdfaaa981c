"""Reads the documents of a crawl, so that they are stored like pages."""

from typing import Protocol

from webquarry.crawl.compression import compress
from webquarry.crawl.visit_results import VisitedDocument, VisitedPage
from webquarry.models.document_content import Document

MARKDOWN = "text/markdown; charset=utf-8"  # what the stored body of a document is


class ReadsDocuments(Protocol):
    """Turns documents into Markdown, in a process that can be killed."""

    async def read(self, data: bytes, *, content_type: str | None, url: str) -> Document:
        """Return the document; a `DocumentError` if it cannot be read."""
        ...


async def document_page(reader: ReadsDocuments, visited: VisitedDocument) -> VisitedPage:
    """Return a document as a page whose content is its Markdown."""
    url = visited.url.href
    document = await reader.read(visited.content, content_type=visited.content_type, url=url)
    content = document.markdown.encode("utf-8", "replace")
    body, encoding = compress(content)
    return VisitedPage(
        url=visited.url,
        status=visited.status,
        content=content,
        stored_body=body,
        encoding=encoding,
        content_type=visited.content_type,
        etag=visited.etag,
        last_modified=visited.last_modified,
        document=document.kind,
        title=document.title,
        size=len(visited.content),
    )
