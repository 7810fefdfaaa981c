"""How fully a text states a claim."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.content.claims.claim_support import ClaimFeatures, ClaimSupportEstimator

CLAIM = "Anna Berg founded the Owl Museum in Bergen in 1987, and it moved to Oslo in 2004."
TEXT = (
    "History. Berg, a biologist, established the Owl Museum in Bergen in 1987. "
    "Anna Berg led it for ten years. It has been in Oslo since 2004, when it moved."
)


def score(claim: str, text: str) -> float:
    return ClaimSupportEstimator(claim).score(text)


def test_a_text_that_states_the_whole_claim_in_other_words_scores_high() -> None:
    assert score(CLAIM, TEXT) > 0.8


@pytest.mark.parametrize(
    ("changed", "missing"),
    [
        (CLAIM.replace("1987", "1991"), "a number"),
        (CLAIM.replace("Oslo", "Stockholm"), "a name"),
        (CLAIM.replace(".", ", after a fire had destroyed its library."), "a clause"),
    ],
)
def test_a_part_that_the_text_lacks_lowers_the_score(changed: str, missing: str) -> None:
    assert score(changed, TEXT) < score(CLAIM, TEXT) - 0.1, missing


def test_the_features_say_what_is_missing() -> None:
    features = ClaimSupportEstimator("Bats hunt in Oslo in 1987").features("Bats hunt. It rained.")

    assert features == ClaimFeatures(
        pair_coverage=features.pair_coverage,
        weakest_clause=0.0,
        missing_names=1,
        missing_terms=2,
        missing_numbers=1,
        log_terms=features.log_terms,
    )
    assert 0 < features.pair_coverage < 1


def test_capitalised_nouns_are_not_taken_for_names() -> None:
    claim = "Die Eule jagt Mäuse in der Nacht bei Regen und Schnee im Wald"
    features = ClaimSupportEstimator(claim).features("Es war Sommer.")

    assert features.missing_names == 0


def test_a_text_with_no_word_of_the_claim_has_no_overlap() -> None:
    estimator = ClaimSupportEstimator("Owls hunt mice")

    assert not estimator.has_overlap("Steel prices rose.")
    assert estimator.has_overlap("An owl sat there.")


def test_a_claim_without_terms_scores_nothing() -> None:
    assert score("of the", TEXT) == 0.0
    assert score(CLAIM, "") < 0.1


@given(st.text(max_size=200), st.text(max_size=400))
def test_a_score_is_a_probability(claim: str, text: str) -> None:
    assert 0.0 <= score(claim, text) <= 1.0
