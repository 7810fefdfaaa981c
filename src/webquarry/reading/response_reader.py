"""Turns what was fetched into Markdown, whatever it is: a page, Markdown or a document."""

import re
from collections import Counter
from dataclasses import dataclass

from webquarry.content.html.charset import decode_page
from webquarry.content.visibility.invisible_characters import without_invisible
from webquarry.models.document_content import Document
from webquarry.models.page import PageContent, PageMetadata, Removal
from webquarry.models.reading import Reading
from webquarry.reading.documents.document_reader import Documents
from webquarry.reading.documents.document_type import sniff
from webquarry.reading.html_workers import HtmlExtractor

_MARKDOWN_TYPES = frozenset({"text/markdown", "text/x-markdown"})
# two of these in plain text, and it is Markdown
_MARKS = (
    re.compile(r"^#{1,6} \S", re.MULTILINE),
    re.compile(r"^(?:[-*+]|\d+\.) \S", re.MULTILINE),
    re.compile(r"\[[^\]\n]+\]\([^)\s]+\)"),
    re.compile(r"^```", re.MULTILINE),
    re.compile(r"\*\*[^*\n]+\*\*"),
    re.compile(r"^\|.+\|$", re.MULTILINE),
)
_HEADING = re.compile(r"^# +(.+?)(?: #*)?$", re.MULTILINE)
_FRONT_MATTER = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)
_FRONT_TITLE = re.compile(r"^title: *[\"']?(.*?)[\"']? *$", re.MULTILINE)
_SCRIPT = re.compile(rb"<script\b", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The bytes of an address."""

    url: str  # after redirects
    content: bytes
    content_type: str
    cut: bool = False
    status: int = 200

    @property
    def media_type(self) -> str:
        """The content type without its parameters."""
        return self.content_type.partition(";")[0].strip().lower()

    @property
    def scripted(self) -> bool:
        """Whether a browser could show more than is here."""
        return _SCRIPT.search(self.content) is not None


class ResponseReader:
    """Reads answers of every kind."""

    def __init__(
        self,
        documents: Documents,
        *,
        extraction: HtmlExtractor | None = None,
        keep_html: bool = False,
        keep_source: bool = False,
    ) -> None:
        self._documents = documents
        self.extraction = extraction or HtmlExtractor(workers=0)
        self.keep_html = keep_html  # pages come as HTML besides
        self.keep_source = keep_source  # and whole

    @property
    def wants_html(self) -> bool:
        """Whether Markdown, where a site offers it, would not do."""
        return self.keep_html or self.keep_source

    async def document(self, asked: str, answer: Answer) -> Reading | None:
        """Return what a document holds; None for a web page."""
        kind = sniff(answer.content, answer.content_type, answer.url)
        if kind is None:
            return None
        if kind in {"markdown", "text"}:
            text = _decoded(answer)
            if answer.media_type in _MARKDOWN_TYPES or _looks_like_markdown(text):
                return _markdown(asked, answer, text)
        found = await self._documents.read(
            answer.content, content_type=answer.content_type, url=answer.url
        )
        return _document(asked, answer, found)

    async def page(self, answer: Answer) -> PageContent:
        """Return the main content of a web page, and what stands in front of it."""
        found = await self.extraction.page(
            answer.content,
            url=answer.url,
            content_type=answer.content_type,
            keep_html=self.keep_html,
        )
        return found.model_copy(update={"source": _decoded(answer)}) if self.keep_source else found


def reading_of(asked: str, answer: Answer, page: PageContent, tier: str) -> Reading:
    """Return a web page as a reading."""
    return Reading(
        url=asked,
        address=answer.url,
        markdown=page.markdown,
        kind="html",
        tier=tier,
        metadata=page.metadata,
        structured=page.structured,
        removed=page.removed,
        words=page.wordCount,
        cut=answer.cut,
        status=answer.status,
        html=page.html,
        source=page.source,
    )


def _decoded(answer: Answer) -> str:
    return decode_page(answer.content, answer.content_type).text.replace("\r\n", "\n")


def _looks_like_markdown(text: str) -> bool:
    head = text[:20_000]
    return sum(bool(mark.search(head)) for mark in _MARKS) >= 2


def _markdown(asked: str, answer: Answer, text: str) -> Reading:
    removed: Counter[str] = Counter()
    clean = without_invisible(text, removed).strip()
    return Reading(
        url=asked,
        address=answer.url,
        markdown=clean,
        kind="markdown",
        tier="markdown",
        metadata=PageMetadata(title=_title(clean)),
        removed=tuple(
            Removal(reason=reason, count=count, chars=count)
            for reason, count in removed.most_common()
        ),
        cut=answer.cut,
        status=answer.status,
    )


def _title(text: str) -> str:
    front = _FRONT_MATTER.match(text)
    named = _FRONT_TITLE.search(front[1]) if front else None
    heading = named or _HEADING.search(text[:5_000])
    return heading[1].strip() if heading else ""


def _document(asked: str, answer: Answer, found: Document) -> Reading:
    return Reading(
        url=asked,
        address=answer.url,
        markdown=found.markdown,
        kind=found.kind,
        metadata=PageMetadata(
            title=found.title,
            authors=found.authors,
            published=found.published,
            modified=found.modified,
            language=found.language,
        ),
        cut=answer.cut or found.truncated,
        status=answer.status,
        notes=found.warnings,
    )
