"""Tests an API key: one small search with it."""

from typing import Any, Literal

from webquarry.errors import AccessError, ProviderError
from webquarry.models.search import WebQuery
from webquarry.models.works import WorkQuery
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.provider import Keys, Provider

KeyState = Literal["accepted", "rejected", "unchecked"]
_TEXT = "open access"
# the search that each kind of provider is tested with
_SEARCHES: tuple[tuple[str, Any], ...] = (
    ("search_web", WebQuery(text=_TEXT, count=1)),
    ("search_works", WorkQuery(text=_TEXT, count=1)),
)


async def check_key(
    provider: type[Provider], upstreams: Upstreams, keys: Keys
) -> tuple[KeyState, str]:
    """Return whether the provider accepts its key, and why that is not known or not so."""
    if missing := provider.about.missing_variables(keys):
        return "unchecked", f"{provider.about.name} also needs {' and '.join(missing)}."
    ready = provider(upstreams, keys)
    for method, query in _SEARCHES:
        if search := getattr(ready, method, None):
            try:
                await search(query)
            except AccessError as error:
                return "rejected", str(error)
            except ProviderError as error:  # the key may still be right
                return "unchecked", str(error)
            return "accepted", ""
    return "unchecked", f"{provider.about.name} has no search to test a key with."
