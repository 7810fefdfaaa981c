"""Other names for tools, which clients see instead of the usual ones."""

import re
from collections.abc import Iterable, Mapping

from webquarry.calls.tool_schema import Json
from webquarry.errors import SettingsError

# alias -> tool: the names that other servers use
SHORT_NAMES = {
    "search": "web_search",
    "read": "scrape_page",
    "research": "search_and_scrape",
    "crawl": "cinder_crawl",
    "crawl_status": "cinder_get_crawl_status",
    "batch": "cinder_batch_scrape",
    "map": "cinder_map",
    "extract": "cinder_extract",
    "papers": "academic_search",
    "fulltext": "paper_fulltext",
    "patents": "patent_search",
    "news": "news_search",
    "images": "image_search",
    "places": "local_search",
    "verify": "verify_citation",
    "audit": "audit_bibliography",
    "archive": "archive_source",
    "cite": "format_bibliography",
    "brand": "brand_research",
}


def read_aliases(values: Iterable[str], tools: Iterable[str]) -> dict[str, str]:
    """Return tools by alias; fails on an unknown tool and on a name that is taken."""
    names = frozenset(tools)
    aliases: dict[str, str] = {}
    for value in values:
        alias, colon, tool = value.partition(":")
        aliases |= {alias: tool} if colon else SHORT_NAMES
    if unknown := sorted(set(aliases.values()) - names):
        raise SettingsError(f"TOOL_ALIASES names unknown tools: {', '.join(unknown)}")
    if taken := sorted(aliases.keys() & names):
        raise SettingsError(f"TOOL_ALIASES uses the names of tools: {', '.join(taken)}")
    return aliases


def renamed(definition: Json, aliases: Mapping[str, str]) -> Json:
    """Return the entry of `tools/list` with aliases for this tool and those it mentions."""
    by_tool = {tool: alias for alias, tool in aliases.items()}
    description = re.sub(
        r"\b[a-z]+(?:_[a-z]+)+", lambda m: by_tool.get(m[0], m[0]), definition["description"]
    )
    name = definition["name"]
    return definition | {"name": by_tool.get(name, name), "description": description}
