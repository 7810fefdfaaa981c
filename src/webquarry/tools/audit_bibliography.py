"""The `audit_bibliography` tool: checks every reference of a list."""

from datetime import UTC, datetime
from functools import partial
from itertools import starmap
from typing import Annotated, Any, Literal, Self

from pydantic import Field, WithJsonSchema, model_validator

from webquarry.calls.tool import Call, TaskOptions, ToolOptions, tool
from webquarry.calls.tool_schema import typed_schema
from webquarry.content.citations.author_names import split_authors
from webquarry.content.citations.bib_entry import BadEntry, BibEntry
from webquarry.content.citations.bibliography_files import read_bibliography_file
from webquarry.errors import BadInputError
from webquarry.models.model import ArgumentsError, Filled, Model
from webquarry.models.records import RecordsIn
from webquarry.models.retraction import RetractionStatus
from webquarry.models.short_schemas import objects_schema
from webquarry.models.trust import ClaimSupport, Difference
from webquarry.models.zero_results import TRUST
from webquarry.parsing.limited import parse_limited
from webquarry.parsing.task import ParseTask
from webquarry.services.trust.audit_summary import audit_summary
from webquarry.services.trust.bibliography_audit import (
    MAX_ENTRIES,
    ReferenceAudit,
    count_flags,
)
from webquarry.tools.format_bibliography import CitedSource
from webquarry.tools.verify_citation import claim_fields


class AuditEntry(CitedSource):
    """One reference to check."""

    claim: str | None = None


_ENTRIES_SCHEMA = objects_schema("url", "title", "author", "site", "date", "doi", "claim")


# the most important fields of the result; all of them would cost too much context
_OUTPUT = typed_schema(
    summary="object",
    entries=typed_schema(
        index="integer",
        exists="boolean",
        flags="array",
        reason="string",
        differences="array",
        retractionStatus="object",
        linkLive="boolean",
    ),
)


class AuditBibliographyIn(RecordsIn):
    """Arguments of `audit_bibliography`."""

    bibliography: str | None = Field(
        default=None, max_length=2_000_000, description="CSL-JSON, RIS or BibTeX text,"
    )
    format: Literal["auto", "csl-json", "ris", "bibtex"] = Field(
        default="auto", description="Its format."
    )
    entries: Annotated[tuple[AuditEntry, ...], _ENTRIES_SCHEMA] | None = Field(
        default=None, description="or references (a claim is checked against its source),"
    )
    sessionId: str | None = Field(default=None, description="or the sources of this session.")
    # a reference, or a part of the text of a long result
    cursor: Annotated[int, WithJsonSchema({"type": "string"})] = Field(
        default=0, ge=0, description="Next part."
    )

    @model_validator(mode="after")
    def _check(self) -> Self:
        if not (self.bibliography or self.entries or self.sessionId):
            choices = ("bibliography", "entries", "sessionId")
            raise ArgumentsError("give bibliography, entries or sessionId", *choices)
        return self


class AuditedEntry(Model):
    """The checks of one reference."""

    index: int
    title: Filled[str] = None
    doi: Filled[str] = None
    url: Filled[str] = None
    exists: bool | None = None
    retractionStatus: RetractionStatus | None = None
    linkLive: bool | None = None
    httpStatus: int | None = None
    archivedUrl: str | None = None
    mismatches: Filled[list[str]] = None
    differences: Filled[list[Difference]] = None
    flags: list[str]
    reason: str | None = None
    claim: str | None = None
    claimSupport: ClaimSupport | None = None
    claimScore: float | None = None
    claimEvidence: list[str] | None = None
    claimSourceUrl: str | None = None
    contrastSignal: bool | None = None


class AuditBibliographyOut(Model):
    """Result of `audit_bibliography`."""

    source: str
    entryCount: int
    summary: dict[str, int]
    entries: list[AuditedEntry]
    unreadable: Filled[list[dict[str, Any]]] = None
    skipped: Filled[int] = None
    skippedNote: str | None = None
    nextCursor: int | None = None
    checkedAt: str
    trust: str = TRUST


