"""The `verify_citation` tool: whether a citation is real, right and still standing."""

from typing import Annotated

from pydantic import Field, WithJsonSchema

from webquarry.calls.tool import Call, Options, tool
from webquarry.calls.tool_schema import names_schema
from webquarry.models.model import Model
from webquarry.models.reading import RetractionStatus
from webquarry.models.records import RecordsIn
from webquarry.models.research import Anchor
from webquarry.models.trust import ClaimSupport, Confidence, InputType, Standing, TitleMatch
from webquarry.models.works import Paper
from webquarry.models.zero_results import TRUST
from webquarry.services.trust.citation_check import CitationCheck, CitationChecker
from webquarry.services.trust.claim_check import ClaimChecker
from webquarry.services.trust.existence import ExistenceChecker

_OBJECT = WithJsonSchema({"type": "object"})


class VerifyCitationIn(RecordsIn):
    """Arguments of `verify_citation`."""

    citation: str = Field(min_length=3, max_length=4000, description="DOI, URL or reference text.")
    claim: str | None = Field(
        default=None, max_length=2000, description="What it is cited for; checks the source."
    )


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
    detectedDoi: str | None = None
    titleMatch: TitleMatch | None = None
    retractionStatus: Annotated[RetractionStatus, _OBJECT] | None = None
    httpStatus: int | None = None
    archivedUrl: str | None = None
    reason: str | None = None
    claim: str | None = None
    claimSupport: ClaimSupport | None = None
    claimEvidence: list[str] | None = None
    claimAnchors: list[Anchor] | None = None
    claimSourceUrl: str | None = None
    contrastSignal: bool | None = None
    provenance: list[str]
    trust: str = TRUST


@tool("trust", Options(title="Check a citation", output_schema=names_schema("verificationStatus")))
async def verify_citation(args: VerifyCitationIn, call: Call) -> VerifyCitationOut:
    """Check that a citation exists, matches its record, is not retracted and still resolves.

    Evidence, never a verdict: `unchecked` means nobody could tell, not that it is made up.
    """
    services = call.services
    citations = CitationChecker(
        ExistenceChecker(services.choices),
        services.links,
        services.reading,
        ClaimChecker(services.reading, services.research.evidence),
    )
    checked = await citations.verify(args.citation, args.claim, call.caller)
    return _out(args, checked)


def _out(args: VerifyCitationIn, checked: CitationCheck) -> VerifyCitationOut:
    found, link, claim = checked.existence, checked.link, checked.claim
    known = found.record or found.near
    return VerifyCitationOut(
        input=args.citation,
        inputType=checked.kind,
        verificationStatus=found.standing,
        exists=found.exists,
        matchedRecord=found.record,
        possibleMatch=found.near,
        matchConfidence=found.confidence if known or checked.kind == "reference" else None,
        mismatches=list(found.mismatches) or None,
        detectedDoi=checked.detected_doi,
        titleMatch=found.title if known else None,
        retractionStatus=found.retraction,
        httpStatus=link.status if link else None,
        archivedUrl=link.snapshot.url if link and link.snapshot else None,
        reason=found.reason,
        claim=args.claim,
        claimSupport=claim.support if claim else None,
        claimEvidence=list(claim.evidence) if claim else None,
        claimAnchors=list(claim.anchors) or None if claim else None,
        claimSourceUrl=claim.source if claim else None,
        contrastSignal=True if claim and claim.contrast else None,
        provenance=list(found.provenance),
    )
