"""The `answer` tool: one written answer with its sources."""

from pydantic import Field

from webquarry.calls.search_meta import report_cost
from webquarry.calls.tool import CacheRule, Call, ToolOptions, tool
from webquarry.calls.tool_schema import Json
from webquarry.models.model import Model
from webquarry.models.records import RecordsIn
from webquarry.models.search_args import QueryText
from webquarry.models.short_schemas import field_names_schema
from webquarry.models.synthesis import AnswerCitation, AnswerQuery
from webquarry.models.zero_results import TRUST


class AnswerIn(RecordsIn):
    """Arguments of `answer`."""

    query: QueryText = Field(description="The question.")
    provider: str | None = Field(
        default=None,
        description="exa, tavily, brave, perplexity, local or index (offline); "
        "required if several have keys.",
    )


class AnswerOut(Model):
    """Result of `answer`."""

    answer: str
    citations: tuple[AnswerCitation, ...]
    provider: str
    costUsd: float | None = None
    note: str | None = None
    trust: str = TRUST


def _is_cacheable(body: Json) -> bool:
    # answers written here quote pages stored for one person, so they are not shared
    return bool(body["answer"]) and body["provider"] not in {"local", "index"}


_OPTIONS = ToolOptions(
    title="Answer with sources",
    cache=CacheRule(3600, cacheable=_is_cacheable),
    timeout=110,
    output_schema=field_names_schema(
        AnswerOut,
        citations="title? url publishedDate? anchors?: checkable quotes (local)",
        costUsd="estimate",
        note="why it is empty or short",
    ),
)


@tool("synthesis", _OPTIONS)
async def answer(args: AnswerIn, call: Call) -> AnswerOut:
    """Get one written answer to a factual question, with the pages it relies on.

    For links use web_search, for page text search_and_scrape. local quotes pages it reads itself.
    """
    query = AnswerQuery(text=args.query, asker=call.caller, progress=call.progress)
    provider, answered = await call.services.answering.answer(query, args.provider)
    report_cost(call, provider, answered.cost)
    return AnswerOut(
        answer=answered.text,
        citations=answered.citations,
        provider=provider,
        costUsd=answered.cost,
        note=answered.note,
    )
