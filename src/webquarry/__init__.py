"""Search, read, crawl, extract and verify the web, with evidence.

    async with webquarry.Webquarry() as wq:
        found = await wq.web_search("solar cells")

Nothing is imported before it is used: the command starts in this package.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from webquarry.library import ToolError as ToolError
    from webquarry.library import Webquarry as Webquarry
    from webquarry.library import WebquarrySync as WebquarrySync

__all__ = ["ToolError", "Webquarry", "WebquarrySync"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'webquarry' has no attribute {name!r}")
    from webquarry import library

    return getattr(library, name)
