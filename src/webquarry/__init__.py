"""Search, read, crawl, extract and verify the web, with evidence.

    async with webquarry.connect() as quarry:
        result = await quarry.call("echo", message="hello")

Nothing is imported before it is used: the command starts in this package.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from webquarry.library import Quarry as Quarry
    from webquarry.library import connect as connect

__all__ = ["Quarry", "connect"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'webquarry' has no attribute {name!r}")
    from webquarry import library

    return getattr(library, name)
