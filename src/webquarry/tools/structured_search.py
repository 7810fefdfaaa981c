"""The `structured_search` tool: pages, and the data extracted from each."""

from pydantic import Field

from webquarry.calls.search_meta import report_cost
from webquarry.calls.tool import CacheRule, Call, ToolOptions, tool
from webquarry.calls.tool_schema import Json
from webquarry.models.model import Model
from webquarry.models.records import RecordsIn
from webquarry.models.search_args import QueryText
from webquarry.models.short_schemas import JsonSchemaArgument, field_names_schema
from webquarry.models.synthesis import StructuredItem, StructuredQuery
from webquarry.models.zero_results import TRUST, ZeroResultHints, zero_result_hints


class StructuredSearchIn(RecordsIn):
    """Arguments of `structured_search`."""

    query: QueryText = Field(description="What to find, or the name of an entity.")
    category: str | None = Field(
        default=None, description="exa: company, people, research paper, …; local: news, github"
    )
    num_results: int = Field(default=5, ge=1, le=10, description="How many.")
    fields: JsonSchemaArgument | None = Field(
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


def _is_cacheable(body: Json) -> bool:
    # with a note, some pages could not be read
    return bool(body["results"]) and "note" not in body


_OPTIONS = ToolOptions(
    title="Structured search",
    cache=CacheRule(3600, cacheable=_is_cacheable),
    output_schema=field_names_schema(
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
        progress=call.progress,
    )
    answering = call.services.answering
    provider, found = await answering.search(query, args.provider)
    report_cost(call, provider, found.cost)
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
