"""The `search` tool of ChatGPT's connectors: results whose ids `fetch` reads."""

from pydantic import Field

from webquarry.calls.tool import Call, ToolOptions, tool
from webquarry.content.text.token_count import compact_json
from webquarry.models.model import Model
from webquarry.models.search_args import QueryText
from webquarry.services.cinder.search_query import CinderQuery

_RESULTS = 10


class ChatgptSearchIn(Model):
    """Arguments of `search`."""

    query: QueryText = Field(description="What to look for.")


class ChatgptResult(Model):
    """One result."""

    id: str  # its URL: stable, on every server and after a restart
    title: str
    url: str


class ChatgptSearchOut(Model):
    """Result of `search`."""

    results: tuple[ChatgptResult, ...]


# the contract: one text block, which is the structured content as JSON
@tool("chatgpt", ToolOptions(text=compact_json, always_whole=True))
async def chatgpt_search(args: ChatgptSearchIn, call: Call) -> ChatgptSearchOut:
    """Search the web. Read a result with fetch, by its id."""
    page = await call.services.ranked_search.page(
        CinderQuery(text=args.query), call.caller, 0, _RESULTS
    )
    call.meta["providers"] = list(page.ranked.providers)
    return ChatgptSearchOut(
        results=tuple(
            ChatgptResult(id=item.url, title=item.title, url=item.url) for item in page.items
        )
    )
