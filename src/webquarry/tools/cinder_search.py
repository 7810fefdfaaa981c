"""The `cinder_search` tool: ranked results in pages."""

from typing import Annotated

from pydantic import AfterValidator, Field

from webquarry.calls.field_types import validate_site
from webquarry.calls.tool import Call, ToolOptions, tool
from webquarry.models.cinder import CinderResult, Query, SearchMode
from webquarry.models.model import Filled, Model
from webquarry.models.short_schemas import ShortSchema, field_names_schema
from webquarry.models.zero_results import ZeroResultHints, zero_result_hints
from webquarry.services.cinder.cinder_pages import milliseconds_since
from webquarry.services.cinder.ranked_search import RankedPage
from webquarry.services.cinder.search_query import CinderQuery

_MOST_TERMS = 50


def _phrase(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be empty")
    return text


_TEXTS = ShortSchema(type="array", items={"type": "string"})
Domains = Annotated[
    tuple[Annotated[str, Field(min_length=1, max_length=253), AfterValidator(validate_site)], ...]
    | None,
    Field(max_length=_MOST_TERMS),
    _TEXTS,
]
Phrases = Annotated[
    tuple[Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_phrase)], ...] | None,
    Field(max_length=_MOST_TERMS),
    _TEXTS,
]
Days = Annotated[float, Field(gt=0, le=36_500, allow_inf_nan=False), ShortSchema(type="number")]


class CinderSearchIn(Model):
    """Arguments of `cinder_search`."""

    query: Query = Field(description="Be specific.")
    mode: SearchMode = Field(default="balanced", description="Asks 1, 3 or all providers.")
    numResults: int = Field(default=10, ge=1, le=100, description="Per page.")
    offset: int = Field(default=0, ge=0, description="Results to skip.")
    includeDomains: Domains = Field(default=None, description="Only these.")
    excludeDomains: Domains = Field(default=None, description="None of these.")
    requiredText: Phrases = Field(default=None, description="All of these phrases.")
    maxAge: Days | None = Field(default=None, description="Days.")


class CinderSearchOut(Model):
    """Result of `cinder_search`."""

    query: str
    results: tuple[CinderResult, ...]
    hasMore: bool
    nextOffset: int | None = None
    searchTime: int = Field(description="ms")
    hints: ZeroResultHints | None = None
    unhonoured: Filled[tuple[str, ...]] = None


_SCHEMA = field_names_schema(
    CinderSearchOut,
    results="id title url domain summary relevance(0-1) publishedDate?",
    searchTime="ms",
)


@tool("cinder", ToolOptions(output_schema=_SCHEMA))
async def cinder_search(args: CinderSearchIn, call: Call) -> CinderSearchOut:
    """Find pages, up to 100 per query. Read them with cinder_scrape."""
    question = CinderQuery(
        text=args.query,
        mode=args.mode,
        include=args.includeDomains or (),
        exclude=args.excludeDomains or (),
        required=args.requiredText or (),
        max_age=args.maxAge,
    )
    page = await call.services.ranked_search.page(
        question, call.caller, args.offset, args.numResults
    )
    note_page(page, call)
    return CinderSearchOut(
        query=args.query,
        results=page.items,
        hasMore=page.more,
        nextOffset=args.offset + len(page.items) if page.more else None,
        searchTime=milliseconds_since(call.started),
        hints=None if page.ranked.items else _hints(args, page),
        unhonoured=page.ranked.unhonoured,
    )


def note_page(page: RankedPage, call: Call) -> None:
    """Report the providers, those that failed, and whether the list was cached."""
    call.meta["providers"] = list(page.ranked.providers)
    if page.ranked.failed:
        call.meta["failed"] = dict(page.ranked.failed)
    if not page.fresh:
        call.meta["cached"] = True


def _hints(args: CinderSearchIn, page: RankedPage) -> ZeroResultHints:
    filters = ("includeDomains", "excludeDomains", "requiredText", "maxAge")
    applied = [n for n in filters if getattr(args, n) and n not in page.ranked.unhonoured]
    return zero_result_hints(applied, [])
