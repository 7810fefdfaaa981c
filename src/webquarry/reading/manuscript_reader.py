"""Reads a manuscript of any supported format, where its parsers can be stopped."""

from dataclasses import replace
from urllib.parse import urlsplit

from lxml import etree

from webquarry.content.html.charset import decode_page
from webquarry.content.html.dom import parse_html
from webquarry.content.manuscript.latex_manuscript import read_latex
from webquarry.content.manuscript.manuscript_builder import build_manuscript
from webquarry.content.manuscript.manuscript_model import (
    Manuscript,
    ManuscriptFormat,
    ManuscriptSource,
)
from webquarry.content.manuscript.raised_text import with_raised_digits
from webquarry.content.markdown.writer import write_markdown
from webquarry.content.text.binary_content import binary_type
from webquarry.errors import BadInputError
from webquarry.models.document_content import Document
from webquarry.parsing.parsers import Parsers
from webquarry.parsing.task import ParseTask
from webquarry.reading.documents.document_errors import EncryptedDocumentError
from webquarry.reading.documents.document_options import DocumentOptions
from webquarry.reading.documents.document_reader import DocumentReader
from webquarry.reading.documents.document_type import sniff

_SECONDS = 20.0  # of CPU time for the structure of a document
_DOCUMENTS: dict[str, ManuscriptFormat] = {"pdf": "pdf", "docx": "docx", "odt": "odt"}
_TEXTS: dict[str, ManuscriptFormat] = {
    "md": "markdown", "markdown": "markdown", "html": "html", "htm": "html", "xhtml": "html",
    "tex": "latex", "latex": "latex", "ltx": "latex", "txt": "text",
}  # fmt: skip
_KNOWN = "Give a PDF, Word, OpenDocument, HTML, Markdown, LaTeX or text file."
_NO_CITATION = "The document has neither citations nor a reference list: nothing was checked."


class ManuscriptReader:
    """Turns a document into its sections, sentences, citation markers and references."""

    def __init__(self, documents: DocumentReader, parsers: Parsers) -> None:
        self._documents = documents
        self._parsers = parsers

    async def read_manuscript(self, source: ManuscriptSource) -> Manuscript:
        """Return the manuscript; `BadInputError` when its format is not supported."""
        name = source.name or "The document"
        data = source.data.encode() if isinstance(source.data, str) else source.data
        if not data.strip():
            raise BadInputError(f"{name} is empty.")
        kind = sniff(data, source.media_type, source.name)
        if kind in _DOCUMENTS:
            document = await self._document(data, source, name)
            markdown = with_raised_digits(document.markdown).encode()
            found = await self._build(markdown, _DOCUMENTS[kind], name, title=document.title or "")
        elif kind == "rtf" or binary_type(data):
            content = kind or binary_type(data)
            raise BadInputError(f"{name} is damaged or of another kind: {content}. {_KNOWN}")
        else:
            format_ = _text_format(source)
            found = await self._build(data, format_, name, bibliography=source.bibliography)
        if not found.sentences and not found.references:
            raise BadInputError(f"{name} has no text to check. Give a version with text.")
        if found.markers or found.references:
            return found
        return replace(found, warnings=(*found.warnings, _NO_CITATION))

    async def _document(self, data: bytes, source: ManuscriptSource, name: str) -> Document:
        try:
            return await self._documents.read(
                data,
                content_type=source.media_type,
                url=name,
                options=DocumentOptions(marked=True),
            )
        except EncryptedDocumentError as error:
            remedy = "Save a copy without a password, and check that"
            raise BadInputError(f"{error}. {remedy}.") from error

    async def _build(
        self,
        data: bytes,
        format_: ManuscriptFormat,
        name: str,
        *,
        title: str = "",
        bibliography: str | None = None,
    ) -> Manuscript:
        task = ParseTask(manuscript_of_text, subject=name, seconds=_SECONDS, error=BadInputError)
        return await self._parsers.run(
            task, data, format_=format_, title=title, bibliography=bibliography
        )


def manuscript_of_text(
    content: bytes, *, format_: ManuscriptFormat, title: str = "", bibliography: str | None = None
) -> Manuscript:
    """Return the manuscript of a text, as a task that a worker process can run."""
    text = decode_page(content, None).replace("\r\n", "\n").replace("\r", "\n")
    text = text.removeprefix("\ufeff")
    if format_ == "latex":
        return read_latex(text, bibliography)
    if format_ == "html":
        title, text = _html_text(text)
    return build_manuscript(text, format_, title=title)


def _html_text(html: str) -> tuple[str, str]:
    """Return title and text of a page, all of it: reference lists are often beside the article."""
    root = parse_html(html)
    if root is None:
        return "", ""
    title = " ".join((root.findtext(".//title") or "").split())
    etree.strip_elements(root, "nav", "script", "style", "head", with_tail=False)
    return title, with_raised_digits(write_markdown(root))


def _text_format(source: ManuscriptSource) -> ManuscriptFormat:
    """Return the format of a text by its media type, or else by its file name."""
    if source.media_type and "html" in source.media_type:
        return "html"
    ending = urlsplit(source.name).path.rpartition(".")[2].lower()
    return _TEXTS.get(ending, "markdown")
