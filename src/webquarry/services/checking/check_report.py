"""Puts the records of a check together: findings, the worst first, claims and references."""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import get_args

from pydantic.alias_generators import to_camel

from webquarry.models.document_check import (
    CheckedClaim,
    CheckedReference,
    CheckProgress,
    Finding,
    FindingKind,
    SourceVerdict,
)
from webquarry.models.trust import ClaimClass
from webquarry.services.checking.check_plan import CheckPlan, PlannedClaim, PlannedReference
from webquarry.services.checking.check_records import CheckRecords
from webquarry.services.trust.notice_text import notice_sentence

# of several sources, the first class in this order counts
_BEST_FIRST: tuple[ClaimClass, ...] = (
    "supported", "contradicted", "partly", "not_found_in_source", "could_not_check",
)  # fmt: skip
_KINDS: tuple[FindingKind, ...] = get_args(FindingKind)  # the worst first
_FLAGS: dict[str, FindingKind] = {
    "retracted": "retracted",
    "not_found": "reference_not_found",
    "mismatch": "mismatch",
    "dead_link": "dead_link",
}
_NOT_CHECKED = "Not checked: out of time or budget."
_OFFLINE = (
    "Most hosts of the links were not found, so {} links are unchecked, not dead. Check the "
    "network connection, then check the document again."
)
_UNSOURCED = "None of the sources of the document states this."


