"""The `citation_graph` tool: the works that cite a paper, and those it cites."""

from typing import Literal

from pydantic import Field

from webquarry.calls.paging import Budgeted, Paged
from webquarry.calls.tool import CacheRule, Call, ToolOptions, tool
from webquarry.calls.tool_schema import names_schema
from webquarry.models.model import Filled, Model
from webquarry.models.search_args import QueryText, clamped
from webquarry.models.works import CitationLinks, Direction, Paper, ProviderFailure
from webquarry.models.zero_results import TRUST
from webquarry.providers.capabilities_works import LinksWorks
from webquarry.services.scholarship.citation_graphs import Graph, GraphRequest
from webquarry.services.scholarship.mermaid import mermaid_diagram
from webquarry.services.scholarship.papers import notes_for, paper_of

_MAX_RESULTS, _DEFAULT_RESULTS = 25, 10


class CitationGraphIn(Budgeted):
    """Arguments of `citation_graph`."""

    paper: QueryText = Field(description="DOI, arXiv id, PMID:… or exact title.")
    direction: Direction = Field(default="both", description="Which side.")
    num_results: int = Field(default=_DEFAULT_RESULTS, description="1-25 per side.")
    influential_only: bool = Field(
        default=False, description="Only influential citations (semanticscholar)."
    )
    provider: str | None = Field(
        default=None, description="Only this: semanticscholar (with intents) or openalex."
    )
    format: Literal["json", "mermaid"] = Field(
        default="json", description="mermaid adds a diagram."
    )
    sessionId: str | None = Field(default=None, description="Session id.")


class Match(Model):
    """The paper that matches the seed."""

    title: str
    url: str
    doi: str | None = None
    authors: list[str] | None = None
    year: int | None = None
    citationCount: int | None = None
    exact: bool


class CitationGraphOut(Paged):
    """Result of `citation_graph`."""

    seed: str
    match: Match
    direction: str
    provider: str
    citedBy: list[Paper] | None = None
    citedByCount: int | None = None
    references: list[Paper] | None = None
    referencesCount: int | None = None
    diagram: str | None = None
    failures: Filled[list[ProviderFailure]] = None
    notes: Filled[list[str]] = None
    trust: str


async def _after_call(args: CitationGraphIn, _: CitationGraphOut, call: Call) -> None:
    if not 1 <= args.num_results <= _MAX_RESULTS:
        call.meta["requestedNumResults"] = args.num_results


_LISTED = "as papers of academic_search"
_OTHER_FIELDS = (
    "match", "provider", "citedByCount", "referencesCount", "diagram", "failures", "notes",
    "nextCursor",
)  # fmt: skip
_SCHEMA = names_schema(*_OTHER_FIELDS, citedBy=_LISTED, references=_LISTED) | {
    "required": ["match"]
}


@tool(
    "scholar",
    ToolOptions(
        title="Citation graph",
        output_schema=_SCHEMA,
        cache=CacheRule(86_400, cacheable=lambda body: not body.get("failures")),
        cuttable=("citedBy", "references"),
        available=lambda services: bool(services.providers.of(LinksWorks)),
        after_call=_after_call,
    ),
)
async def citation_graph(args: CitationGraphIn, call: Call) -> CitationGraphOut:
    """List the works that cite a paper and those it cites, one hop."""
    request = GraphRequest(
        paper=args.paper.strip(),
        direction=args.direction,
        count=clamped(args.num_results, _MAX_RESULTS, _DEFAULT_RESULTS),
        influential=args.influential_only,
    )
    graph = await call.services.citation_graphs.graph_of(request, args.provider)
    lean = args.format == "mermaid"  # the diagram shows the links
    return CitationGraphOut(
        seed=args.paper,
        match=_match(graph),
        direction=args.direction,
        provider=graph.provider,
        citedBy=_papers(graph.cited_by, lean=lean),
        citedByCount=_count(graph.cited_by),
        references=_papers(graph.references, lean=lean),
        referencesCount=_count(graph.references),
        diagram=mermaid_diagram(graph) if lean else None,
        failures=graph.failures,
        notes=_notes(args, graph),
        trust=TRUST,
    )


def _match(graph: Graph) -> Match:
    shown = paper_of(graph.seed, lean=True)
    fields = shown.model_dump(include=set(Match.model_fields) - {"exact"})
    return Match(**fields, exact=graph.exact)


def _papers(links: CitationLinks | None, *, lean: bool) -> list[Paper] | None:
    return None if links is None else [paper_of(work, lean=lean) for work in links.items]


def _count(links: CitationLinks | None) -> int | None:
    return None if links is None else len(links.items)


def _notes(args: CitationGraphIn, graph: Graph) -> list[str]:
    notes = notes_for(graph.failures, graph.unchecked, {})
    for name, links in (("citedBy", graph.cited_by), ("references", graph.references)):
        if links is None:
            continue
        notes += links.notes
        if links.total is not None and links.total > len(links.items):
            notes.append(f"{name}: {len(links.items)} of {links.total}, the most cited first.")
    if args.influential_only and graph.provider == "openalex":
        notes.append("openalex does not tell influential citations; all are listed.")
    if not graph.exact:
        notes.append("No paper has exactly that title; match is the closest.")
    return notes
