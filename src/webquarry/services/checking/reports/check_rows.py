"""The table of a check: one row for each claim and source, as text."""

from collections.abc import Iterator
from typing import NamedTuple, get_args

from pydantic.alias_generators import to_camel

from webquarry.models.document_check import (
    CheckedClaim,
    DocumentCheck,
    DocumentPlace,
    FindingKind,
    ModelUse,
)
from webquarry.models.trust import ClaimClass

CLASS_NAMES: dict[ClaimClass, str] = {
    "contradicted": "contradicted",
    "not_found_in_source": "not found in source",
    "could_not_check": "could not check",
    "partly": "partly supported",
    "supported": "supported",
}
_WORST_FIRST = tuple(CLASS_NAMES)
KIND_NAMES: dict[FindingKind, tuple[str, str]] = {
    "contradicted": ("contradicted claim", "contradicted claims"),
    "reference_not_found": ("reference that does not exist", "references that do not exist"),
    "retracted": ("retracted work", "retracted works"),
    "mismatch": ("reference that differs from its record", "references that differ"),
    "misquoted": ("quotation that differs", "quotations that differ"),
    "not_found_in_source": ("claim not found in its source", "claims not found in their sources"),
    "marker_without_entry": ("marker without an entry", "markers without an entry"),
    "dead_link": ("dead link", "dead links"),
    "corrected": ("corrected work", "corrected works"),
    "never_cited": ("entry that is never cited", "entries that are never cited"),
}
COLUMNS = ("claim", "location", "reference", "class", "reason", "quote", "link")
MODEL_COLUMNS = ("model", "model quote")  # if a language model was asked


class CheckRow(NamedTuple):
    """One claim and what one source says about it."""

    claim: str
    location: str
    reference: str
    claim_class: ClaimClass
    reason: str
    quote: str
    link: str  # to the quote in the source, or to the source
    model: str = ""  # class by the language model
    model_quote: str = ""
    place_url: str = ""  # to the page of the document; no column


def check_rows(check: DocumentCheck) -> list[CheckRow]:
    """Return the rows, the worst first, then in the order of the document."""
    names = {each.id: each.label or each.title or each.text for each in check.references}
    rows = [row for claim in check.claims for row in _rows(claim, names)]
    order = {claim_class: at for at, claim_class in enumerate(_WORST_FIRST)}
    return sorted(rows, key=lambda row: order[row.claim_class])  # stable


def check_columns(check: DocumentCheck) -> tuple[str, ...]:
    """Return the names of the columns; those of a language model only if it was asked."""
    return (*COLUMNS, *MODEL_COLUMNS) if check.modelUse else COLUMNS


def _rows(claim: CheckedClaim, names: dict[str, str]) -> Iterator[CheckRow]:
    place = location(claim.place)
    if not claim.sources:
        row = CheckRow(claim.claim, place, "", claim.claimClass, claim.reason or "", "", "")
        yield row._replace(place_url=claim.place.url or "")
    for each in claim.sources:
        link = each.anchor.url if each.anchor else each.url
        yield CheckRow(
            claim.claim,
            place,
            names.get(each.reference, each.reference),
            each.claimClass,
            each.reason or "",
            each.quote or "",
            link or "",
            CLASS_NAMES[each.model.verdict] if each.model else "",
            each.model.quote if each.model else "",
            claim.place.url or "",
        )


def location(place: DocumentPlace) -> str:
    """Return a place in words: page or line, and section."""
    where = f"page {place.page}" if place.page else f"line {place.line}"
    return f"{where}, {place.section}" if place.section else where


def headline(check: DocumentCheck) -> str:
    """Return the result in one or two sentences."""
    if check.status == "failed":
        return f"The check failed: {check.error}"
    summary = check.summary
    parts = [
        f"{count} {KIND_NAMES[kind][count != 1]}"
        for kind in get_args(FindingKind)
        if (count := summary.get(to_camel(kind), 0))
    ]
    found = f"{'; '.join(parts)}." if parts else "No finding."
    claims = ", ".join(
        f"{count} {name}"
        for claim_class, name in CLASS_NAMES.items()
        if (count := summary.get(to_camel(claim_class), 0))
    )
    model = f" {_model_line(check.modelUse)}" if check.modelUse else ""
    count = summary["claims"]
    noun = "cited claim" if count == 1 else "cited claims"
    checked = f" {count} {noun}: {claims}." if claims else " No cited claims."
    unchecked = _unchecked_line(summary)
    return found[0].upper() + found[1:] + checked + unchecked + model + _unfinished(check)


def _unchecked_line(summary: dict[str, int]) -> str:
    """Return how many references could not be looked up; "no finding" does not mean them."""
    count, total = summary.get("uncheckedReferences", 0), summary.get("references", 0)
    if not count:
        return ""
    return f" {count} of {total} reference{'' if total == 1 else 's'} could not be checked."


def _model_line(use: ModelUse) -> str:
    cost = "" if use.costUsd is None else f", ${use.costUsd:.4f}"
    problem = f" Verdicts are missing: {use.problem}" if use.problem else ""
    dropped = f"; {use.dropped} dropped, their quotes are not in the source" if use.dropped else ""
    verdicts = f"{use.verdicts} verdict{'' if use.verdicts == 1 else 's'}"
    return f"Language model: {verdicts}{dropped} ({use.tokens} tokens{cost}).{problem}"


def _unfinished(check: DocumentCheck) -> str:
    if check.complete:
        return ""
    done = check.progress
    state = {"running": "Still running", "cancelled": "Cancelled"}.get(check.status, "Out of time")
    return (
        f" {state}: {done.references} of {done.referencesTotal} references and "
        f"{done.claims} of {done.claimsTotal} claims are checked."
    )