class CheckReport:
    """What is known of a document so far."""

    def __init__(self, plan: CheckPlan, records: CheckRecords) -> None:
        self._plan = plan
        self._records = records

    @cached_property
    def claims(self) -> tuple[CheckedClaim, ...]:
        """The claims in the order of the document."""
        return tuple(map(self._claim, self._plan.claims))

    @cached_property
    def references(self) -> tuple[CheckedReference, ...]:
        """The entries of the list, then the links."""
        return tuple(map(self._reference, self._plan.references.values()))

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong, the worst first, then in the order of the document."""
        found = (*self._claim_findings(), *self._reference_findings(), *self._marker_findings())
        return tuple(sorted(found, key=lambda each: (_KINDS.index(each.kind), each.place.start)))

    @property
    def summary(self) -> dict[str, int]:
        """How many claims have each class, and how many findings there are of each kind."""
        classes = Counter(to_camel(claim.claimClass) for claim in self.claims)
        kinds = Counter(to_camel(finding.kind) for finding in self.findings)
        named = {to_camel(name): classes[to_camel(name)] for name in get_args(ClaimClass)}
        problems = {to_camel(kind): kinds[to_camel(kind)] for kind in _KINDS}
        unchecked = sum("unchecked" in each.flags for each in self.references)
        totals = {"claims": len(self.claims), "references": len(self.references)}
        others = {"uncheckedReferences": unchecked}
        return {"findings": sum(kinds.values()), **totals, **problems, **named, **others}

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know about the document and the check."""
        links = [audit.link for audit in self._records.audits.values() if audit.link]
        unresolved = sum(bool(link.unresolved) for link in links)
        offline = (_OFFLINE.format(unresolved),) if unresolved else ()
        return (*self._plan.manuscript.warnings, *offline)

    @property
    def progress(self) -> CheckProgress:
        """How much is done."""
        plan, records = self._plan, self._records
        cited = [claim for claim in plan.claims if claim.references]
        return CheckProgress(
            references=len(records.audits),
            referencesTotal=len(plan.references),
            sources=len(records.sources),
            sourcesTotal=len(plan.sources),
            claims=sum(self._is_done(claim) for claim in cited),
            claimsTotal=len(cited),
        )

    @property
    def has_work_left(self) -> bool:
        """Whether going on would find more: the budget of sources is not used up."""
        progress = self.progress
        return (
            progress.references < progress.referencesTotal
            or progress.sources < progress.sourcesTotal
        )

    @property
    def is_complete(self) -> bool:
        """Whether every reference and every claim was looked at."""
        progress = self.progress
        return (
            progress.references == progress.referencesTotal
            and progress.claims == progress.claimsTotal
        )

    def _is_done(self, claim: PlannedClaim) -> bool:
        return all(name in self._records.sources for name in claim.references)

    def _claim(self, claim: PlannedClaim) -> CheckedClaim:
        sources = tuple(self._verdicts(claim))
        best = min(sources, key=lambda each: _BEST_FIRST.index(each.claimClass), default=None)
        claim_class: ClaimClass = best.claimClass if best else "could_not_check"
        reason = best.reason if best else _NOT_CHECKED
        if not claim.references and claim_class == "not_found_in_source":
            claim_class, reason = "could_not_check", _UNSOURCED
        sentence = claim.sentence
        return CheckedClaim(
            number=claim.number,
            claim=claim.text,
            place=self._plan.place(sentence.span, sentence.section),
            markers=tuple(marker.text for marker in claim.markers),
            claimClass=claim_class,
            reason=reason,
            sources=sources,
        )

    def _verdicts(self, claim: PlannedClaim) -> Iterator[SourceVerdict]:
        """Yield what each source says; of a sentence without markers, only the best."""
        names: Iterable[str] = claim.references or self._records.sources
        found = [
            record.verdicts[claim.number]
            for name in names
            if (record := self._records.sources.get(name)) and claim.number in record.verdicts
        ]
        if not claim.references:
            found = sorted(found, key=lambda each: _BEST_FIRST.index(each.claimClass))[:1]
        yield from found

    def _reference(self, reference: PlannedReference) -> CheckedReference:
        audit = self._records.audits.get(reference.id)
        source = self._records.sources.get(reference.id)
        cited = sum(reference.id in claim.references for claim in self._plan.claims)
        fields = {
            "id": reference.id,
            "label": reference.label,
            "text": reference.text,
            "place": self._plan.place(reference.span),
            "citedBy": cited,
            "title": reference.entry.title,
            "doi": reference.entry.doi,
            "url": reference.entry.url,
            "source": source.read if source else None,
        }
        if audit is None:
            return CheckedReference.model_validate(fields)
        snapshot = audit.link.snapshot if audit.link else None
        checks = {
            "checked": True,
            "exists": audit.existence.exists,
            "flags": audit.flags,
            "reason": audit.reason,
            "differences": audit.existence.differences,
            "retractionStatus": audit.existence.retraction,
            "archivedUrl": snapshot.url if snapshot else None,
        }
        return CheckedReference.model_validate(fields | checks)

    def _claim_findings(self) -> Iterator[Finding]:
        for claim in self.claims:
            if kind := _claim_kind(claim):
                yield Finding(
                    kind=kind,
                    message=claim.reason or "",
                    text=claim.claim,
                    place=claim.place,
                    claim=claim.number,
                    reference=claim.sources[0].reference if claim.sources else None,
                )

    def _reference_findings(self) -> Iterator[Finding]:
        uncited = {entry.id for entry in self._plan.manuscript.uncited}
        for reference in self.references:
            messages = self._flag_messages(reference)
            notice = reference.retractionStatus
            if notice and not notice.retracted:
                messages["corrected"] = notice_sentence(notice)
            if reference.id in uncited:
                messages["never_cited"] = "The text never cites this entry."
            for kind, message in messages.items():
                yield Finding(
                    kind=kind,
                    message=message,
                    text=reference.text,
                    place=reference.place,
                    reference=reference.id,
                )

    def _flag_messages(self, reference: CheckedReference) -> dict[FindingKind, str]:
        audit = self._records.audits.get(reference.id)
        reasons = {str(flag): why for flag, why in audit.reasons.items()} if audit else {}
        return {
            _FLAGS[flag]: reasons.get(flag) or reference.reason or ""
            for flag in reference.flags
            if flag in _FLAGS
        }

    def _marker_findings(self) -> Iterator[Finding]:
        for marker in self._plan.manuscript.unresolved:
            yield Finding(
                kind="marker_without_entry",
                message=f"The reference list has no entry for {marker.text}.",
                text=marker.text,
                place=self._plan.place(marker.span),
            )


def _claim_kind(claim: CheckedClaim) -> FindingKind | None:
    """Return the kind of finding that a claim is, if it is one."""
    if claim.claimClass in ("contradicted", "not_found_in_source"):
        return claim.claimClass
    is_misquoted = claim.claimClass == "partly" and any(each.misquoted for each in claim.sources)
    return "misquoted" if is_misquoted else None
