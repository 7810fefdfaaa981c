"""The `searxng_search` tool: seed 003's `web_search`, results with the text of their pages.

It is called `web_search` where our own tool of that name is not offered (tools/registry.py).
"""

from typing import Literal

from pydantic import Field

from webquarry.calls.paging import Budgeted, Paged
from webquarry.calls.tool import CacheRule, Call, Options, tool
from webquarry.errors import BadInputError, ProviderError
from webquarry.models.model import Model
from webquarry.models.result import Result, TextBlock
from webquarry.models.zero_results import TRUST
from webquarry.reading.read_port import ReadsPages
from webquarry.searxng.pool import Pool
from webquarry.searxng.query_values import Category, Hit, PoolResult, SearxngQuery
from webquarry.searxng.result_content import ResultContent, ResultContentReader
from webquarry.settings.groups.web_search import WebSearchSettings

_SECONDS = 110.0  # for search and pages together, below the deadline of the tool
_SHOWN = 300  # characters of a result in the text for people


class SearxngSearchIn(Budgeted):
    """Arguments of `searxng_search`."""

    query: str = Field(min_length=1, max_length=500, description="The search query string")
    category: Category = Field(default="general", description="Search category")
    language: str = Field(
        default="en", pattern=r"^[a-z]{2}(-[A-Z]{2})?$", description="Language code"
    )
    results_count: int = Field(default=10, ge=1, le=50, description="Number of results")
    fetch_content: bool = Field(default=True, description="Also return the text of each page")
    safe_search: Literal[0, 1, 2] = Field(default=1, description="0=off, 1=moderate, 2=strict")
    time_range: Literal["", "day", "week", "month", "year"] = Field(
        default="", description="Empty means all time"
    )


class ResultPageContent(Model):
    """The text of one result's page."""

    markdown: str
    word_count: int
    fetch_time_ms: int
    summary: str | None = None
    truncated: bool | None = None


class SearxngResult(Model):
    """One result."""

    title: str
    url: str
    description: str
    score: float
    engine: str
    published: str | None = None
    image: str | None = None
    content: ResultPageContent | None = None
    content_error: str | None = None


class FetchStats(Model):
    """How reading the pages went."""

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
    content_fetch_stats: FetchStats | None = None
    warnings: tuple[str, ...] | None = Field(default=None, description="What is missing, and why")
    trust: str = TRUST


# names without types: a model reads the fields off the result, and each word here costs it context
_SCHEMA = {
    "type": "object",
    "properties": {
        name: {}
        for name in SearxngSearchOut.model_fields
        if name not in SearxngSearchIn.model_fields
    }
    | {
        "results": {
            "type": "array",
            "description": f"{', '.join(SearxngResult.model_fields)}; "
            f"content: {', '.join(ResultPageContent.model_fields)}",
        },
    },
    "required": ["results"],
}


@tool(
    "searxng",
    Options(
        cache=CacheRule(300, keep=lambda body: bool(body["results"])),
        timeout=120,
        cuts=("results",),
        output_schema=_SCHEMA,
    ),
)
async def searxng_search(args: SearxngSearchIn, call: Call) -> tuple[SearxngSearchOut, Result]:
    """Search privately through SearXNG and read the result pages as Markdown.

    Set fetch_content to false for links only.
    """
    pool = _pool(call)
    began = pool.clock.now()
    question = _question(args, pool.options)
    await call.progress(0, None, "searching")
    found = await _search(pool, question)
    out = _out(args, found)
    if args.fetch_content:
        budget = _SECONDS - (pool.clock.now() - began)
        reader = _reader(call)
        contents = ResultContentReader(reader, pool.options, pool.clock) if reader else None
        out = await _with_contents(out, contents, call, budget)
    call.meta["routing"] = _routing(found)
    return out, _told(out, args)


def _pool(call: Call) -> Pool:
    pool = call.services.searxng
    if pool is None:
        raise ProviderError("Search failed: there is no SearXNG pool in this process")
    return pool


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
        safe=args.safe_search,
        time_range=args.time_range,
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
        warnings=(*found.warnings, *failed) or None,
    )


def _result(hit: Hit) -> SearxngResult:
    return SearxngResult(
        title=hit.title,
        url=hit.url,
        description=hit.description,
        score=hit.score,
        engine=hit.engine,
        published=hit.published,
        image=hit.image or hit.thumbnail or None,
    )


def _reader(call: Call) -> ReadsPages | None:
    return call.services.reading


async def _with_contents(
    out: SearxngSearchOut, contents: ResultContentReader | None, call: Call, budget: float
) -> SearxngSearchOut:
    """Return the results with the text of their pages, as far as it could be read."""
    if contents is None:
        missing = "page content is missing: this server cannot read pages"
        stats = FetchStats(attempted=0, successful=0, failed=0, total_time_ms=0)
        told = (*(out.warnings or ()), missing)
        return out.model_copy(update={"content_fetch_stats": stats, "warnings": told})

    async def progress(done: int, total: int) -> None:
        await call.progress(done, total, "reading pages")

    urls = [result.url for result in out.results]
    read, milliseconds = await contents.read(urls, out.query, budget=budget, told=progress)
    successful = sum(not content.problem for content in read)
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
    if content.problem:
        return result.model_copy(update={"content_error": content.problem})
    page = ResultPageContent(
        markdown=content.markdown,
        word_count=content.words,
        fetch_time_ms=content.milliseconds,
        summary=content.summary,
        truncated=content.truncated or None,
    )
    return result.model_copy(update={"content": page})


def _routing(found: PoolResult) -> dict[str, object]:
    return {
        "provider_used": "searxng",
        "instance": found.instance,
        "why": found.why,
        "attempts": [{"instance": a.instance, "outcome": a.outcome} for a in found.attempts],
    }


def _told(out: SearxngSearchOut, args: SearxngSearchIn) -> Result:
    """Return the seed's sentence and a list to read; a budget leaves room for the data only."""
    if args.max_tokens is not None:
        return Result()
    count = len(out.results)
    sentence = f"Found {count} search results for query '{out.query}'"
    lines = [f"{place}. {_line(result)}" for place, result in enumerate(out.results, 1)]
    blocks = (TextBlock(text=sentence), *([TextBlock(text="\n".join(lines))] if lines else ()))
    return Result(content=blocks)


def _line(result: SearxngResult) -> str:
    text = (result.content.summary if result.content else None) or result.description
    return f"{result.title}\n{result.url}\n{text[:_SHOWN]}"
