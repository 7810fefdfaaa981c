"""What MCP clients are shown."""

from typing import Literal

from webquarry.settings.groups.group import SettingsGroup, flag, setting
from webquarry.settings.value_types import choice, many, matching

_ALIAS = matching(
    r"short|[a-zA-Z0-9_-]{1,64}:[a-z_]{1,64}", "short, or alias:tool such as read:scrape_page"
)


class ClientSettings(SettingsGroup):
    """What MCP clients are shown."""

    structured_content: Literal["full", "metadata", "none"] = setting(
        "STRUCTURED_CONTENT",
        "What structuredContent has: full repeats the text of pages, for clients that pass on "
        "nothing else; metadata leaves it out; none sends text only, without output schemas.",
        choice("full", "metadata", "none"),
        default="full",
    )
    resource_links: bool = flag(
        "RESOURCE_LINKS",
        "Add a link to the full result to long results. Turn it off for LangChain agents, whose "
        "models refuse such links.",
        default=True,
    )
    tool_aliases: tuple[str, ...] = setting(
        "TOOL_ALIASES",
        "Names under which tools are listed: short for read, search, crawl, map, extract and the "
        "like, or alias:tool. The usual names work too.",
        many(_ALIAS),
        default=(),
    )
