"""The `verify_citation` tool: checks that a citation exists, is correct and not retracted."""

from typing import Annotated, Any, get_args

from pydantic import Field, WithJsonSchema

from webquarry.calls.tool import Call, ToolOptions, tool
from webquarry.calls.tool_schema import typed_schema
from webquarry.content.claims.text_fragments import normalize_text
from webquarry.models.model import Model
from webquarry.models.records import RecordsIn
from webquarry.models.retraction import RetractionStatus
from webquarry.models.trust import (
    ClaimCheck,
    ClaimSupport,
    Confidence,
    Difference,
    InputType,
    Standing,
    TitleMatch,
)
from webquarry.models.works import Paper
from webquarry.models.zero_results import TRUST

_OBJECT = WithJsonSchema({"type": "object"})


# the most important fields of the result; all of them would cost too much context
_OUTPUT = typed_schema(
    verificationStatus=get_args(Standing),
    exists="boolean",
    matchedRecord="object",
    possibleMatch="object",
    differences="array",
    retractionStatus="object",
    reason="string",
    claimSupport=get_args(ClaimSupport),
)


class VerifyCitationIn(RecordsIn):
    """Arguments of `verify_citation`."""

    citation: str = Field(min_length=3, max_length=4000, description="DOI, URL or reference text.")
    claim: str | None = Field(
        default=None, max_length=2000, description="What it is cited for; checks the source."
    )


class EvidenceAnchor(Model):
    """A link to a sentence of `claimEvidence`."""

    sentence: int  # index in claimEvidence
    url: str
    sha256: str


class VerifyCitationOut(Model):
    """Result of `verify_citation`."""

    input: str
    inputType: InputType
    verificationStatus: Standing
    exists: bool | None = None
    matchedRecord: Annotated[Paper, _OBJECT] | None = None
    possibleMatch: Annotated[Paper, _OBJECT] | None = None
    matchConfidence: Confidence | None = None
    mismatches: list[str] | None = None
    differences: list[Difference] | None = None
    detectedDoi: str | None = None
    titleMatch: TitleMatch | None = None
    retractionStatus: Annotated[RetractionStatus, _OBJECT] | None = None
    httpStatus: int | None = None
    archivedUrl: str | None = None
    reason: str | None = None
    claim: str | None = None
    claimSupport: ClaimSupport | None = None
    claimScore: float | None = None
    claimEvidence: list[str] | None = None
    claimAnchors: list[EvidenceAnchor] | None = None
    claimSourceUrl: str | None = None
    contrastSignal: bool | None = None
    provenance: list[str]
    trust: str = TRUST


@tool("trust", ToolOptions(title="Check a citation", output_schema=_OUTPUT))
async def verify_citation(args: VerifyCitationIn, call: Call) -> VerifyCitationOut:
    """Check that a citation exists, matches its record, is not retracted and still resolves.

    Evidence, never a verdict: `unchecked` means that none could tell, not that it is made up.
    """
    check = await call.services.citations.verify(args.citation, args.claim, call.caller)
    existence, link = check.existence, check.link
    known = existence.record or existence.near
    return VerifyCitationOut(
        input=args.citation,
        inputType=check.kind,
        verificationStatus=existence.standing,
        exists=existence.exists,
        matchedRecord=existence.record,
        possibleMatch=existence.near,
        matchConfidence=existence.confidence if known or check.kind == "reference" else None,
        mismatches=list(existence.mismatches) or None,
        differences=list(existence.differences) or None,
        detectedDoi=check.detected_doi,
        titleMatch=existence.title if known else None,
        retractionStatus=existence.retraction,
        httpStatus=link.status if link else None,
        archivedUrl=link.snapshot.url if link and link.snapshot else None,
        reason=existence.reason,
        claim=args.claim,
        claimAnchors=_claim_anchors(check.claim) if check.claim else None,
        **claim_fields(check.claim),
        provenance=list(existence.provenance),
    )


def claim_fields(claim: ClaimCheck | None) -> dict[str, Any]:
    """Return the fields of a result about a claim, if one was checked."""
    if claim is None:
        return {}
    return {
        "claimSupport": claim.support,
        "claimScore": claim.score,
        "claimEvidence": list(claim.evidence),
        "claimSourceUrl": claim.source,
        "contrastSignal": claim.contrast or None,
    }


def _claim_anchors(claim: ClaimCheck) -> list[EvidenceAnchor] | None:
    """Return the links to the sentences, without repeating the sentences."""
    indexes = {normalize_text(sentence): at for at, sentence in enumerate(claim.evidence)}
    return [
        EvidenceAnchor(sentence=indexes[anchor.quote], url=anchor.url, sha256=anchor.sha256)
        for anchor in claim.anchors
        if anchor.quote in indexes
    ] or None
