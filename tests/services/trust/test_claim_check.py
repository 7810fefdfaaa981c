"""Whether a source speaks about a claim."""

import pytest

from bench.eval_trust import assess_pairs, claim_scores, contrast_scores
from tests.services.trust.fakes import Site, page
from tests.support import ALICE, services
from webquarry.content.claims.support_measure import measure_support, without_references
from webquarry.models.trust import ClaimCheck
from webquarry.services.trust.claim_check import ClaimChecker

pytestmark = pytest.mark.anyio
URL = "https://owls.test/1"
TEXT = "Owls were tagged in spring. Owls did not hunt in heavy rain at all. Nests were counted."


def claims(site: Site) -> ClaimChecker:
    made = services(reader=site)
    return ClaimChecker(made.reading, made.research.evidence)


async def test_sentences_about_the_claim_come_with_links_to_them() -> None:
    site = Site({URL: page(URL, TEXT)})

    found = await claims(site).check("Owls hunt in heavy rain", [URL], ALICE)

    assert found.model_copy(update={"anchors": ()}) == ClaimCheck(
        support="addressed",
        score=0.77,
        evidence=("Owls were tagged in spring.", "Owls did not hunt in heavy rain at all."),
        source=URL,
        contrast=True,
    )
    assert [anchor.quote for anchor in found.anchors] == list(found.evidence)
    assert all(anchor.url.startswith(f"{URL}#:~:text=") for anchor in found.anchors)


async def test_the_next_url_is_read_when_the_first_cannot_be_read() -> None:
    copy = "https://web.archive.org/web/2024/x"
    site = Site({copy: page(copy, TEXT)})

    found = await claims(site).check("Nests were counted", [URL, copy], ALICE)

    assert (found.support, found.source, found.contrast) == ("addressed", copy, False)
    assert site.read_urls == [URL, copy]


async def test_without_a_readable_source_the_claim_is_not_judged() -> None:
    assert await claims(Site({})).check("Owls hunt", [], ALICE) == ClaimCheck(
        support="source_unavailable", reason="There is no URL to read."
    )
    found = await claims(Site({})).check("Owls hunt", [URL], ALICE)
    assert (found.support, found.evidence) == ("source_unavailable", ())
    assert found.reason


@pytest.mark.parametrize(
    ("claim", "support", "is_whole"),
    [
        ("40 owls were tagged on 3 May 2021 in the north.", "addressed", True),
        ("40 owls were tagged on May 3, 2021 in the north.", "addressed", True),
        ("50 owls were tagged on 3 May 2021 in the north.", "partially_addressed", False),
        ("40 owls were tagged on 4 May 2021 in the north.", "partially_addressed", False),
    ],
)
def test_a_claim_with_a_number_or_date_that_the_source_lacks_is_addressed_in_part(
    claim: str,
    support: str,
    is_whole: bool,  # noqa: FBT001
) -> None:
    measured = measure_support(claim, "In the north 40 owls were tagged on 3 May 2021. It rained.")

    assert (measured.support, measured.score >= 0.5) == (support, is_whole)


async def test_another_topic_is_not_addressed() -> None:
    site = Site({URL: page(URL, "Steel prices rose again. Mills in the north closed.")})

    found = await claims(site).check("Owls hunt mice at night", [URL], ALICE)

    assert found == ClaimCheck(support="not_addressed", score=0.0, overlap=False, source=URL)


def test_a_claim_without_words_is_not_held_against_a_source() -> None:
    assert measure_support("of the", TEXT) == ("partially_addressed", 0.0, [], True)


def test_a_source_that_shares_a_word_has_overlap_even_when_it_does_not_address_the_claim() -> None:
    claim = "Owls migrated to Norway in 1987 because of falling steel exports"

    measured = measure_support(claim, TEXT)

    assert (measured.support, measured.overlap) == ("not_addressed", True)
    assert measured.sentences


def test_a_paraphrase_has_overlap() -> None:
    measured = measure_support("The couple married", "Both were wed at the town hall.")

    assert measured.overlap


def test_titles_in_the_list_of_references_are_not_statements_of_the_page() -> None:
    text = f"{TEXT}\n\n## References\n\n1. Bats and the price of steel."

    assert without_references(text).rstrip() == TEXT
    assert measure_support("Bats and the price of steel", text)[0] == "not_addressed"


def test_pairs_in_five_languages_are_distinguished() -> None:
    found = assess_pairs()

    assert len(found) == 200
    scored = claim_scores(found, [each.ours for each in found])
    assert scored.recall >= 0.9
    assert scored.precision >= 0.95
    contrast = contrast_scores(found)
    assert contrast.recall >= 0.9
    assert contrast.precision >= 0.9
