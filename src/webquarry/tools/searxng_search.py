"""The `searxng_search` tool: seed 003's `web_search`, results with the text of their pages.

It is called `web_search` where our own tool of that name is not offered (`calls.registry.RENAMES`).
"""

from typing import Annotated, Literal

from pydantic import Field, WithJsonSchema

from webquarry.calls.paging import Budgeted, Paged
from webquarry.calls.tool import CacheRule, Call, ToolOptions, tool
from webquarry.calls.tool_schema import Json, names_schema
from webquarry.errors import BadInputError, ProviderError
from webquarry.models.model import Filled, Model
from webquarry.models.result import Result, TextBlock
from webquarry.models.search_args import QueryText
from webquarry.models.zero_results import TRUST
from webquarry.searxng.pool import Pool
from webquarry.searxng.query_values import Category, Hit, Infobox, PoolResult, SearxngQuery
from webquarry.searxng.result_content import ResultContent
from webquarry.settings.groups.web_search import WebSearchSettings

_TOTAL_SECONDS = 110.0  # for search and pages together, below the timeout of the tool
_SNIPPET_CHARS = 300  # of a result in the text for people


# Gemini refuses an enum of numbers
SafeSearch = Annotated[
    Literal[0, 1, 2], WithJsonSchema({"type": "integer", "minimum": 0, "maximum": 2})
]


class SearxngSearchIn(Budgeted):
    """Arguments of `searxng_search`."""

    query: QueryText = Field(description="The search query string")
    category: Category = Field(default="general", description="Search category")
    language: str = Field(
        default="en", pattern=r"^[a-z]{2}(-[A-Z]{2})?$", description="Language code"
    )
    results_count: int = Field(default=10, ge=1, le=50, description="Number of results")
    fetch_content: bool = Field(default=True, description="Also return the text of each page")
    safe_search: SafeSearch = Field(default=1, description="0=off, 1=moderate, 2=strict")
    time_range: Literal["day", "week", "month", "year"] | None = Field(
        default=None, description="Omit for all time"
    )


class ResultPageContent(Model):
    """The text of one result's page."""

    markdown: str
    word_count: int
    fetch_time_ms: int
    summary: str | None = None
    truncated: Filled[bool] = None


class SearxngResult(Model):
    """One result."""

    title: str
    url: str
    description: str
    score: float  # 0 to 1
    engine: str
    engines: Filled[tuple[str, ...]] = None  # all that found it, if several did
    published: str | None = None
    image: Filled[str] = None
    content: ResultPageContent | None = None
    content_error: str | None = None


class SearxngAnswer(Model):
    """A direct answer, like the result of a calculation."""

    text: str
    url: Filled[str] = None


class SearxngInfobox(Model):
    """What is known about the subject of the query."""

    title: str
    content: str
    url: Filled[str] = None
    attributes: Filled[dict[str, str]] = None


class FetchStats(Model):
    """How many pages were read, and in what time."""

    attempted: int
    successful: int
    failed: int
    total_time_ms: int


class SearxngSearchOut(Paged):
    """Result of `searxng_search`: the metadata of seed 003."""

    query: str
    category: str
    language: str
    results_count: int
    search_time_ms: int
    instance_used: str
    fetch_content: bool | None = None
    results: tuple[SearxngResult, ...]
    total_results: int
    engines_used: tuple[str, ...]
    instances_used: Filled[tuple[str, ...]] = None
    answers: Filled[tuple[SearxngAnswer, ...]] = None
    infoboxes: Filled[tuple[SearxngInfobox, ...]] = None
    suggestions: Filled[tuple[str, ...]] = None
    corrections: Filled[tuple[str, ...]] = None
    content_fetch_stats: FetchStats | None = None
    warnings: Filled[tuple[str, ...]] = Field(default=None, description="What is missing, and why")
    trust: str = TRUST


# names without types: models see the fields in the result, and each word here costs context
_SCHEMA: Json = names_schema(
    *(name for name in SearxngSearchOut.model_fields if name not in SearxngSearchIn.model_fields)
)
_SCHEMA["required"] = ["results"]
_SCHEMA["properties"]["results"] = {
    "type": "array",
    "description": f"{', '.join(SearxngResult.model_fields)}; "
    f"content: {', '.join(ResultPageContent.model_fields)}",
}


