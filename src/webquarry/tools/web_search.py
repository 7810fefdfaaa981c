"""The `web_search` tool: ranked links with snippets."""

from typing import Annotated, Any, Literal

from pydantic import Field

from webquarry.calls.paging import Budgeted, Paged
from webquarry.calls.search_meta import finish, named, note_found, note_routing
from webquarry.calls.tool import CacheRule, Call, Options, tool
from webquarry.calls.tool_schema import Json, names_schema
from webquarry.content.ranking.known_sites import site_of as known_site
from webquarry.content.ranking.result_urls import host_of, site_of
from webquarry.models.model import Model
from webquarry.models.page import Reputation
from webquarry.models.search import Safe, WebQuery, WebResult
from webquarry.models.search_args import Country, Language, QueryText, Short, clamped
from webquarry.models.search_out import Hints, Missed, rows
from webquarry.models.zero_results import TRUST, zero_result_hints
from webquarry.services.searching.merge_results import Fused
from webquarry.services.searching.search_sources import ProviderResults
from webquarry.services.searching.service import RoutingTrace

_MOST, _USUAL = 10, 5
_FILTERS = ("site", "lens", "time_range", "country", "language", "exact_terms", "exclude_terms")


class WebSearchIn(Budgeted):
    """Arguments of `web_search`."""

    query: QueryText = Field(description="What to look for.")
    num_results: int = Field(default=_USUAL, description="1-10.")
    time_range: Literal["day", "week", "month", "year"] | None = Field(
        default=None, description="How recent."
    )
    safe: Safe = Field(default="medium", description="SafeSearch.")
    language: Language | None = Field(default=None, description="ISO 639-1.")
    site: Short | None = Field(default=None, description="Only this domain.")
    exact_terms: Short | None = Field(default=None, description="Exact phrase.")
    exclude_terms: Short | None = Field(default=None, description="Unwanted words.")
    country: Country | None = Field(default=None, description="ISO 3166-1.")
    lens: str | None = Field(
        default=None, description="Set of sites from lenses://catalog; overrides site."
    )
    provider: str | None = Field(default=None, description="Use only this one.")
    sessionId: str | None = Field(default=None, description="Research session.")
    claim: Short | None = Field(default=None, description="Get the closest sentence per result.")
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
    providers: list[str] | None = None  # who returned it, where several were asked
    alsoAt: list[str] | None = None  # where else the same text is


Results = Annotated[
    list[SearchResult],
    rows(
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
    unhonoured: Missed | None = None
    trust: str


async def _afterwards(args: WebSearchIn, out: WebSearchOut, call: Call) -> None:
    finish(args, out, call, most=_MOST, router=call.services.searching.web)


def _shareable(body: dict[str, Any]) -> bool:
    """Keep what everyone would get: not one's own pages, nor nothing, which may be a bad moment."""
    results: list[dict[str, Any]] = body["results"]
    return bool(results) and not any("local" in r.get("providers", ()) for r in results)


@tool(
    "web",
    Options(
        cache=CacheRule(seconds=1800, ignore=("sessionId",), keep=_shareable),
        cuts=("results", "urls"),
        output_schema=names_schema(*WebSearchOut.model_fields),
        afterwards=_afterwards,
    ),
)
async def web_search(args: WebSearchIn, call: Call) -> WebSearchOut:
    """Find web pages: links with snippets. Read one with scrape_page."""
    searching = call.services.searching
    query, only = _query(args, call), args.provider
    if args.lens:
        query, only = searching.through(searching.lenses.named(args.lens), query, only)
    if args.fuse:
        return await _fused(args, query, only, call)
    trace = RoutingTrace()
    found = await searching.web.answer(query, only=only, trace=trace)
    note_found(call, found)
    if not only:
        note_routing(call, searching.web, trace, found.provider)
    own = [found.provider] if found.provider == "local" else None
    results = [_row(item, args, providers=own) for item in found.items]
    return _out(args, call, results, found.unhonoured, used=found.provider)


async def _fused(args: WebSearchIn, query: WebQuery, only: str | None, call: Call) -> WebSearchOut:
    answer = await call.services.searching.fused(query, only)
    call.meta["fusion"] = {
        "answered": {found.provider: len(found.items) for found in answer.answers},
        "failed": {name: error.advice.kind for name, error in answer.failures},
    }
    results = [_fused_row(item, args) for item in answer.items]
    return _out(args, call, results, _missed(answer.answers), used="")


def _missed(answers: list[ProviderResults[WebResult]]) -> list[str]:
    """Return what somebody did not honour, and who."""
    who: dict[str, list[str]] = {}
    for found in answers:
        for name in found.unhonoured:
            who.setdefault(name, []).append(found.provider)
    everyone = len(answers)
    return [n if len(by) == everyone else f"{n} ({', '.join(by)})" for n, by in who.items()]


def _query(args: WebSearchIn, call: Call) -> WebQuery:
    return WebQuery(
        text=args.query,
        count=clamped(args.num_results, _MOST, _USUAL),
        safe=args.safe,
        language=args.language,
        country=args.country,
        time_range=args.time_range,
        sites=(site_of(args.site),) if args.site and not args.lens else (),
        exact_terms=args.exact_terms or None,
        exclude_terms=args.exclude_terms or None,
        asker=call.caller,
    )


def _row(item: WebResult, args: WebSearchIn, providers: list[str] | None) -> Json:
    """Return what a `SearchResult` is made of; all of them are made at once, which costs half."""
    host = host_of(item.url)
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
        row["claimSignal"] = _signal(args.claim, item)
    if providers:
        row["providers"] = providers
    return row


def _signal(claim: str, item: WebResult) -> str | None:
    # imported here because few searches have a claim, and its patterns take time to build
    from webquarry.content.claims.claim_sentences import Claim

    return Claim(claim).signal(item.snippet or item.title)


def _fused_row(item: Fused, args: WebSearchIn) -> Json:
    return _row(item.result, args, item.providers) | {"alsoAt": item.twins or None}


def _out(
    args: WebSearchIn, call: Call, results: list[Json], missed: Any, *, used: str
) -> WebSearchOut:
    unhonoured = named(missed, {"sites": "lens" if args.lens else "site"}) or []
    if args.lens and args.site:
        unhonoured.append("site")
    return WebSearchOut.model_validate(
        {
            "urls": [result["url"] for result in results],
            "query": args.query,
            "resultCount": len(results),
            "results": results,
            "hints": None if results else _hints(args, call, unhonoured, used),
            "unhonoured": unhonoured or None,
            "trust": TRUST,
        }
    )


def _hints(args: WebSearchIn, call: Call, unhonoured: list[str], used: str) -> Hints:
    # a filter that had no effect is not to blame
    applied = [name for name in _FILTERS if getattr(args, name) and name not in unhonoured]
    others = call.services.searching.web.alternatives(used) if used else ()
    return zero_result_hints(applied, list(others))
