"""The class of a claim, by what its source says."""

import pytest

from webquarry.content.claims.claim_class import classify_claims

_SOURCE = """# Nest boxes and barn owls

In 2018, the survey of Kent counted 240 pairs of barn owls. \
Pairs in nest boxes fledged 3.2 young on average, and pairs in open barns fledged 2.1 young. \
Nest boxes increased the breeding success of barn owls by 45 % between 2012 and 2018. \
The boxes did not harm kestrels in the same area.

Margaret Holt led the field work in Kent. \
"We were surprised by the effect of the new boxes", she said.
"""


def _verdict(claim: str) -> tuple[str, str]:
    verdict = classify_claims(_SOURCE.encode(), claims=(claim,))[0]
    return verdict.claim_class, verdict.reason


@pytest.mark.parametrize(
    "claim",
    [
        "Nest boxes increased the breeding success of barn owls by 45 % between 2012 and 2018.",
        "From 2012 to 2018, nest boxes increased breeding success of barn owls by 45 percent.",
        "Pairs in nest boxes fledged 3.2 young on average.",
        'Holt was blunt: "We were surprised by the effect of the new boxes".',
        "The boxes did not harm kestrels in the same area.",
    ],
)
def test_what_the_source_states_is_supported(claim: str) -> None:
    assert _verdict(claim)[0] == "supported"


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        ("Nest boxes increased the breeding success of barn owls by 54 % between 2012 and 2018.",
         "Number: the document has 54 %, the source 45 %."),
        ("In 2016, the survey of Kent counted 240 pairs of barn owls.",
         "Date: the document has 2016, the source 2018."),
        ("The boxes harm kestrels in the same area.",
         "The source says “not”, the document does not."),
        ("Nest boxes decreased the breeding success of barn owls by 45 % between 2012 and 2018.",
         "The document says “decreased”, the source “increased”."),
        ("Dorothy Pyle led the field work in Kent.",
         "Name: the document has Dorothy Pyle, the source Margaret Holt."),
        ('She said: "We were not surprised by the effect of the new boxes".',
         "The quotation differs from the source: “not” added. The document says “not”, the source "
         "does not."),
    ],
)  # fmt: skip
def test_a_contradicted_claim_says_which_fact_differs(claim: str, reason: str) -> None:
    assert _verdict(claim) == ("contradicted", reason)


def test_a_reworded_quotation_is_partly_right() -> None:
    claim = 'She said: "We were amazed by the effect of the new boxes".'

    assert _verdict(claim) == (
        "partly",
        "The quotation differs from the source: “amazed” for “surprised”.",
    )


def test_an_invented_quotation_is_not_found() -> None:
    claim = 'Holt wrote that "owls will never need our help again".'

    assert _verdict(claim) == (
        "not_found_in_source",
        "The source does not have the quotation “owls will never need our help again”.",
    )


def test_another_topic_is_not_found_in_the_source() -> None:
    claim = "Solar panels in Spain produced 12 GWh in April."

    assert _verdict(claim) == (
        "not_found_in_source",
        "The source does not have: 12 GWh, Spain.",
    )


def test_a_number_that_the_source_lacks_is_named() -> None:
    claim = "Nest boxes increased the breeding success of barn owls by 45 % on 87 farms in Kent."

    assert _verdict(claim) == ("partly", "The source does not have: 87 farms.")


def test_the_sentence_that_contradicts_comes_first_in_the_evidence() -> None:
    claim = "Pairs in nest boxes fledged 2.3 young on average."

    verdict = classify_claims(_SOURCE.encode(), claims=(claim,))[0]

    assert verdict.evidence[0].startswith("Pairs in nest boxes fledged 3.2 young")