@tool(
    "searxng",
    ToolOptions(
        cache=CacheRule(300, cacheable=lambda body: bool(body["results"])),
        timeout=120,
        cuttable=("results",),
        output_schema=_SCHEMA,
    ),
)
async def searxng_search(args: SearxngSearchIn, call: Call) -> tuple[SearxngSearchOut, Result]:
    """Search privately through SearXNG and read the result pages as Markdown.

    Set fetch_content to false for links only.
    """
    pool = call.services.searxng
    began = pool.clock.monotonic()
    question = _question(args, pool.options)
    await call.progress(0, None, "searching")
    found = await _search(pool, question)
    out = _out(args, found)
    if args.fetch_content:
        budget = _TOTAL_SECONDS - (pool.clock.monotonic() - began)
        out = await _with_contents(out, call, budget)
    call.meta["routing"] = {
        "provider_used": "searxng",
        "instance": found.instance,
        "why": found.selection_reason,
        "attempts": [{"instance": a.instance, "outcome": a.outcome} for a in found.attempts],
    }
    return out, _text_result(out, args)


def _question(args: SearxngSearchIn, options: WebSearchSettings) -> SearxngQuery:
    named = "results_count" in args.model_fields_set
    count = args.results_count if named else options.default_results_count
    if count > options.max_results_count:
        raise BadInputError(
            f"results_count: at most {options.max_results_count} are allowed here, got {count}"
        )
    return SearxngQuery(
        text=args.query,
        category=args.category,
        language=args.language,
        safe_search=args.safe_search,
        time_range=args.time_range or "",
        count=count,
    )


async def _search(pool: Pool, question: SearxngQuery) -> PoolResult:
    try:
        return await pool.search(question)
    except ProviderError as error:
        raise type(error)(
            f"Search failed: {error}",
            provider=error.provider,
            retry_after=error.retry_after,
            details={"query": question.text, **error.details},
        ) from error


def _out(args: SearxngSearchIn, found: PoolResult) -> SearxngSearchOut:
    failed = [f"engine {name} failed: {why}" for name, why in found.unresponsive]
    return SearxngSearchOut(
        query=args.query,
        category=args.category,
        language=args.language,
        results_count=len(found.hits),
        search_time_ms=found.milliseconds,
        instance_used=found.instance,
        fetch_content=None if args.fetch_content else False,
        results=tuple(_result(hit) for hit in found.hits),
        total_results=found.total,
        engines_used=found.engines,
        instances_used=found.instances if len(found.instances) > 1 else None,
        answers=tuple(SearxngAnswer(text=a.text, url=a.url) for a in found.extras.answers),
        infoboxes=tuple(map(_infobox, found.extras.infoboxes)),
        suggestions=found.extras.suggestions,
        corrections=found.extras.corrections,
        warnings=(*found.warnings, *failed),
    )


def _infobox(box: Infobox) -> SearxngInfobox:
    return SearxngInfobox(
        title=box.title, content=box.content, url=box.url, attributes=dict(box.attributes)
    )


def _result(hit: Hit) -> SearxngResult:
    return SearxngResult(
        title=hit.title,
        url=hit.url,
        description=hit.description,
        score=hit.score,
        engine=hit.engine,
        engines=hit.engines if len(hit.engines) > 1 else None,
        published=hit.published,
        image=hit.image or hit.thumbnail,
    )


async def _with_contents(out: SearxngSearchOut, call: Call, budget: float) -> SearxngSearchOut:
    """Return the results with the text of the pages that could be read."""

    async def progress(done: int, total: int) -> None:
        await call.progress(done, total, "reading pages")

    urls = [result.url for result in out.results]
    read, milliseconds = await call.services.searxng_content.read(
        urls, out.query, budget=budget, on_progress=progress, owner=call.caller
    )
    successful = sum(not content.error for content in read)
    stats = FetchStats(
        attempted=len(read),
        successful=successful,
        failed=len(read) - successful,
        total_time_ms=milliseconds,
    )
    results = tuple(
        _filled(result, content) for result, content in zip(out.results, read, strict=True)
    )
    return out.model_copy(update={"results": results, "content_fetch_stats": stats})


def _filled(result: SearxngResult, content: ResultContent) -> SearxngResult:
    if content.error:
        return result.model_copy(update={"content_error": content.error})
    page = ResultPageContent(
        markdown=content.markdown,
        word_count=content.word_count,
        fetch_time_ms=content.milliseconds,
        summary=content.summary,
        truncated=content.truncated,
    )
    return result.model_copy(update={"content": page})


def _text_result(out: SearxngSearchOut, args: SearxngSearchIn) -> Result:
    """Return the seed's sentence and a readable list; with a token budget, only the data."""
    if args.max_tokens is not None:
        return Result()
    count = len(out.results)
    sentence = f"Found {count} search results for query '{out.query}'"
    lines = [f"Answer: {answer.text}" for answer in out.answers or ()]
    lines += [f"{number}. {_line(result)}" for number, result in enumerate(out.results, 1)]
    blocks = (TextBlock(text=sentence), *([TextBlock(text="\n".join(lines))] if lines else ()))
    return Result(content=blocks)


def _line(result: SearxngResult) -> str:
    text = (result.content.summary if result.content else None) or result.description
    return f"{result.title}\n{result.url}\n{text[:_SNIPPET_CHARS]}"
