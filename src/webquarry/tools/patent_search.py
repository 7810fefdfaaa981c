"""The `patent_search` tool: patents of the world's offices."""

import time
from typing import Annotated, Literal, Self
from urllib.parse import urlencode

from pydantic import Field, WithJsonSchema, model_validator

from webquarry.calls.tool import CacheRule, Call, ToolOptions, tool
from webquarry.calls.tool_schema import names_schema
from webquarry.content.citations.patent_numbers import is_full_number, patent_number
from webquarry.content.text.company_names import short_name
from webquarry.models.model import ArgumentsError, Model
from webquarry.models.patents import AssigneeCluster, Patent, PatentQuery, SearchType
from webquarry.models.periods import check_years
from webquarry.models.records import RecordsIn
from webquarry.models.search_args import QueryText, ShortText, clamped
from webquarry.models.search_out import Hints, rows_schema
from webquarry.models.zero_results import TRUST, zero_result_hints
from webquarry.services.patents.patent_filters import assignee_clusters
from webquarry.services.patents.patent_search_service import PatentSearchResult

_MAX_RESULTS, _DEFAULT_RESULTS = 10, 5
_LANDSCAPE_RESULTS = 25  # patents from which the owners are counted
# the first patent statutes are older, but no office has earlier records
_Year = Annotated[int, Field(ge=1790, le=2100), WithJsonSchema({"type": "integer"})]
_FILTERS = ("patent_office", "assignee", "inventor", "cpc_code", "year_from", "year_to")


class PatentSearchIn(RecordsIn):
    """Arguments of `patent_search`."""

    query: QueryText | None = Field(default=None, description="Terms or a patent number.")
    num_results: int = Field(default=_DEFAULT_RESULTS, description="1-10.")
    search_type: SearchType = Field(
        default="prior_art", description="specific: one number; landscape: who owns what."
    )
    patent_office: Literal["all", "US", "EP", "WO", "JP", "CN", "KR"] = Field(
        default="all", description="Where published."
    )
    assignee: ShortText | None = Field(default=None, description="Company.")
    inventor: ShortText | None = Field(default=None, description="Person.")
    cpc_code: ShortText | None = Field(default=None, description="CPC class, e.g. G06F.")
    year_from: _Year | None = Field(default=None, description="Filed since.")
    year_to: _Year | None = Field(default=None, description="Filed until.")
    provider: str | None = Field(
        default=None,
        description="Only this: searchapi, epo, lens, uspto, patentsview, or a web search.",
    )
    sessionId: str | None = Field(default=None, description="Session id.")

    @model_validator(mode="after")
    def _check(self) -> Self:
        if not (self.query or self.assignee or self.inventor):
            raise ArgumentsError(
                "give query, assignee or inventor", "query", "assignee", "inventor"
            )
        check_years(self.year_from, self.year_to)
        return self


class PatentSearchOut(Model):
    """Result of `patent_search`."""

    patents: Annotated[
        tuple[Patent, ...],
        rows_schema(
            "title", "number", "url", "abstract?", "assignee?", "inventor?", "filed?", "granted?",
            "pdf?", "status?",
        ),
    ]  # fmt: skip
    assigneeClusters: (
        Annotated[tuple[AssigneeCluster, ...], WithJsonSchema({"type": "array"})] | None
    ) = None
    query: str | None = None
    searchType: str
    resultCount: int
    source: str
    searchUrl: str
    hints: Hints | None = None
    note: str | None = None
    trust: str = TRUST


@tool(
    "scholar",
    ToolOptions(
        title="Patents",
        output_schema=names_schema("patents", "assigneeClusters", "source", "hints", "note"),
        cache=CacheRule(86_400, cacheable=lambda body: bool(body["patents"])),
    ),
)
async def patent_search(args: PatentSearchIn, call: Call) -> PatentSearchOut:
    """Find patents by terms, owner, inventor, class or filing year; or one by its number."""
    search = call.services.patents
    query = _query(args)
    answer = await search.find(query, args.provider)
    if search.is_routed and not args.provider:
        call.meta["routing"] = answer.trace.as_meta(
            answer.source, time.perf_counter() - call.started
        )
    shown = answer.patents[: clamped(args.num_results, _MAX_RESULTS, _DEFAULT_RESULTS)]
    hints = None
    if not answer.patents:
        filters = [name for name in _FILTERS if getattr(args, name) not in (None, "all")]
        tried = {*answer.trace.attempted, *answer.queried_on_web}
        others = [name for name in search.names if name not in tried]
        hints = zero_result_hints(filters, others)
    return PatentSearchOut(
        patents=tuple(shown),
        assigneeClusters=assignee_clusters(answer.patents)
        if args.search_type == "landscape"
        else None,
        query=args.query,
        searchType=args.search_type,
        resultCount=len(shown),
        source=answer.source,
        searchUrl=_search_url(query),
        hints=hints,
        note=_note(answer),
    )


def _query(args: PatentSearchIn) -> PatentQuery:
    number = _number(args)
    count = clamped(args.num_results, _MAX_RESULTS, _DEFAULT_RESULTS)
    return PatentQuery(
        text=None if number else args.query,
        number=number,
        office=None if args.patent_office == "all" else args.patent_office,
        assignee=short_name(args.assignee) if args.assignee else None,
        inventor=args.inventor,
        cpc=args.cpc_code,
        filed_from=args.year_from,
        filed_to=args.year_to,
        count=_LANDSCAPE_RESULTS if args.search_type == "landscape" else count,
    )


def _number(args: PatentSearchIn) -> str | None:
    """Return the number that the query is; other kinds of search take only what is surely one."""
    if not args.query:
        return None
    number = patent_number(args.query)
    is_sure = number is not None and is_full_number(number)
    return number if args.search_type == "specific" or is_sure else None


def _note(answer: PatentSearchResult) -> str | None:
    """Return a note on results that were left out and providers that failed."""
    failed = [f"{name} failed ({error.advice.kind})" for name, error in answer.trace.failures]
    if failed and answer.patents:
        failed = []  # another provider has results; `_meta.routing` names the failure
    return " ".join((*answer.notes, *(f"{each}." for each in failed))) or None


def _search_url(query: PatentQuery) -> str:
    """Return the URL of the same search at Google Patents."""
    if query.number:
        return f"https://patents.google.com/patent/{query.number}/en"
    words = " ".join(
        word for word in (query.text, f"CPC={query.cpc}/low" if query.cpc else "") if word
    )
    parameters = {
        "q": words,
        "assignee": query.assignee,
        "inventor": query.inventor,
        "country": query.office,
        "after": f"filing:{query.filed_from}0101" if query.filed_from else None,
        "before": f"filing:{query.filed_to}1231" if query.filed_to else None,
    }
    return f"https://patents.google.com/?{urlencode({k: v for k, v in parameters.items() if v})}"
