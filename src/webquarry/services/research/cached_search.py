"""The web search of `search_and_scrape`, cached for half an hour."""

import hashlib

from pydantic import Field

from webquarry.concurrency.coalesce import Coalescer
from webquarry.content.text.token_count import compact_json
from webquarry.models.caller import Caller
from webquarry.models.model import Model
from webquarry.models.search import WebQuery, WebResult
from webquarry.models.session import ProviderCall
from webquarry.observe.call_context import log_provider_call
from webquarry.services.provider_queries import RoutingTrace
from webquarry.services.searching.search_sources import ProviderResults
from webquarry.services.searching.service import SearchService
from webquarry.storage.store import Store

CACHE_SECONDS = 1800.0  # as long as web_search


class _CachedResults(Model):
    """Provider results as stored; the field names are part of the stored format."""

    items: list[WebResult]
    provider: str
    unhonoured: tuple[str, ...] = ()
    afterwards: tuple[str, ...] = ()
    incomplete: dict[str, int] = Field(default_factory=dict[str, int])
    asks: tuple[ProviderCall, ...] = ()

    @classmethod
    def of(cls, found: ProviderResults[WebResult]) -> "_CachedResults":
        return cls(
            items=found.items,
            provider=found.provider,
            unhonoured=found.unhonoured,
            afterwards=found.applied_locally,
            incomplete=dict(found.incomplete),
            asks=found.provider_calls,
        )

    def results(self) -> ProviderResults[WebResult]:
        return ProviderResults(
            items=self.items,
            provider=self.provider,
            unhonoured=self.unhonoured,
            applied_locally=self.afterwards,
            incomplete=self.incomplete,
            provider_calls=self.asks,
        )


class CachedSearch:
    """Searches the web; repeated queries are answered from the cache."""

    def __init__(self, searching: SearchService, store: Store, *, isolate: bool = False) -> None:
        self._searching = searching
        self._store = store
        self._isolate = isolate
        self._coalescer: Coalescer[ProviderResults[WebResult]] = Coalescer()

    async def web(
        self, query: WebQuery, caller: Caller, *, only: str | None, trace: RoutingTrace
    ) -> ProviderResults[WebResult]:
        """Return the results of the providers, or cached ones."""
        key = self._key(query, only, caller)
        if entry := await self._store.get(key):
            found = _CachedResults.model_validate_json(entry.value).results()
            for call in found.provider_calls:  # a session logs cached searches as well
                log_provider_call(call)
            return found
        run_key = f"{caller.tenant}\0{caller.user}\0{key}"
        return await self._coalescer.run(
            run_key, lambda _: self._search(key, query, only, trace, caller)
        )

    async def _search(
        self,
        key: str,
        query: WebQuery,
        only: str | None,
        trace: RoutingTrace,
        owner: Caller | None,
    ) -> ProviderResults[WebResult]:
        found = await self._searching.web.search(query, only=only, trace=trace)
        # a caller's own pages are private, and an empty result may be a temporary failure
        if found.items and found.provider != "local" and not found.incomplete:
            value = _CachedResults.of(found).model_dump_json().encode()
            await self._store.set(key, value, ttl=CACHE_SECONDS, owner=owner)
        return found

    def _key(self, query: WebQuery, only: str | None, caller: Caller) -> str:
        identity = compact_json([query.model_dump(mode="json", exclude={"asker"}), only])
        scope = caller.tenant if self._isolate else ""
        return f"found:{scope}:{hashlib.sha256(identity.encode()).hexdigest()}"