@tool(
    "trust",
    ToolOptions(
        title="Check a bibliography",
        timeout=120.0,
        task=TaskOptions(),
        heavy=True,
        summary=audit_summary,
        output_schema=_OUTPUT,
        reads_session=True,
    ),
)
async def audit_bibliography(args: AuditBibliographyIn, call: Call) -> AuditBibliographyOut:
    """Check every reference of a list: whether it exists, is retracted, or has a dead link.

    Flags keep evidence of a problem apart from what could not be checked.
    """
    source, references, claims, unreadable = await _references(args, call)
    start, total = args.cursor, len(references)
    if start and start >= total:
        raise BadInputError(f"cursor: there are only {total} references, counted from 0")
    page = slice(start, start + MAX_ENTRIES)
    checked = references[page]

    async def report(done: int, _: int) -> None:
        done += start
        await call.progress(done, total, f"{done} of {total} references checked")

    audited = await call.services.bibliography_audit.audit(
        checked, claims[page], call.caller, report
    )
    skipped = total - start - len(checked)
    late = [start + at for at, each in enumerate(audited) if not each.done]
    next_cursor = next(iter(late), start + len(checked) if skipped else None)
    return AuditBibliographyOut(
        source=source,
        entryCount=len(checked),
        summary=count_flags(audited),
        entries=[_entry(at, each, claims[at]) for at, each in enumerate(audited, start)],
        unreadable=[{"line": each.line, "problem": each.problem} for each in unreadable],
        skipped=skipped,
        skippedNote=_rest_note(next_cursor, len(late) + skipped),
        nextCursor=next_cursor,
        checkedAt=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    )


def _rest_note(cursor: int | None, count: int) -> str | None:
    if cursor is None:
        return None
    return f"{count} references are not checked yet; call again with cursor={cursor}."


async def _references(
    args: AuditBibliographyIn, call: Call
) -> tuple[str, list[BibEntry], list[str | None], list[BadEntry]]:
    """Return the name of the source, its references with their claims, and unreadable entries."""
    if args.entries:
        work = partial(list[BibEntry], starmap(_bib_entry, enumerate(args.entries, 1)))
        entries = parse_limited(work, "entries:", error=BadInputError)
        return "entries", entries, [entry.claim for entry in args.entries], []
    if args.bibliography:
        task = ParseTask(read_bibliography_file, subject="bibliography:", error=BadInputError)
        content = args.bibliography.encode("utf-8", "replace")
        file = await call.services.parsers.run(task, content, form=args.format)
        return f"bibliography:{file.format}", file.entries, [None] * len(file.entries), file.bad
    state = await call.services.sessions.get(call.caller, args.sessionId or "")
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
        for i, source in enumerate(state.sources, 1)
    ]
    return "session", sources, [None] * len(sources), []


def _bib_entry(number: int, entry: AuditEntry) -> BibEntry:
    return BibEntry(
        line=number,
        title=entry.title,
        authors=split_authors(entry.author),
        date=entry.date,
        venue=entry.site if entry.doi else "",  # a page has a site, not a venue
        doi=entry.doi,
        url=entry.url.strip(),
    )


def _entry(index: int, audit: ReferenceAudit, claim: str | None) -> AuditedEntry:
    entry, existence, link = audit.entry, audit.existence, audit.link
    return AuditedEntry(
        index=index,
        title=entry.title,
        doi=entry.doi,
        url=entry.url,
        exists=existence.exists,
        retractionStatus=existence.retraction,
        linkLive=None if link is None or link.outcome == "unchecked" else not link.lost,
        httpStatus=link.status if link else None,
        archivedUrl=link.snapshot.url if link and link.snapshot else None,
        mismatches=list(existence.mismatches),
        differences=list(existence.differences),
        flags=list(audit.flags),
        reason=audit.reason,
        claim=claim,
        **claim_fields(audit.claim),
    )
