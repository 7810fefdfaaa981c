"""Builds a manuscript from its text: sections, sentences, markers and references."""

from collections.abc import Sequence

from webquarry.content.manuscript.manuscript_blocks import ManuscriptBlock, manuscript_blocks
from webquarry.content.manuscript.manuscript_model import (
    Manuscript,
    ManuscriptFormat,
    ManuscriptSection,
    ManuscriptSentence,
    Span,
)
from webquarry.content.markdown.parse import without_inline_markup
from webquarry.content.text.sentences import sentence_spans


def build_manuscript(text: str, format_: ManuscriptFormat, *, title: str = "") -> Manuscript:
    """Return the manuscript of a text in Markdown or of plain text."""
    blocks = manuscript_blocks(text)
    sections = _sections(text, blocks)
    first = next((section.title for section in sections if section.level == 1), "")
    return Manuscript(
        title=title or first,
        format=format_,
        text=text,
        sections=sections,
        sentences=_sentences(text, blocks),
    )


def _sections(text: str, blocks: Sequence[ManuscriptBlock]) -> tuple[ManuscriptSection, ...]:
    """Return the sections; each ends where the next heading begins."""
    headings = [block for block in blocks if block.kind == "heading"]
    ends = [*(block.start for block in headings[1:]), len(text)]
    return tuple(
        ManuscriptSection(_plain(text, block.span), block.level, Span(block.start, end))
        for block, end in zip(headings, ends, strict=True)
    )


def _sentences(text: str, blocks: Sequence[ManuscriptBlock]) -> tuple[ManuscriptSentence, ...]:
    found: list[ManuscriptSentence] = []
    section = ""
    for block in blocks:
        if block.kind == "heading":
            section = _plain(text, block.span)
        elif block.kind in ("text", "item"):
            found += _block_sentences(text, block, section)
    return tuple(found)


def _block_sentences(text: str, block: ManuscriptBlock, section: str) -> list[ManuscriptSentence]:
    inner = text[block.span.start : block.span.end].replace("\n", " ")
    sentences: list[ManuscriptSentence] = []
    for start, end in sentence_spans(inner):
        part = inner[start:end]
        first = block.span.start + start + len(part) - len(part.lstrip())
        span = Span(first, first + len(part.strip()))
        if span.start < span.end:
            written = text[span.start : span.end]
            sentences.append(ManuscriptSentence(written, _plain(text, span), span, section))
    return sentences


def _plain(text: str, span: Span) -> str:
    return " ".join(without_inline_markup(text[span.start : span.end]).split())
