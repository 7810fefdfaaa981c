"""Search, read, crawl, extract and verify the web, with evidence.

    async with webquarry.Webquarry() as wq:
        found = await wq.web_search("solar cells")

A failed call raises `ToolError`, which is also one of the other exceptions here.
Nothing is imported before it is used: the command starts in this package.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from webquarry.errors import AccessError as AccessError
    from webquarry.errors import BadInputError as BadInputError
    from webquarry.errors import BlockedError as BlockedError
    from webquarry.errors import BrowserError as BrowserError
    from webquarry.errors import DeadlineError as DeadlineError
    from webquarry.errors import ForbiddenError as ForbiddenError
    from webquarry.errors import InternalError as InternalError
    from webquarry.errors import NetworkError as NetworkError
    from webquarry.errors import NotFoundError as NotFoundError
    from webquarry.errors import PageError as PageError
    from webquarry.errors import ParseLimitError as ParseLimitError
    from webquarry.errors import PayloadError as PayloadError
    from webquarry.errors import ProviderError as ProviderError
    from webquarry.errors import RateLimitError as RateLimitError
    from webquarry.errors import SessionNotFoundError as SessionNotFoundError
    from webquarry.errors import SettingsError as SettingsError
    from webquarry.errors import UnconfiguredError as UnconfiguredError
    from webquarry.errors import UnknownProviderError as UnknownProviderError
    from webquarry.errors import WebquarryError as WebquarryError
    from webquarry.library import ToolError as ToolError
    from webquarry.library import Webquarry as Webquarry
    from webquarry.library import WebquarrySync as WebquarrySync

__all__ = [
    "AccessError",
    "BadInputError",
    "BlockedError",
    "BrowserError",
    "DeadlineError",
    "ForbiddenError",
    "InternalError",
    "NetworkError",
    "NotFoundError",
    "PageError",
    "ParseLimitError",
    "PayloadError",
    "ProviderError",
    "RateLimitError",
    "SessionNotFoundError",
    "SettingsError",
    "ToolError",
    "UnconfiguredError",
    "UnknownProviderError",
    "Webquarry",
    "WebquarryError",
    "WebquarrySync",
]
_LIBRARY = frozenset({"ToolError", "Webquarry", "WebquarrySync"})


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'webquarry' has no attribute {name!r}")
    from webquarry import errors, library

    return getattr(library if name in _LIBRARY else errors, name)
