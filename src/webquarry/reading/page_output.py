"""Makes the result of `scrape_page` from a reading: cut to length, classified, cited."""

from datetime import UTC, datetime
from typing import Any

from webquarry.content.citations.page_citation import cite_page
from webquarry.content.ranking.source_type import classify
from webquarry.content.text.length import count_words, size_category, truncate
from webquarry.content.text.token_count import estimate_tokens
from webquarry.models.document_content import DocumentParts
from webquarry.models.page import Classification, PageMetadata
from webquarry.models.reading import (
    ExtractionQuality,
    PageTitle,
    RawResponse,
    Reading,
    ScrapePageOut,
)

_MAX_PAGES = 500  # whose starts `_meta` names


def classification_of(reading: Reading) -> Classification:
    """Return what kind of source a reading is from, whether it has been classified or not."""
    if reading.classification:
        return reading.classification
    return classify(
        reading.final_url,
        kinds=reading.metadata.kinds,
        cites="citation_title" in reading.structured.citation,
    )


def scraped_page(reading: Reading, length: int, read_at: float) -> ScrapePageOut:
    """Return a reading as a result of at most `length` bytes of content."""
    source = reading.classification or classification_of(reading)
    cut = truncate(reading.markdown, length)
    size = len(cut.text.encode("utf-8", "surrogatepass"))
    # a reading has a word count already; counting a long text takes as long as cutting it
    words = None if cut.truncated else reading.word_count
    metadata = reading.metadata
    title = PageTitle(title=metadata.title, author=", ".join(metadata.authors))
    return ScrapePageOut(
        url=reading.url,
        content=cut.text,
        contentType=reading.kind,
        contentLength=size,
        estimatedTokens=estimate_tokens(size),
        sizeCategory=size_category(size),
        truncated=cut.truncated or reading.truncated,
        citation=cite_page(
            metadata,
            metadata.canonical or reading.final_url,
            datetime.fromtimestamp(read_at, UTC).date(),
        ),
        extractedBy=reading.tier or None,
        extractionQuality=_quality(reading),
        wordCount=count_words(cut.text) if words is None else words,
        metadata=title if title.title else None,
        structuredData=reading.structured.as_result() or None,
        forumSignals=reading.forum,
        sourceType=source.sourceType,
        authorityTier=source.authorityTier,
        domainCategory=source.domainCategory,
        sourceReputation=source.reputation,
        detectedDoi=reading.doi or None,
        retractionStatus=reading.retraction,
        notes=reading.notes or None,
    )


def _quality(reading: Reading) -> ExtractionQuality:
    if not reading.complete:
        return "partial"
    return "declared" if reading.declared else "complete"


def raw_page(response: RawResponse, read_at: float) -> ScrapePageOut:
    """Return the body of a response as a result."""
    source = classify(response.final_url)
    size = len(response.content.encode("utf-8", "surrogatepass"))
    read_on = datetime.fromtimestamp(read_at, UTC).date()
    return ScrapePageOut(
        url=response.url,
        content=response.content,
        contentType=response.content_type,
        contentLength=size,
        estimatedTokens=estimate_tokens(size),
        sizeCategory=size_category(size),
        truncated=response.truncated,
        citation=cite_page(PageMetadata(), response.final_url, read_on),
        raw=True,
        encoding="base64" if response.is_base64 else None,
        sourceType=source.sourceType,
        authorityTier=source.authorityTier,
        domainCategory=source.domainCategory,
        sourceReputation=source.reputation,
    )


def _document_meta(document: DocumentParts) -> dict[str, Any]:
    """Return the pages and parts of a document; a page has the anchor #page=… in a PDF."""
    meta = {
        "pageCount": document.page_count,
        "pages": [[start.page, start.offset] for start in document.page_starts[:_MAX_PAGES]],
        "outline": [
            {"level": entry.level, "title": entry.title}
            | ({"anchor": f"#page={entry.page}"} if entry.page else {})
            for entry in document.outline
        ],
        "figures": [
            {"anchor": f"#page={figure.page}", "caption": figure.caption}
            for figure in document.figures
        ],
        "uncertain": [
            {"anchor": f"#page={part.page}", "reason": part.reason} for part in document.uncertain
        ],
    }
    return {name: value for name, value in meta.items() if value}


def reading_meta(reading: Reading) -> dict[str, Any]:
    """Return how the page was read, for `_meta`."""
    meta: dict[str, Any] = {}
    if reading.removed:
        meta["sanitized"] = [removal.model_dump() for removal in reading.removed]
    if reading.attempts:
        meta["attempts"] = [attempt.model_dump() for attempt in reading.attempts]
    if reading.retraction_unchecked:
        meta["retractionCheck"] = "unavailable"
    if reading.final_url != reading.url:
        meta["finalUrl"] = reading.final_url
    if reading.document:
        meta["document"] = _document_meta(reading.document)
    return meta
