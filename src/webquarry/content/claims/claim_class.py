"""The class of a claim: what its source says about it, with the evidence and the reason."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from webquarry.content.claims.claim_facts import FactDifference, StatedFacts, fact_differences
from webquarry.content.claims.claim_sentences import MIN_SENTENCE_CHARS, Claim
from webquarry.content.claims.claim_terms import terms_of
from webquarry.content.claims.quotations import QuotationCheck, check_quotation, quotations_in
from webquarry.content.claims.support_measure import (
    measure_support,
    missing_figures,
    whole_text_facts,
    without_references,
)
from webquarry.content.text.sentences import sentences_of
from webquarry.models.trust import ClaimClass, ClaimSupport

_MAX_SENTENCES = 2000
_MAX_LISTED = 4
_MOSTLY = 0.6  # share of a claim that is quoted
_CLASSES: dict[ClaimSupport, ClaimClass] = {
    "addressed": "supported",
    "partially_addressed": "partly",
    "not_addressed": "not_found_in_source",
}


@dataclass(frozen=True)
class ClaimVerdict:
    """The class of one claim."""

    claim_class: ClaimClass
    reason: str  # empty if the source states the claim
    score: float  # estimated chance that the source states the whole claim
    evidence: tuple[str, ...] = ()  # sentences of the source, verbatim
    differences: tuple[FactDifference, ...] = ()
    quotations: tuple[QuotationCheck, ...] = ()


def classify_claims(content: bytes, *, claims: tuple[str, ...]) -> tuple[ClaimVerdict, ...]:
    """Return the class of each claim, by the Markdown of its source."""
    source = _SourceText(content.decode("utf-8", "replace"))
    return tuple(source.classify(claim) for claim in claims)


class _SourceText:
    """A source that claims are compared with."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._body = without_references(text)

    @cached_property
    def _sentences(self) -> list[StatedFacts]:
        sentences = sentences_of(self._body, min_length=MIN_SENTENCE_CHARS)
        return [StatedFacts(sentence) for sentence in sentences[:_MAX_SENTENCES]]

    def classify(self, claim: str) -> ClaimVerdict:
        """Return the class; what the source contradicts comes before what it lacks."""
        quotations = tuple(check_quotation(quote, self._text) for quote in quotations_in(claim))
        differences = tuple(fact_differences(claim, self._sentences))
        measured = measure_support(claim, self._body)
        if differences:
            misquoted = map(quotation_reason, (q for q in quotations if q.match == "differs"))
            reasons = dict.fromkeys((*misquoted, *(each.reason for each in differences)))
            claim_class, reason = _CONTRADICTED, " ".join(reasons)
        else:
            claim_class, reason = self._class_of(claim, measured.support, quotations)
        shown = [each.sentence for each in differences]
        shown += [each.found for each in quotations if each.found]
        shown += filter(None, [Claim(claim).best_sentence(self._body)])
        return ClaimVerdict(
            claim_class,
            reason,
            round(measured.score, 2),
            tuple(dict.fromkeys((*shown, *measured.sentences))),
            differences,
            quotations,
        )

    def _class_of(
        self, claim: str, support: ClaimSupport, quotations: Sequence[QuotationCheck]
    ) -> tuple[ClaimClass, str]:
        if wrong := [each for each in quotations if each.match != "verbatim"]:
            return _class_of_misquotations(wrong)
        if _is_mostly_quoted(claim, quotations):
            return "supported", "The quotation is in the source word for word."
        if support == "addressed":
            return "supported", ""
        missing = [*missing_figures(claim, self._body), *self._missing_names(claim)]
        listed = [each for at, each in enumerate(missing) if not _in_any(each, missing[:at])]
        lacks = f"The source does not have: {', '.join(listed[:_MAX_LISTED])}." if listed else ""
        if support == "not_addressed":
            return _CLASSES[support], lacks or "No passage of the source is about this."
        return "partly", lacks or "The source states only a part of it in one place."

    def _missing_names(self, claim: str) -> list[str]:
        """Return the names of a claim that the source does not have."""
        known = whole_text_facts(self._body).vocabulary
        missing = [
            word
            for word in map(_bare, claim.split()[1:])  # the first has a capital letter anyway
            if any(term.kind == "name" and not known.match(term) for term in terms_of(word))
        ]
        return list(dict.fromkeys(missing))


_CONTRADICTED: ClaimClass = "contradicted"


def _is_mostly_quoted(claim: str, quotations: Sequence[QuotationCheck]) -> bool:
    quoted = sum(len(each.quote) for each in quotations)
    return quoted >= _MOSTLY * len(claim)


def _class_of_misquotations(wrong: Sequence[QuotationCheck]) -> tuple[ClaimClass, str]:
    reasons = " ".join(map(quotation_reason, wrong))
    if all(each.match == "absent" for each in wrong):
        return "not_found_in_source", reasons
    return (_CONTRADICTED if any(map(_changes_a_fact, wrong)) else "partly"), reasons


def _changes_a_fact(quotation: QuotationCheck) -> bool:
    """Tell whether the words that differ are numbers, negations or words of opposite meaning."""
    found = [StatedFacts(quotation.found)] if quotation.found else []
    return bool(fact_differences(quotation.quote, found))


def quotation_reason(quotation: QuotationCheck) -> str:
    """Return the difference between a quotation and its source in one sentence."""
    if quotation.match == "absent":
        return f"The source does not have the quotation “{quotation.quote}”."
    changes = "; ".join(each.description for each in quotation.differences)
    return f"The quotation differs from the source: {changes}."


def _in_any(word: str, others: Sequence[str]) -> bool:
    return any(word in other.split() for other in others)


def _bare(word: str) -> str:
    return word.strip(".,;:()[]'\u2019\"“”")
