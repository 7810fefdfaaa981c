"""The `news_search` tool: recent articles."""

from typing import Literal

from pydantic import Field

from webquarry.calls.field_types import SiteText
from webquarry.calls.paging import Budgeted, Paged
from webquarry.calls.search_meta import report_search, search_meta
from webquarry.calls.tool import CacheRule, Call, ToolOptions, tool
from webquarry.calls.tool_schema import names_schema
from webquarry.models.model import Filled
from webquarry.models.search import NewsQuery, Safe, TimeRange
from webquarry.models.search_args import Country, Language, QueryText, clamped
from webquarry.models.search_out import Articles, Hints, UnhonouredFilters
from webquarry.models.zero_results import TRUST, zero_result_hints
from webquarry.services.provider_queries import RoutingTrace

_MAX_RESULTS, _DEFAULT_RESULTS = 50, 5
_FILTERS = ("time_range", "news_source", "country", "language")
_SAFE: dict[str, Safe] = {"off": "off", "moderate": "medium", "strict": "high"}


class NewsSearchIn(Budgeted):
    """Arguments of `news_search`."""

    query: QueryText = Field(description="What to look for.")
    num_results: int = Field(default=_DEFAULT_RESULTS, description="1-50.")
    time_range: TimeRange = Field(default="week", description="How recent.")
    sort_by: Literal["relevance", "date"] = Field(default="relevance", description="Order.")
    news_source: SiteText | None = Field(default=None, description="Only this domain.")
    country: Country | None = Field(default=None, description="ISO 3166-1.")
    language: Language | None = Field(default=None, description="ISO 639-1.")
    safe: Literal["off", "moderate", "strict"] | None = Field(
        default=None, description="SafeSearch."
    )
    provider: str | None = Field(default=None, description="Use only this one.")
    sessionId: str | None = Field(default=None, description="Session id.")


class NewsSearchOut(Paged):
    """Result of `news_search`."""

    articles: Articles
    query: str
    resultCount: int
    hints: Hints | None = None
    unhonoured: Filled[UnhonouredFilters] = None
    trust: str


@tool(
    "web",
    ToolOptions(
        cache=CacheRule(seconds=900, cacheable=lambda body: bool(body["articles"])),
        cuttable=("articles",),
        output_schema=names_schema("articles", "hints", "unhonoured", "nextCursor"),
        after_call=search_meta(max_results=_MAX_RESULTS, routed="news"),
    ),
)
async def news_search(args: NewsSearchIn, call: Call) -> NewsSearchOut:
    """Find recent news articles with source and date."""
    searching = call.services.searching
    query = NewsQuery(
        text=args.query,
        count=clamped(args.num_results, _MAX_RESULTS, _DEFAULT_RESULTS),
        time_range=args.time_range,
        sort_by=args.sort_by,
        sites=(args.news_source,) if args.news_source else (),
        country=args.country,
        language=args.language,
        safe=_SAFE.get(args.safe or ""),
    )
    trace = RoutingTrace()
    found = await searching.news.search(query, only=args.provider, trace=trace)
    routed = searching.news.is_routed and not args.provider
    report_search(call, found, trace if routed else None)
    unhonoured = ["news_source" if name == "sites" else name for name in found.unhonoured]
    hints = None
    if not found.items:
        applied = [n for n in _FILTERS if getattr(args, n) and n not in unhonoured]
        hints = zero_result_hints(applied, list(searching.news.alternatives(*trace.attempted)))
    return NewsSearchOut(
        articles=found.items,
        query=args.query,
        resultCount=len(found.items),
        hints=hints,
        unhonoured=unhonoured,
        trust=TRUST,
    )
