"""Turns a fetched response into a reading: a web page, Markdown or a document."""

import re
from collections import Counter
from typing import Any

from webquarry.content.html.charset import decode_page
from webquarry.content.text.binary_content import binary_type
from webquarry.content.text.length_limits import cap_text
from webquarry.content.visibility.invisible_characters import without_invisible
from webquarry.models.document_content import Document, DocumentKind, DocumentParts
from webquarry.models.page import PageMetadata, Removal
from webquarry.models.reading import Reading
from webquarry.net.client.response import FetchedResponse
from webquarry.net.guard.refusals import unreachable_error
from webquarry.reading.documents.document_errors import (
    DocumentError,
    ReaderCrashError,
    binary_content_error,
)
from webquarry.reading.documents.document_options import DocumentOptions
from webquarry.reading.documents.document_reader import DocumentReader
from webquarry.reading.documents.document_type import sniff
from webquarry.reading.documents.image_types import is_readable_image
from webquarry.reading.html_workers import HtmlExtractor

_DEFAULT = DocumentOptions()
# kinds that any bytes may be declared as
_TEXT_KINDS = frozenset(
    {"csv", "text", "markdown", "json", "xml", "feed", "eml", "ipynb", "subtitles"}
)
_MARKDOWN_TYPES = frozenset({"text/markdown", "text/x-markdown"})
# plain text with two of these is Markdown
_MARKDOWN_SYNTAX = (
    re.compile(r"^#{1,6} \S", re.MULTILINE),
    re.compile(r"^(?:[-*+]|\d+\.) \S", re.MULTILINE),
    re.compile(r"\[[^\[\]\n]+\]\([^)\s\[]+\)"),
    re.compile(r"^```", re.MULTILINE),
    re.compile(r"\*\*[^*\n]+\*\*"),
    re.compile(r"^\|.+\|$", re.MULTILINE),
)
_HEADING = re.compile(r"^# +(.+?)(?: #*)?$", re.MULTILINE)
_FRONT_MATTER = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)
_FRONT_TITLE = re.compile(r"^title:(.*)$", re.MULTILINE)


class ResponseReader:
    """Reads responses of every content type."""

    def __init__(
        self,
        documents: DocumentReader,
        *,
        extractor: HtmlExtractor | None = None,
        keep_html: bool = False,
        keep_source: bool = False,
    ) -> None:
        self._documents = documents
        self.extractor = extractor or HtmlExtractor()
        self.keep_html = keep_html
        self._keep_source = keep_source
        # Markdown offered by a site has no HTML
        self.needs_html = keep_html or keep_source

    async def read(
        self,
        fetched: FetchedResponse,
        requested: str,
        tier: str,
        *,
        is_page: bool = False,
        options: DocumentOptions = _DEFAULT,
    ) -> Reading:
        """Return the content; its kind is "html" for a web page.

        `is_page` skips the detection of documents: a browser returns pages only.
        """
        content_type = fetched.headers.get("content-type", "")
        kind = None if is_page else sniff(fetched.content, content_type, fetched.url)
        is_image = kind is None and not is_page and is_readable_image(fetched.content)
        if is_image and self._documents.reads_images:
            reading = await self._image(fetched, requested, options)
        else:
            if not is_page and (kind is None or kind in _TEXT_KINDS):
                _check_text(fetched)
            reading = await self._read(fetched, requested, tier, kind, options)
        if fetched.ending != "broken":
            return reading
        note = f"Incomplete: {_cut_off(fetched)}."
        return reading.model_copy(
            update={"complete": False, "cut_off": True, "notes": (*reading.notes, note)}
        )

    async def _read(
        self,
        fetched: FetchedResponse,
        requested: str,
        tier: str,
        kind: DocumentKind | None,
        options: DocumentOptions,
    ) -> Reading:
        content_type = fetched.headers.get("content-type", "")
        response = _response(fetched, requested)
        if kind is None:
            page = await self.extractor.read(
                fetched.content,
                url=fetched.url,
                content_type=content_type,
                keep_html=self.keep_html,
            )
            if self._keep_source:
                response["source"] = _decode(fetched.content, content_type)
            return page.model_copy(update={**response, "tier": tier})
        if kind in {"markdown", "text"}:
            text = _decode(fetched.content, content_type)
            media_type = content_type.partition(";")[0].strip().lower()
            if media_type in _MARKDOWN_TYPES or _looks_like_markdown(text):
                return _markdown_reading(response, text)
        return _document_reading(response, await self._document(fetched, options))

    async def _image(
        self, fetched: FetchedResponse, requested: str, options: DocumentOptions
    ) -> Reading:
        """Return the text that is recognized in an image."""
        try:
            document = await self._document(fetched, options)
        except DocumentError as error:
            if isinstance(error, ReaderCrashError):
                raise
            media_type = binary_type(fetched.content) or ""
            raise binary_content_error(
                fetched.url, media_type, fetched.content, was_searched=True
            ) from error
        return _document_reading(_response(fetched, requested), document)

    async def _document(self, fetched: FetchedResponse, options: DocumentOptions) -> Document:
        content_type = fetched.headers.get("content-type", "")
        try:
            return await self._documents.read(
                fetched.content, content_type=content_type, url=fetched.url, options=options
            )
        except DocumentError as error:
            if fetched.ending != "broken":
                raise
            raise unreachable_error(fetched.url, _cut_off(fetched), code="broken") from error


