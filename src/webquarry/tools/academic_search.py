"""The `academic_search` tool: scholarly papers with their metadata."""

import time
from typing import Annotated, Any, Literal, Self

from pydantic import Field, WithJsonSchema, model_validator

from webquarry.calls.paging import Budgeted, Paged
from webquarry.calls.search_meta import finish
from webquarry.calls.tool import CacheRule, Call, Options, tool
from webquarry.models.search_args import QueryText, clamped
from webquarry.models.works import Paper, ProviderFailure, WorkQuery
from webquarry.models.zero_results import TRUST, ZeroResultHints, zero_result_hints
from webquarry.services.scholarship.papers import PAPER_FIELDS, notes_of, paper_of
from webquarry.services.scholarship.web_works import WEB
from webquarry.services.scholarship.work_filters import wishes
from webquarry.services.scholarship.work_search import WorkSearch, WorkSearchResult

_MOST, _USUAL = 10, 5
_FIRST_YEAR, _LAST_YEAR = 1900, 2030
_Year = Annotated[int, WithJsonSchema({"type": "integer"})]


class AcademicSearchIn(Budgeted):
    """Arguments of `academic_search`."""

    query: QueryText = Field(description="Topic, title or author.")
    num_results: int = Field(default=_USUAL, description="1-10.")
    year_from: _Year | None = Field(default=None, description="Published since.")
    year_to: _Year | None = Field(default=None, description="Published until.")
    source: Literal["all", "arxiv", "pubmed", "ieee", "nature", "springer"] = Field(
        default="all", description="Where published."
    )
    pdf_only: bool = Field(default=False, description="Only with a PDF link.")
    sort_by: Literal["relevance", "date"] = Field(default="relevance", description="Order.")
    open_access: bool = Field(default=False, description="Only free to read.")
    provider: str | None = Field(
        default=None,
        description="Only this: openalex, crossref, pubmed, europepmc, semanticscholar, arxiv, "
        "core, exa, or a web search.",
    )
    sessionId: str | None = Field(default=None, description="Research session.")
    fuse: bool = Field(default=False, description="Ask all providers, merge.")

    @model_validator(mode="after")
    def _check(self) -> Self:
        for name in ("year_from", "year_to"):
            year = getattr(self, name)
            if year is not None and not _FIRST_YEAR <= year <= _LAST_YEAR:
                raise ValueError(f"{name} must be from {_FIRST_YEAR} to {_LAST_YEAR}, got {year}")
        if self.year_from and self.year_to and self.year_from > self.year_to:
            raise ValueError(f"year_from {self.year_from} is after year_to {self.year_to}")
        return self


class AcademicSearchOut(Paged):
    """Result of `academic_search`."""

    papers: list[Paper]
    query: str
    totalResults: int
    resultCount: int
    source: str
    hints: ZeroResultHints | None = None
    failures: list[ProviderFailure] | None = None
    unhonoured: list[str] | None = None
    notes: list[str] | None = None
    trust: str


async def _afterwards(args: AcademicSearchIn, out: AcademicSearchOut, call: Call) -> None:
    finish(args, out, call, most=_MOST, router=None)


def _worth_keeping(body: dict[str, Any]) -> bool:
    """Keep what was found, unless somebody who could not be asked may find better."""
    return bool(body["papers"]) and not body.get("failures")


_OTHERS = ("totalResults", "source", "hints", "failures", "notes", "unhonoured", "nextCursor")
# what explains itself when it comes is named, and no more
_SCHEMA = {
    "type": "object",
    "properties": {
        "papers": {"type": "array", "description": PAPER_FIELDS},
        **{name: {} for name in _OTHERS},
    },
    "required": ["papers"],
}


@tool(
    "scholar",
    Options(
        title="Scholarly papers",
        output_schema=_SCHEMA,
        cache=CacheRule(3600, ignore=("sessionId",), keep=_worth_keeping),
        cuts=("papers",),
        afterwards=_afterwards,
    ),
)
async def academic_search(args: AcademicSearchIn, call: Call) -> AcademicSearchOut:
    """Find scholarly papers with DOI, abstract, citations, PDF and retraction status."""
    search = WorkSearch(call.services.choices, call.services.searching)
    query = WorkQuery(
        text=args.query,
        count=clamped(args.num_results, _MOST, _USUAL),
        year_from=args.year_from,
        year_to=args.year_to,
        source=None if args.source == "all" else args.source,
        open_access=args.open_access,
        pdf_only=args.pdf_only,
        newest=args.sort_by == "date",
    )
    found = await search.find(query, only=args.provider, fuse=args.fuse)
    _note(call, found)
    papers = [paper_of(work) for work in found.works]
    return AcademicSearchOut(
        papers=papers,
        query=args.query,
        totalResults=len(papers) if found.total is None else max(found.total, len(papers)),
        resultCount=len(papers),
        source=found.source,
        hints=None if papers else _hints(query, found, search),
        failures=found.failures or None,
        unhonoured=found.unhonoured or None,
        notes=notes_of(found.failures, found.unchecked, dict(found.unknown)) or None,
        trust=TRUST,
    )


def _note(call: Call, found: WorkSearchResult) -> None:
    if found.afterwards:
        call.meta["appliedAfterwards"] = found.afterwards
    if found.trace and found.trace.attempted and found.answered:
        spent = time.perf_counter() - call.started
        call.meta["routing"] = found.trace.wire(found.answered, spent)


def _hints(query: WorkQuery, found: WorkSearchResult, search: WorkSearch) -> ZeroResultHints:
    # a filter that had no effect is not to blame
    applied = [name for name in wishes(query) if name not in found.unhonoured]
    asked = {*found.source.split("+"), *(each.provider for each in found.failures)}
    others = [] if found.source == WEB else [name for name in search.names if name not in asked]
    hints = zero_result_hints(applied, others)
    if found.failures and not applied:
        return hints.model_copy(update={"reason": "coverage_miss"})
    return hints
