"""Cuts a reading to what the caller asked for and describes it."""

from datetime import date
from typing import Any

from webquarry.content.citations.page_citation import cite
from webquarry.content.ranking.source_type import classify
from webquarry.content.text.length import TruncatedText, count_words, size_category, truncate
from webquarry.content.text.token_count import estimate_tokens
from webquarry.models.page import Classification, PageMetadata, StructuredData
from webquarry.models.reading import Mode, PageTitle, RawResponse, Reading, ScrapedPage

DEFAULT_LENGTH = 50_000
LONGEST = 5_000_000
PREVIEW = 5_000


def bounded(length: int, mode: Mode) -> int:
    """Return the bytes of content a caller gets."""
    return PREVIEW if mode == "preview" else min(length, LONGEST)


def classified(reading: Reading) -> Classification:
    """Return what kind of source a reading is from."""
    cites = "citation_title" in reading.structured.citation
    return classify(reading.address, kinds=reading.metadata.kinds, cites=cites)


def page_of(reading: Reading, length: int, read_on: date) -> ScrapedPage:
    """Return a reading as a result of at most `length` bytes of content."""
    cut = truncate(reading.markdown, length)
    kind = classified(reading)
    about = reading.metadata
    return ScrapedPage(
        url=reading.url,
        content=cut.text,
        contentType=reading.kind,
        **_sizes(cut.text),
        truncated=cut.truncated or reading.cut,
        citation=cite(about, about.canonical or reading.address, read_on),
        extractedBy=reading.tier or None,
        extractionQuality="complete" if reading.complete else "partial",
        wordCount=_words(reading, cut),
        metadata=_title(about),
        structuredData=_present(reading.structured),
        forumSignals=reading.forum,
        sourceType=kind.sourceType,
        authorityTier=kind.authorityTier,
        domainCategory=kind.domainCategory,
        sourceReputation=kind.reputation,
        detectedDoi=reading.doi or None,
        retractionStatus=reading.retraction,
        notes=reading.notes or None,
    )


def raw_page_of(answer: RawResponse, read_on: date) -> ScrapedPage:
    """Return the bytes of an address as a result."""
    kind = classify(answer.address)
    return ScrapedPage(
        url=answer.url,
        content=answer.content,
        contentType=answer.content_type,
        **_sizes(answer.content),
        truncated=answer.truncated,
        citation=cite(PageMetadata(), answer.address, read_on),
        raw=True,
        encoding="base64" if answer.encoded else None,
        sourceType=kind.sourceType,
        authorityTier=kind.authorityTier,
        domainCategory=kind.domainCategory,
        sourceReputation=kind.reputation,
    )


def told_beside(reading: Reading) -> dict[str, Any]:
    """Return what a person may want to know about how the page was read, for `_meta`."""
    meta: dict[str, Any] = {}
    if reading.removed:
        meta["sanitized"] = [gone.model_dump() for gone in reading.removed]
    if reading.attempts:
        meta["attempts"] = [attempt.model_dump() for attempt in reading.attempts]
    if reading.unchecked:
        meta["retractionCheck"] = "unavailable"
    if reading.address != reading.url:
        meta["finalUrl"] = reading.address
    return meta


def _sizes(content: str) -> dict[str, Any]:
    size = len(content.encode("utf-8", "surrogatepass"))
    return {
        "contentLength": size,
        "estimatedTokens": estimate_tokens(size),
        "sizeCategory": size_category(size),
    }


def _words(reading: Reading, cut: TruncatedText) -> int:
    # counting a long text takes as long as cutting it, and mostly it was counted before
    counted = None if cut.truncated else reading.words
    return count_words(cut.text) if counted is None else counted


def _title(about: PageMetadata) -> PageTitle | None:
    if not about.title:
        return None
    return PageTitle(title=about.title, author=", ".join(about.authors))


def _present(found: StructuredData) -> dict[str, Any] | None:
    """Return the statements that are there; those that are not take no room."""
    parts = found.model_dump(mode="json")
    return {name: value for name, value in parts.items() if value} or None
