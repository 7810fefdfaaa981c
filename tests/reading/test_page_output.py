"""The tool output of a reading."""

from datetime import UTC, datetime

import pytest

from webquarry.content.ranking.source_type import classify
from webquarry.models.page import (
    Citation,
    CitationFormats,
    CitationMetadata,
    PageMetadata,
    StructuredData,
)
from webquarry.models.reading import (
    ForumSignals,
    PageTitle,
    RawResponse,
    Reading,
    RetractionStatus,
    ScrapePageOut,
)
from webquarry.reading.page_output import classification_of, raw_page, scraped_page

URL = "https://owls.test/1"
READ_AT = datetime(2024, 5, 6, 12, tzinfo=UTC).timestamp()


def test_every_known_field_is_returned() -> None:
    reading = Reading(
        url=URL,
        final_url="https://owls.test/2",
        markdown="# Owls\n\nThey hunt at night.",
        kind="html",
        tier="stealth",
        metadata=PageMetadata(title="Owls", authors=("Ada Owl",), site="Owls", published="2024"),
        structured=StructuredData(jsonLd=({"@type": "Thing"},), openGraph={"og:title": "Owls"}),
        forum=ForumSignals(platform="reddit", upvotes=1, comments=2),
        doi="10.1000/owl.5",
        retraction=RetractionStatus(retracted=False, kind="correction"),
        notes=("Something is missing.",),
    )

    found = scraped_page(reading, 50_000, READ_AT)

    assert found == ScrapePageOut(
        url=URL,
        content="# Owls\n\nThey hunt at night.",
        contentType="html",
        trust="untrusted-external-content",
        contentLength=27,
        truncated=False,
        estimatedTokens=7,
        sizeCategory="small",
        citation=Citation(
            url="https://owls.test/2",
            accessedDate="2024-05-06",
            metadata=CitationMetadata(title="Owls", author="Ada Owl", site="Owls", date="2024"),
            formatted=CitationFormats(
                apa="Owl, A. (2024). Owls. Owls. Retrieved May 6, 2024, from https://owls.test/2",
                mla="Owl, Ada. “Owls.” Owls, 2024, https://owls.test/2. Accessed 6 May 2024.",
                bibtex=found.citation.formatted.bibtex,
            ),
        ),
        extractedBy="stealth",
        extractionQuality="complete",
        wordCount=5,
        metadata=PageTitle(title="Owls", author="Ada Owl"),
        structuredData={
            "declared": True,
            "jsonLd": [{"@type": "Thing"}],
            "openGraph": {"og:title": "Owls"},
        },
        forumSignals=ForumSignals(platform="reddit", upvotes=1, comments=2),
        sourceType="unknown",
        authorityTier="medium",
        domainCategory="general",
        detectedDoi="10.1000/owl.5",
        retractionStatus=RetractionStatus(retracted=False, kind="correction"),
        notes=("Something is missing.",),
    )


def test_unknown_fields_are_omitted() -> None:
    reading = Reading(url=URL, final_url=URL, markdown="Owls.", kind="pdf", complete=False)

    sent = scraped_page(reading, 50_000, READ_AT).model_dump(mode="json", exclude_none=True)

    assert sorted(sent) == [
        "authorityTier", "citation", "content", "contentLength", "contentType", "domainCategory",
        "estimatedTokens", "extractionQuality", "sizeCategory", "sourceType", "truncated", "trust",
        "url", "wordCount",
    ]  # fmt: skip
    assert sent["extractionQuality"] == "partial"


def test_lengths_are_counted_in_bytes() -> None:
    reading = Reading(url=URL, final_url=URL, markdown="Käuze 🦉 hoot.", kind="html")

    found = scraped_page(reading, 50_000, READ_AT)

    assert (found.contentLength, found.estimatedTokens) == (17, 5)
    assert not found.truncated


def test_a_cut_ends_at_a_sentence_and_is_marked_as_truncated() -> None:
    text = "Owls hunt at night. They sleep by day."
    reading = Reading(url=URL, final_url=URL, markdown=text, kind="html")

    found = scraped_page(reading, 30, READ_AT)

    assert (found.content, found.truncated) == ("Owls hunt at night.", True)
    assert found.contentLength == 19


def test_a_truncated_source_is_marked_even_if_it_is_short() -> None:
    reading = Reading(url=URL, final_url=URL, markdown="Owls.", kind="html", truncated=True)

    assert scraped_page(reading, 50_000, READ_AT).truncated


def test_the_canonical_url_is_cited() -> None:
    about = PageMetadata(title="Owls", canonical="https://owls.test/owls")
    reading = Reading(url=URL, final_url=URL, markdown="Owls.", kind="html", metadata=about)

    assert scraped_page(reading, 50_000, READ_AT).citation.url == "https://owls.test/owls"


def test_raw_bytes_are_marked_as_such() -> None:
    answer = RawResponse(url=URL, final_url=URL, content="<p>", content_type="text/html; charset=x")

    sent = raw_page(answer, READ_AT).model_dump(mode="json", exclude_none=True)

    assert sent["raw"] is True
    assert sent["contentType"] == "text/html; charset=x"
    assert sent["trust"] == "untrusted-external-content"
    assert not {"metadata", "extractedBy", "extractionQuality", "encoding", "wordCount"} & set(sent)


def test_base64_content_is_marked_as_encoded() -> None:
    answer = RawResponse(url=URL, final_url=URL, content="AA==", content_type="", is_base64=True)

    assert raw_page(answer, READ_AT).encoding == "base64"


@pytest.mark.parametrize(
    "address",
    [
        "https://www.nature.com/articles/1?x=1#y",
        "http://[2001:db8::1]:8080/a",
        "https://ÖWL.gov.uk./owls",
        "https://user@law.stanford.edu/",
        "https://blog.owls.test/",
        "not an address",
        "",
    ],
)
@pytest.mark.parametrize("kinds", [(), ("NewsArticle",)])
@pytest.mark.parametrize("cites", [False, True])
def test_a_reading_is_classified_by_its_url_and_metadata(
    address: str, kinds: tuple[str, ...], *, cites: bool
) -> None:
    reading = Reading(
        url=URL,
        final_url=address,
        markdown="",
        kind="html",
        metadata=PageMetadata(kinds=kinds),
        structured=StructuredData(citation={"citation_title": "Owls"} if cites else {}),
    )

    assert classification_of(reading) == classify(address, kinds=kinds, cites=cites)
