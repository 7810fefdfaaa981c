"""The `web_search` tool: ranked links with snippets."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from webquarry.calls.field_types import SiteText
from webquarry.calls.paging import Budgeted, Paged
from webquarry.calls.search_meta import asked_for, report_search, search_meta
from webquarry.calls.tool import CacheRule, Call, ToolOptions, tool
from webquarry.calls.tool_schema import Json, names_schema
from webquarry.content.ranking.known_sites import known_site
from webquarry.content.ranking.result_urls import scheme_and_host
from webquarry.models.model import Model
from webquarry.models.page import Reputation
from webquarry.models.search import DEFAULT_SAFE, Safe, WebQuery, WebResult
from webquarry.models.search_args import Country, Language, QueryText, ShortText
from webquarry.models.search_out import Hints, UnhonouredFilters, rows_schema
from webquarry.models.zero_results import TRUST, zero_result_hints
from webquarry.services.provider_queries import RoutingTrace
from webquarry.services.searching.search_sources import ProviderResults

_MAX_RESULTS, _DEFAULT_RESULTS = 10, 5
_FILTERS = ("site", "lens", "time_range", "country", "language", "exact_terms", "exclude_terms")


class WebSearchIn(Budgeted):
    """Arguments of `web_search`."""

    query: QueryText = Field(description="What to look for.")
    num_results: int = Field(default=_DEFAULT_RESULTS, description="1-10.")
    time_range: Literal["day", "week", "month", "year"] | None = Field(
        default=None, description="How recent."
    )
    safe: Safe | None = Field(default=None, description="SafeSearch; default medium.")
    language: Language | None = Field(default=None, description="ISO 639-1.")
    site: SiteText | None = Field(default=None, description="Only this domain.")
    exact_terms: ShortText | None = Field(default=None, description="Exact phrase.")
    exclude_terms: ShortText | None = Field(default=None, description="Unwanted words.")
    country: Country | None = Field(default=None, description="ISO 3166-1.")
    lens: str | None = Field(
        default=None, description="Set of sites from lenses://catalog; overrides site."
    )
    provider: str | None = Field(default=None, description="Use only this one.")
    sessionId: str | None = Field(default=None, description="Session id.")
    claim: ShortText | None = Field(
        default=None, description="Get the closest sentence per result."
    )
    fuse: bool = Field(default=False, description="Ask all providers, merge.")


class SearchResult(Model):
    """One link."""

    title: str
    url: str
    snippet: str
    displayLink: str
    publishedAt: str | None = None
    sourceReputation: Reputation | None = None
    claimSignal: str | None = None
    providers: list[str] | None = None  # that returned it, if several were queried
    alsoAt: list[str] | None = None  # URLs with the same text


Results = Annotated[
    list[SearchResult],
    rows_schema(
        "title", "url", "snippet", "displayLink", "publishedAt?", "sourceReputation?",
        "claimSignal?", "providers?", "alsoAt?",
    ),
]  # fmt: skip


class WebSearchOut(Paged):
    """Result of `web_search`."""

    urls: list[str]
    query: str
    resultCount: int
    results: Results
    hints: Hints | None = None
    unhonoured: UnhonouredFilters | None = None
    requests: int | None = Field(default=None, description="Paid by a lens of many sites.")
    trust: str


@dataclass(frozen=True)
class _Search:
    """The providers that were queried, and the number of requests."""

    providers: Sequence[str]
    requests: int


def _is_shareable(body: dict[str, Any]) -> bool:
    """Whether every caller would get this result; an empty one may be a temporary failure."""
    results: list[dict[str, Any]] = body["results"]
    return bool(results) and not any("local" in r.get("providers", ()) for r in results)


@tool(
    "web",
    ToolOptions(
        cache=CacheRule(seconds=1800, cacheable=_is_shareable),
        cuttable=("results", "urls"),
        output_schema=names_schema(*WebSearchOut.model_fields),
        after_call=search_meta(max_results=_MAX_RESULTS, routed="web"),
    ),
)
async def web_search(args: WebSearchIn, call: Call) -> WebSearchOut:
    """Find web pages: links with snippets. Read one with scrape_page."""
    searching = call.services.searching
    query, only = _query(args, call), args.provider
    if args.lens:
        query, only = searching.narrowed_by_lens(searching.lenses.named(args.lens), query, only)
    if args.fuse:
        return await _fused(args, query, only, call)
    trace = RoutingTrace()
    found = await searching.web.search(query, only=only, trace=trace)
    report_search(call, found, trace if searching.web.is_routed and not only else None)
    rows = _rows(found.items, args)
    if found.provider == "local":
        rows = [row | {"providers": ["local"]} for row in rows]
    search = _Search(trace.attempted, found.requests)
    return _out(args, call, rows, found.unhonoured, search)


async def _fused(args: WebSearchIn, query: WebQuery, only: str | None, call: Call) -> WebSearchOut:
    fused = await call.services.searching.fused(query, only)
    call.meta["fusion"] = {
        "answered": {found.provider: len(found.items) for found in fused.responses},
        "failed": {name: error.advice.kind for name, error in fused.failures},
    }
    rows = [
        row | {"providers": item.providers, "alsoAt": item.near_duplicates or None}
        for row, item in zip(_rows([i.result for i in fused.items], args), fused.items, strict=True)
    ]
    search = _Search(
        [found.provider for found in fused.responses],
        sum(found.requests for found in fused.responses),
    )
    return _out(args, call, rows, _unhonoured(fused.responses), search)


def _unhonoured(responses: list[ProviderResults[WebResult]]) -> list[str]:
    """Return the filters that were not applied, with the providers unless it was all of them."""
    by_filter: dict[str, list[str]] = {}
    for found in responses:
        for name in found.unhonoured:
            by_filter.setdefault(name, []).append(found.provider)
    return [
        name if len(providers) == len(responses) else f"{name} ({', '.join(providers)})"
        for name, providers in by_filter.items()
    ]


def _query(args: WebSearchIn, call: Call) -> WebQuery:
    count = args.num_results if args.num_results > 0 else _DEFAULT_RESULTS
    return WebQuery(
        text=args.query,
        count=min(count, _MAX_RESULTS),
        safe=args.safe or DEFAULT_SAFE,
        language=args.language,
        country=args.country,
        time_range=args.time_range,
        sites=(args.site,) if args.site and not args.lens else (),
        exact_terms=args.exact_terms or None,
        exclude_terms=args.exclude_terms or None,
        asker=call.caller,
    )


def _rows(items: Sequence[WebResult], args: WebSearchIn) -> list[Json]:
    """Return the fields of each `SearchResult`; one validation of all costs half."""
    rows: list[Json] = []
    for item in items:
        _, host = scheme_and_host(item.url)
        row: Json = {
            "title": item.title,
            "url": item.url,
            "snippet": item.snippet,
            "displayLink": host,
            "publishedAt": item.published,
        }
        if site := known_site(host):
            row["sourceReputation"] = site.reputation()
        if args.claim:
            row["claimSignal"] = _claim_signal(args.claim, item)
        rows.append(row)
    return rows


def _claim_signal(claim: str, item: WebResult) -> str | None:
    # imported here because few searches have a claim, and its patterns take time to build
    from webquarry.content.claims.claim_sentences import Claim

    return Claim(claim).best_sentence(item.snippet or item.title)


def _out(
    args: WebSearchIn, call: Call, rows: list[Json], not_applied: Iterable[str], search: _Search
) -> WebSearchOut:
    site_argument = "lens" if args.lens else "site"
    unhonoured = [site_argument if name == "sites" else name for name in not_applied]
    unhonoured = asked_for(unhonoured, args)
    if args.lens and args.site:
        unhonoured.append("site")
    return WebSearchOut.model_validate(
        {
            "urls": [row["url"] for row in rows],
            "query": args.query,
            "resultCount": len(rows),
            "results": rows,
            "hints": None if rows else _hints(args, call, unhonoured, search),
            "unhonoured": unhonoured or None,
            "requests": search.requests if args.lens and search.requests > 1 else None,
            "trust": TRUST,
        }
    )


def _hints(args: WebSearchIn, call: Call, unhonoured: list[str], search: _Search) -> Hints:
    # a filter that was not applied cannot explain the empty result
    applied = [name for name in _FILTERS if getattr(args, name) and name not in unhonoured]
    others = call.services.searching.web.alternatives(*search.providers)
    return zero_result_hints(applied, list(others))
