"""A reading as its caller sees it."""

from datetime import date

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
    ScrapedPage,
)
from webquarry.reading.page_output import bounded, classified, page_of, raw_page_of

URL = "https://owls.test/1"
READ_ON = date(2024, 5, 6)


def test_every_field_that_is_known_is_told() -> None:
    reading = Reading(
        url=URL,
        address="https://owls.test/2",
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

    found = page_of(reading, 50_000, READ_ON)

    assert found == ScrapedPage(
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
        structuredData={"jsonLd": [{"@type": "Thing"}], "openGraph": {"og:title": "Owls"}},
        forumSignals=ForumSignals(platform="reddit", upvotes=1, comments=2),
        sourceType="unknown",
        authorityTier="medium",
        domainCategory="general",
        detectedDoi="10.1000/owl.5",
        retractionStatus=RetractionStatus(retracted=False, kind="correction"),
        notes=("Something is missing.",),
    )


def test_what_is_not_known_takes_no_room() -> None:
    reading = Reading(url=URL, address=URL, markdown="Owls.", kind="pdf", complete=False)

    sent = page_of(reading, 50_000, READ_ON).model_dump(mode="json", exclude_none=True)

    assert sorted(sent) == [
        "authorityTier", "citation", "content", "contentLength", "contentType", "domainCategory",
        "estimatedTokens", "extractionQuality", "sizeCategory", "sourceType", "truncated", "trust",
        "url", "wordCount",
    ]  # fmt: skip
    assert sent["extractionQuality"] == "partial"


def test_lengths_are_bytes() -> None:
    reading = Reading(url=URL, address=URL, markdown="Käuze 🦉 hoot.", kind="html")

    found = page_of(reading, 50_000, READ_ON)

    assert (found.contentLength, found.estimatedTokens) == (17, 5)
    assert not found.truncated


def test_a_cut_ends_at_a_sentence_and_says_so() -> None:
    text = "Owls hunt at night. They sleep by day."
    reading = Reading(url=URL, address=URL, markdown=text, kind="html")

    found = page_of(reading, 30, READ_ON)

    assert (found.content, found.truncated) == ("Owls hunt at night.", True)
    assert found.contentLength == 19


def test_a_source_that_was_cut_is_truncated_however_short() -> None:
    reading = Reading(url=URL, address=URL, markdown="Owls.", kind="html", cut=True)

    assert page_of(reading, 50_000, READ_ON).truncated


def test_the_canonical_address_is_the_one_to_cite() -> None:
    about = PageMetadata(title="Owls", canonical="https://owls.test/owls")
    reading = Reading(url=URL, address=URL, markdown="Owls.", kind="html", metadata=about)

    assert page_of(reading, 50_000, READ_ON).citation.url == "https://owls.test/owls"


def test_raw_bytes_are_marked_as_such() -> None:
    answer = RawResponse(url=URL, address=URL, content="<p>", content_type="text/html; charset=x")

    sent = raw_page_of(answer, READ_ON).model_dump(mode="json", exclude_none=True)

    assert sent["raw"] is True
    assert sent["contentType"] == "text/html; charset=x"
    assert sent["trust"] == "untrusted-external-content"
    assert not {"metadata", "extractedBy", "extractionQuality", "encoding", "wordCount"} & set(sent)


def test_encoded_bytes_say_so() -> None:
    answer = RawResponse(url=URL, address=URL, content="AA==", content_type="", encoded=True)

    assert raw_page_of(answer, READ_ON).encoding == "base64"


def test_a_preview_is_short_and_nothing_is_longer_than_five_megabytes() -> None:
    assert bounded(50_000, "preview") == 5_000
    assert bounded(100, "preview") == 5_000
    assert bounded(9_000_000, "full") == 5_000_000
    assert bounded(9_000_000, "raw") == 5_000_000
    assert bounded(100, "raw") == 100


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
def test_a_reading_is_classified_by_its_address_and_its_tags(
    address: str, kinds: tuple[str, ...], *, cites: bool
) -> None:
    reading = Reading(
        url=URL,
        address=address,
        markdown="",
        kind="html",
        metadata=PageMetadata(kinds=kinds),
        structured=StructuredData(citation={"citation_title": "Owls"} if cites else {}),
    )

    assert classified(reading) == classify(address, kinds=kinds, cites=cites)
