"""The `cinder_search` tool: ranked results that can be leafed through."""

from typing import Annotated

from pydantic import AfterValidator, Field

from webquarry.calls.tool import Call, Options, tool
from webquarry.content.ranking.result_urls import site_of
from webquarry.models.brief import Brief, names_of
from webquarry.models.cinder import CinderResult, Query, SearchMode
from webquarry.models.model import Model
from webquarry.models.zero_results import ZeroResultHints, zero_result_hints
from webquarry.services.cinder.cinder_pages import milliseconds_since
from webquarry.services.cinder.ranked_search import RankedPage, RankedSearch
from webquarry.services.cinder.search_query import CinderQuery

_MOST_TERMS = 50


def _site(text: str) -> str:
    if not (site := site_of(text)) or any(mark.isspace() for mark in site):
        raise ValueError(f"must be a domain like github.com, got {text!r}")
    return site


def _phrase(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be empty")
    return text


_TEXTS = Brief(type="array", items={"type": "string"})
Domains = Annotated[
    tuple[Annotated[str, Field(min_length=1, max_length=253), AfterValidator(_site)], ...] | None,
    Field(max_length=_MOST_TERMS),
    _TEXTS,
]
Phrases = Annotated[
    tuple[Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_phrase)], ...] | None,
    Field(max_length=_MOST_TERMS),
    _TEXTS,
]
Days = Annotated[float, Field(gt=0, le=36_500, allow_inf_nan=False), Brief(type="number")]


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
    unhonoured: tuple[str, ...] | None = None


_SCHEMA = names_of(
    CinderSearchOut,
    results="id title url domain summary relevance(0-1) publishedDate?",
    searchTime="ms",
)


@tool("cinder", Options(output_schema=_SCHEMA))
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
    leaf = await ranked_search(call).leaf(question, call.caller, args.offset, args.numResults)
    note_leaf(leaf, call)
    return CinderSearchOut(
        query=args.query,
        results=leaf.items,
        hasMore=leaf.more,
        nextOffset=args.offset + len(leaf.items) if leaf.more else None,
        searchTime=milliseconds_since(call.started),
        hints=None if leaf.ranked.items else _hints(args, leaf),
        unhonoured=leaf.ranked.unhonoured or None,
    )


def ranked_search(call: Call) -> RankedSearch:
    """Return the search that remembers its lists."""
    return RankedSearch(call.services.searching, call.services.store)


def note_leaf(leaf: RankedPage, call: Call) -> None:
    """Say who answered, who did not, and whether anybody was asked this time."""
    call.meta["providers"] = list(leaf.ranked.providers)
    if leaf.ranked.failed:
        call.meta["failed"] = dict(leaf.ranked.failed)
    if not leaf.fresh:
        call.meta["cached"] = True


def _hints(args: CinderSearchIn, leaf: RankedPage) -> ZeroResultHints:
    filters = ("includeDomains", "excludeDomains", "requiredText", "maxAge")
    applied = [n for n in filters if getattr(args, n) and n not in leaf.ranked.unhonoured]
    return zero_result_hints(applied, [])
