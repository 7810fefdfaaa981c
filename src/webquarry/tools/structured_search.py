"""The `structured_search` tool: pages, and data taken out of each."""

from typing import Any

from pydantic import Field

from webquarry.calls.search_meta import note_spent
from webquarry.calls.tool import CacheRule, Call, Options, tool
from webquarry.calls.tool_schema import Json
from webquarry.models.brief import names_of
from webquarry.models.model import Model
from webquarry.models.records import RecordsIn
from webquarry.models.search_args import QueryText
from webquarry.models.synthesis import StructuredItem, StructuredQuery
from webquarry.models.zero_results import TRUST, ZeroResultHints, zero_result_hints


class StructuredSearchIn(RecordsIn):
    """Arguments of `structured_search`."""

    query: QueryText = Field(description="What to find, or the name of an entity.")
    category: str | None = Field(
        default=None, description="exa: company, people, research paper, …; local: news, github"
    )
    num_results: int = Field(default=5, ge=1, le=10, description="How many.")
    fields: dict[str, Any] | None = Field(
        default=None,
        alias="schema",
        description="JSON Schema of the fields wanted of each result.",
    )
    provider: str | None = Field(default=None, description="exa or local")


class StructuredSearchOut(Model):
    """Result of `structured_search`."""

    query: str
    category: str = ""
    resultCount: int
    results: tuple[StructuredItem, ...]
    provider: str
    costUsd: float | None = None
    note: str | None = None
    hints: ZeroResultHints | None = None
    trust: str = TRUST


def _is_whole(body: Json) -> bool:
    # a note says that some pages could not be read this time
    return bool(body["results"]) and "note" not in body


_OPTIONS = Options(
    title="Structured search",
    cache=CacheRule(3600, keep=_is_whole),
    output_schema=names_of(
        StructuredSearchOut,
        results="summary is null where unsure; highlights are verbatim",
    ),
    timeout=110,
)


@tool("synthesis", _OPTIONS)
async def structured_search(args: StructuredSearchIn, call: Call) -> StructuredSearchOut:
    """Search the web and get chosen fields of each result as JSON, by your schema."""
    query = StructuredQuery(
        text=args.query,
        asker=call.caller,
        count=args.num_results,
        category=args.category,
        fields=args.fields,
        tell=call.progress,
    )
    answering = call.services.answering
    provider, found = await answering.search(query, args.provider)
    note_spent(call, provider, found.cost)
    others = [name for name in answering.searches.ready if name != provider]
    used = ["category"] if args.category else []
    return StructuredSearchOut(
        query=args.query,
        category=args.category or "",
        resultCount=len(found.items),
        results=found.items,
        provider=provider,
        costUsd=found.cost,
        note=found.note,
        hints=None if found.items else zero_result_hints(used, others),
    )
