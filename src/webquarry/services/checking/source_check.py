"""Compares the claims of a document with one source."""

from collections.abc import Sequence
from dataclasses import dataclass

from webquarry.content.claims.claim_class import ClaimVerdict, classify_claims
from webquarry.content.claims.text_fragments import normalize_text
from webquarry.content.markdown.parse import visible_text
from webquarry.errors import ParseLimitError
from webquarry.models.caller import Caller
from webquarry.models.document_check import SourceRead, SourceVerdict
from webquarry.models.research import Anchor
from webquarry.parsing.parsers import Parsers
from webquarry.parsing.task import ParseTask
from webquarry.services.checking.check_plan import PlannedClaim
from webquarry.services.checking.check_records import SourceRecord
from webquarry.services.checking.model_verdicts import ModelColumn, ModelVerdicts
from webquarry.services.checking.source_reading import SourceText, SourceTexts
from webquarry.services.research.evidence import Evidence, Quotable
from webquarry.services.trust.bibliography_audit import ReferenceAudit

_SECONDS = 30.0  # of CPU time for all claims of one source
_NEEDS_WHOLE_TEXT = ("partly", "not_found_in_source")
_ONLY_ABSTRACT = "Only the abstract could be read, and it does not state all of this."


@dataclass(frozen=True)
class SourceClaims:
    """The claims that cite a reference."""

    reference: str
    claims: Sequence[PlannedClaim]
    ask_model: bool = False


@dataclass(frozen=True)
class SourceChecker:
    """Reads a source once and compares all its claims with it."""

    texts: SourceTexts
    evidence: Evidence
    parsers: Parsers
    model: ModelVerdicts | None = None

    async def check(
        self, wanted: SourceClaims, audit: ReferenceAudit, caller: Caller
    ) -> SourceRecord:
        """Return what the source of a reference says about the claims."""
        name, claims = wanted.reference, wanted.claims
        source = await self.texts.read(audit, caller)
        if source.read.kind is None:
            return _unread(name, claims, source.read)
        task = ParseTask(classify_claims, subject=f"The source {name}", seconds=_SECONDS)
        content = source.text.encode("utf-8", "replace")
        sentences = tuple(claim.text for claim in claims)
        try:
            verdicts = await self.parsers.run(task, content, claims=sentences)
        except ParseLimitError as error:
            return _unread(name, claims, SourceRead(url=source.read.url, reason=str(error)))
        anchors = await self._anchors(source, verdicts, caller)
        found = {
            claim.number: _verdict(name, verdict, source.read, anchors)
            for claim, verdict in zip(claims, verdicts, strict=True)
        }
        record = SourceRecord(id=name, read=source.read, verdicts=found)
        if self.model is None or not wanted.ask_model:
            return record
        column = await self.model.compare(source.text, sentences, verdicts, caller)
        return _with_model(record, [claim.number for claim in claims], column)

    async def _anchors(
        self, source: SourceText, verdicts: Sequence[ClaimVerdict], caller: Caller
    ) -> dict[str, Anchor]:
        """Return the best sentence of each claim, to be verified later."""
        quotes = dict.fromkeys(quote for verdict in verdicts if (quote := _quote(verdict)))
        if not quotes:
            return {}
        page = await self._captured(source, caller)
        anchors = await self.evidence.anchors(page, quotes)
        return {anchor.quote: anchor for anchor in anchors}

    async def _captured(self, source: SourceText, caller: Caller) -> Quotable:
        """Store what was read, so that its quotations can be verified later."""
        if source.reading is not None:
            return await self.evidence.quotable(source.reading, caller)
        url = source.read.url or ""
        return await self.evidence.quotable_text(url, source.title, source.text, caller)


def _with_model(record: SourceRecord, numbers: Sequence[int], column: ModelColumn) -> SourceRecord:
    """Return a record with the column of the model; the classes stay as they are."""
    given = {numbers[at]: verdict for at, verdict in column.verdicts.items()}
    verdicts = {
        number: verdict.model_copy(update={"model": given.get(number)})
        for number, verdict in record.verdicts.items()
    }
    return record.model_copy(update={"verdicts": verdicts, "model_use": column.use})


def _quote(verdict: ClaimVerdict) -> str:
    """Return the sentence of the source to show: the one that decided, without markup."""
    return _plain(verdict.evidence[0]) if verdict.evidence else ""


def _plain(sentence: str) -> str:
    return normalize_text(visible_text(sentence))


def _unread(name: str, claims: Sequence[PlannedClaim], read: SourceRead) -> SourceRecord:
    verdict = SourceVerdict(
        reference=name,
        claimClass="could_not_check",
        reason=f"The source could not be read: {read.reason}",
        url=read.url,
    )
    return SourceRecord(id=name, read=read, verdicts={claim.number: verdict for claim in claims})


def _verdict(
    name: str, verdict: ClaimVerdict, read: SourceRead, anchors: dict[str, Anchor]
) -> SourceVerdict:
    quote = _quote(verdict)
    claim_class, reason = verdict.claim_class, verdict.reason
    misquoted = any(each.match == "differs" for each in verdict.quotations)
    if read.kind == "abstract" and not misquoted and claim_class in _NEEDS_WHOLE_TEXT:
        claim_class, reason = "could_not_check", f"{_ONLY_ABSTRACT} {reason}"
    return SourceVerdict(
        reference=name,
        claimClass=claim_class,
        reason=reason,
        score=verdict.score,
        quote=quote if claim_class != "not_found_in_source" else None,
        anchor=anchors.get(quote),
        url=read.url,
        misquoted=misquoted,
    )
