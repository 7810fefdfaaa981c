"""The `audit_bibliography` tool: the checks of `verify_citation` over a whole list."""

from datetime import UTC, datetime
from typing import Annotated, Any, Literal, Self

from pydantic import Field, WithJsonSchema, model_validator

from webquarry.calls.tool import Call, Options, tool
from webquarry.calls.tool_schema import names_schema
from webquarry.content.citations.bibliography_files import BadEntry, BibEntry, read_bibliography
from webquarry.content.citations.export import split_authors
from webquarry.errors import BadInputError
from webquarry.models.model import Model
from webquarry.models.reading import RetractionStatus
from webquarry.models.records import RecordsIn
from webquarry.models.trust import ClaimSupport
from webquarry.models.zero_results import TRUST
from webquarry.services.trust.bibliography_audit import (
    MOST,
    BibliographyAudit,
    ReferenceAudit,
    summed,
)
from webquarry.services.trust.claim_check import ClaimChecker
from webquarry.services.trust.existence import ExistenceChecker


class AuditEntry(Model):
    """One reference to check."""

    url: str = ""
    title: str = ""
    author: str = ""
    site: str = ""
    date: str = ""
    doi: str = ""
    claim: str | None = None


_ENTRIES = WithJsonSchema(
    {
        "type": "array",
        "items": {
            "type": "object",
            "description": "url?, title?, author?, site?, date?, doi?, claim?",
        },
    }
)


class AuditBibliographyIn(RecordsIn):
    """Arguments of `audit_bibliography`."""

    bibliography: str | None = Field(
        default=None, max_length=2_000_000, description="CSL-JSON, RIS or BibTeX text,"
    )
    format: Literal["auto", "csl-json", "ris", "bibtex"] = Field(
        default="auto", description="Its format."
    )
    entries: Annotated[tuple[AuditEntry, ...], _ENTRIES] | None = Field(
        default=None, description="or references (a claim is checked against its source),"
    )
    sessionId: str | None = Field(default=None, description="or the sources of this session.")

    @model_validator(mode="after")
    def _check(self) -> Self:
        if not (self.bibliography or self.entries or self.sessionId):
            raise ValueError("give bibliography, entries or sessionId")
        return self


class AuditedEntry(Model):
    """What was found out about one reference."""

    index: int
    title: str | None = None
    doi: str | None = None
    url: str | None = None
    exists: bool | None = None
    retractionStatus: RetractionStatus | None = None
    linkLive: bool | None = None
    httpStatus: int | None = None
    archivedUrl: str | None = None
    mismatches: list[str] | None = None
    flags: list[str]
    reason: str | None = None
    claim: str | None = None
    claimSupport: ClaimSupport | None = None
    claimEvidence: list[str] | None = None
    claimSourceUrl: str | None = None
    contrastSignal: bool | None = None


class AuditBibliographyOut(Model):
    """Result of `audit_bibliography`."""

    source: str
    entryCount: int
    summary: dict[str, int]
    entries: list[AuditedEntry]
    unreadable: list[dict[str, Any]] | None = None
    skipped: int | None = None
    skippedNote: str | None = None
    checkedAt: str
    trust: str = TRUST


@tool(
    "trust",
    Options(
        title="Check a bibliography",
        timeout=120.0,
        heavy=True,
        output_schema=names_schema("summary", "entries"),
        reads_session=True,
    ),
)
async def audit_bibliography(args: AuditBibliographyIn, call: Call) -> AuditBibliographyOut:
    """Check every reference of a list: whether it exists, is retracted, or has a dead link.

    Flags keep evidence of a problem apart from what could not be checked.
    """
    source, listed, claims, bad = await _listed(args, call)
    taken = listed[:MOST]
    services = call.services
    auditing = BibliographyAudit(
        ExistenceChecker(services.choices),
        services.links,
        ClaimChecker(services.reading, services.research.evidence),
    )

    async def report(done: int, total: int) -> None:
        await call.progress(done, total, f"{done} of {total} references checked")

    audited = await auditing.audit(taken, claims[:MOST], call.caller, report)
    skipped = len(listed) - len(taken)
    return AuditBibliographyOut(
        source=source,
        entryCount=len(taken),
        summary=summed(audited),
        entries=[_entry(i, each, claims[i]) for i, each in enumerate(audited)],
        unreadable=[{"line": each.line, "problem": each.problem} for each in bad] or None,
        skipped=skipped or None,
        skippedNote=f"Only the first {MOST} were checked; send the rest again."
        if skipped
        else None,
        checkedAt=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    )


async def _listed(
    args: AuditBibliographyIn, call: Call
) -> tuple[str, list[BibEntry], list[str | None], list[BadEntry]]:
    """Return the references, from wherever the caller has them."""
    if args.entries:
        given = [_given(i, entry) for i, entry in enumerate(args.entries, 1)]
        return "entries", given, [entry.claim for entry in args.entries], []
    if args.bibliography:
        try:
            found = read_bibliography(args.bibliography, args.format)
        except ValueError as error:
            raise BadInputError(f"bibliography: {error}") from error
        return f"bibliography:{found.format}", found.entries, [None] * len(found.entries), found.bad
    notebook = await call.services.sessions.find(call.caller, args.sessionId or "")
    sources = [
        BibEntry(
            line=i,
            title=source.title or "",
            authors=source.authors or (),
            date=source.published or "",
            venue="",
            doi=source.doi or "",
            url=source.url,
        )
        for i, source in enumerate(notebook.sources, 1)
    ]
    return "session", sources, [None] * len(sources), []


def _given(number: int, entry: AuditEntry) -> BibEntry:
    return BibEntry(
        line=number,
        title=entry.title,
        authors=split_authors(entry.author),
        date=entry.date,
        venue=entry.site if entry.doi else "",  # of a page it is the name of a site
        doi=entry.doi,
        url=entry.url.strip(),
    )


def _entry(index: int, audited: ReferenceAudit, claim: str | None) -> AuditedEntry:
    entry, found, link, checked = audited.entry, audited.existence, audited.link, audited.claim
    return AuditedEntry(
        index=index,
        title=entry.title or None,
        doi=entry.doi or None,
        url=entry.url or None,
        exists=found.exists,
        retractionStatus=found.retraction,
        linkLive=None if link is None or link.outcome == "unchecked" else not link.lost,
        httpStatus=link.status if link else None,
        archivedUrl=link.snapshot.url if link and link.snapshot else None,
        mismatches=list(found.mismatches) or None,
        flags=list(audited.flags),
        reason=audited.reason,
        claim=claim,
        claimSupport=checked.support if checked else None,
        claimEvidence=list(checked.evidence) if checked else None,
        claimSourceUrl=checked.source if checked else None,
        contrastSignal=True if checked and checked.contrast else None,
    )