def _response(fetched: FetchedResponse, requested: str) -> dict[str, Any]:
    """Return what a reading says about the response."""
    return {
        "url": requested,
        "final_url": fetched.url,
        "truncated": fetched.ending != "complete",
        "status": fetched.status,
    }


def _check_text(fetched: FetchedResponse) -> None:
    """Raise `BinaryContentError` for an image, a program and other content without text."""
    media_type = binary_type(fetched.content, fetched.headers.get("content-type", ""))
    if media_type:
        raise binary_content_error(fetched.url, media_type, fetched.content)


def _cut_off(fetched: FetchedResponse) -> str:
    """Say how much was received before the transfer broke off."""
    length = fetched.headers.get("content-length", "")
    known = length.isdigit() and "content-encoding" not in fetched.headers
    of_all = f" of {int(length):,}" if known else ""
    return f"the transfer broke off after {len(fetched.content):,}{of_all} bytes"


def _decode(content: bytes, content_type: str) -> str:
    return decode_page(content, content_type).replace("\r\n", "\n")


def _looks_like_markdown(text: str) -> bool:
    head = cap_text(text, 20_000)
    return sum(bool(pattern.search(head)) for pattern in _MARKDOWN_SYNTAX) >= 2


def _markdown_reading(response: dict[str, Any], text: str) -> Reading:
    removed: Counter[str] = Counter()
    clean = without_invisible(text, removed).strip()
    return Reading(
        **response,
        markdown=clean,
        kind="markdown",
        tier="markdown",
        metadata=PageMetadata(title=_markdown_title(clean)),
        removed=tuple(
            Removal(reason=reason, count=count, chars=count)
            for reason, count in removed.most_common()
        ),
    )


def _markdown_title(text: str) -> str:
    front_matter = _FRONT_MATTER.match(text)
    title = _FRONT_TITLE.search(front_matter[1]) if front_matter else None
    if title:
        return title[1].strip().strip("\"'").strip()
    heading = _HEADING.search(cap_text(text, 5_000))
    return heading[1].strip() if heading else ""


def _document_reading(response: dict[str, Any], document: Document) -> Reading:
    response["truncated"] = response["truncated"] or document.truncated
    return Reading(
        **response,
        markdown=document.markdown,
        kind=document.kind,
        metadata=PageMetadata(
            title=document.title,
            authors=document.authors,
            published=document.published,
            modified=document.modified,
            language=document.language,
        ),
        notes=document.warnings,
        document=DocumentParts(
            **{name: getattr(document, name) for name in DocumentParts.model_fields}
        ),
    )
