"""The `academic_search` tool: scholarly papers with their metadata."""

import time
from typing import Annotated, Any, Literal, Self

from pydantic import Field, WithJsonSchema, model_validator

from webquarry.calls.paging import Budgeted, Paged
from webquarry.calls.search_meta import search_meta
from webquarry.calls.tool import CacheRule, Call, ToolOptions, tool
from webquarry.calls.tool_schema import names_schema
from webquarry.models.model import Filled
from webquarry.models.periods import check_years
from webquarry.models.search_args import QueryText, clamped
from webquarry.models.works import Paper, ProviderFailure, WorkQuery
from webquarry.models.zero_results import TRUST, ZeroResultHints, zero_result_hints
from webquarry.services.scholarship.papers import PAPER_FIELDS, notes_for, paper_of
from webquarry.services.scholarship.web_works import WEB
from webquarry.services.scholarship.work_filters import requested_filters
from webquarry.services.scholarship.work_search import WorkSearch, WorkSearchResult

_MAX_RESULTS, _DEFAULT_RESULTS = 10, 5
_FIRST_YEAR, _LAST_YEAR = 1900, 2030
_Year = Annotated[int, Field(ge=_FIRST_YEAR, le=_LAST_YEAR), WithJsonSchema({"type": "integer"})]


class AcademicSearchIn(Budgeted):
    """Arguments of `academic_search`."""

    query: QueryText = Field(description="Topic, title or author.")
    num_results: int = Field(default=_DEFAULT_RESULTS, description="1-10.")
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
    sessionId: str | None = Field(default=None, description="Session id.")
    fuse: bool = Field(default=False, description="Ask all providers, merge.")

    @model_validator(mode="after")
    def _check(self) -> Self:
        check_years(self.year_from, self.year_to)
        return self


class AcademicSearchOut(Paged):
    """Result of `academic_search`."""

    papers: list[Paper]
    query: str
    totalResults: int
    resultCount: int
    source: str
    hints: ZeroResultHints | None = None
    failures: Filled[list[ProviderFailure]] = None
    unhonoured: Filled[list[str]] = None
    notes: Filled[list[str]] = None
    trust: str


def _is_cacheable(body: dict[str, Any]) -> bool:
    """Cache results only if no provider failed: it may have better ones."""
    return bool(body["papers"]) and not body.get("failures")


# names only: these fields explain themselves
_OTHER_FIELDS = ("totalResults", "source", "hints", "failures", "notes", "unhonoured", "nextCursor")
_SCHEMA = names_schema(*_OTHER_FIELDS, papers=PAPER_FIELDS) | {"required": ["papers"]}


@tool(
    "scholar",
    ToolOptions(
        title="Scholarly papers",
        output_schema=_SCHEMA,
        cache=CacheRule(3600, cacheable=_is_cacheable),
        cuttable=("papers",),
        after_call=search_meta(max_results=_MAX_RESULTS),
    ),
)
async def academic_search(args: AcademicSearchIn, call: Call) -> AcademicSearchOut:
    """Find scholarly papers with DOI, abstract, citations, PDF and retraction status."""
    search = call.services.works
    query = WorkQuery(
        text=args.query,
        count=clamped(args.num_results, _MAX_RESULTS, _DEFAULT_RESULTS),
        year_from=args.year_from,
        year_to=args.year_to,
        source=None if args.source == "all" else args.source,
        open_access=args.open_access,
        pdf_only=args.pdf_only,
        newest=args.sort_by == "date",
    )
    result = await search.find(query, only=args.provider, fuse=args.fuse)
    _report_search(call, result)
    papers = [paper_of(work) for work in result.works]
    return AcademicSearchOut(
        papers=papers,
        query=args.query,
        # no total is true that counts papers although none is shown
        totalResults=max(result.total or 0, len(papers)) if papers else 0,
        resultCount=len(papers),
        source=result.source,
        hints=None if papers else _hints(query, result, search),
        failures=result.failures,
        unhonoured=result.unhonoured,
        notes=notes_for(result.failures, result.unchecked, dict(result.unknown)),
        trust=TRUST,
    )


def _report_search(call: Call, result: WorkSearchResult) -> None:
    if result.applied_locally:
        call.meta["appliedAfterwards"] = result.applied_locally
    if result.trace and result.trace.attempted and result.provider:
        spent = time.perf_counter() - call.started
        call.meta["routing"] = result.trace.as_meta(result.provider, spent)


def _hints(query: WorkQuery, result: WorkSearchResult, search: WorkSearch) -> ZeroResultHints:
    # a filter without effect cannot be the reason
    applied = [name for name in requested_filters(query) if name not in result.unhonoured]
    attempted = result.trace.attempted if result.trace else ()
    tried = {*result.source.split("+"), *(each.provider for each in result.failures), *attempted}
    others = [] if result.source == WEB else [name for name in search.names if name not in tried]
    hints = zero_result_hints(applied, others)
    if result.failures and not applied:
        return hints.model_copy(update={"reason": "coverage_miss"})
    return hints
