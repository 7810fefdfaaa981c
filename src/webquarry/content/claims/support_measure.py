"""Measures how far a text addresses a claim, and finds its sentences about it."""

import re
from functools import lru_cache
from typing import NamedTuple

from webquarry.content.claims.claim_facts import StatedFacts
from webquarry.content.claims.claim_sentences import MIN_SENTENCE_CHARS, Claim
from webquarry.content.claims.claim_support import ClaimSupportEstimator
from webquarry.content.text.sentences import sentences_of
from webquarry.models.trust import ClaimSupport

_ADDRESSED = 0.5  # of the score
_NOT_WHOLE = 0.49  # the score of a claim with a number or date that the text does not have
_MAX_SENTENCES = 2000
_CHANCE = 0.34  # share of a claim's terms that an unrelated page may have in one passage
_REFERENCES = re.compile(
    r"^\s{0,3}(?:#{1,6}\s*)?(?:\*\*)?(?:references|bibliography|works cited|literature cited"
    r"|literatur(?:verzeichnis)?|références|bibliographie|referencias|bibliografía|参考文献)"
    r"(?:\*\*)?[^\S\n]*+:?[^\S\n]*$",
    re.IGNORECASE | re.MULTILINE,
)


class SupportMeasure(NamedTuple):
    """How far a text addresses a claim."""

    support: ClaimSupport
    score: float  # estimated chance that the text states the whole claim
    sentences: list[str]  # that are most about the claim
    overlap: bool  # whether the text has any term of the claim


def support_of(text: bytes, *, claim: str) -> tuple[SupportMeasure, bool]:
    """Return `measure_support`, and whether the text contrasts the claim with something."""
    page = text.decode()
    measured = measure_support(claim, page)
    has_evidence = bool(measured.sentences)
    return measured, has_evidence and Claim(claim).is_contrasted_in(without_references(page))


def measure_support(claim: str, text: str) -> SupportMeasure:
    """Return how far a text addresses a claim, and its sentences about it."""
    parsed, estimator = Claim(claim), ClaimSupportEstimator(claim)
    body = without_references(text)
    if not parsed.terms:
        return SupportMeasure("partially_addressed", 0.0, [], overlap=True)
    if not estimator.has_overlap(body):
        return SupportMeasure("not_addressed", 0.0, [], overlap=False)
    score, sentences = estimator.score(body), parsed.evidence(body)
    if score >= _ADDRESSED and missing_figures(claim, body):
        score = _NOT_WHOLE
    if score >= _ADDRESSED:
        return SupportMeasure("addressed", score, sentences, overlap=True)
    # the few matching sentences of another topic are still shown
    support = "not_addressed" if parsed.coverage(body) <= _CHANCE else "partially_addressed"
    return SupportMeasure(support, score, sentences, overlap=True)


def missing_figures(claim: str, text: str) -> list[str]:
    """Return the numbers and dates of a claim that the text does not have, in any form."""
    cited = StatedFacts(claim)
    if not cited.quantities and not cited.dates:
        return []
    whole = whole_text_facts(text)
    missing = [
        *(each.text for each in cited.quantities if not each.is_among(whole.quantities)),
        *(each.text for each in cited.dates if not each.is_among(whole.dates)),
    ]
    return list(dict.fromkeys(missing))


@lru_cache(maxsize=2)  # several claims are compared with one text
def whole_text_facts(text: str) -> StatedFacts:
    """Return the facts that all sentences of a text state."""
    sentences = sentences_of(text, min_length=MIN_SENTENCE_CHARS)
    return StatedFacts("\n".join(sentences[:_MAX_SENTENCES]))


def without_references(text: str) -> str:
    """Return the text before its list of references: cited titles are not its own statements."""
    for heading in _REFERENCES.finditer(text):
        if heading.start() > len(text) // 4:
            return text[: heading.start()]
    return text
