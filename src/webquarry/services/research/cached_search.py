"""The search before the reading, remembered for half an hour."""

import hashlib

from pydantic import Field

from webquarry.content.text.token_count import compact_json
from webquarry.models.caller import Caller
from webquarry.models.model import Model
from webquarry.models.search import WebQuery, WebResult
from webquarry.models.session import ProviderCall
from webquarry.observe.provider_log import note_ask
from webquarry.reading.coalesce_reads import Flights
from webquarry.services.searching.search_sources import ProviderResults
from webquarry.services.searching.service import RoutingTrace, SearchService
from webquarry.storage.store import Store

SECONDS = 1800.0  # as long as web_search remembers


class _Kept(Model):
    items: list[WebResult]
    provider: str
    unhonoured: tuple[str, ...] = ()
    afterwards: tuple[str, ...] = ()
    incomplete: dict[str, int] = Field(default_factory=dict[str, int])
    asks: tuple[ProviderCall, ...] = ()

    def found(self) -> ProviderResults[WebResult]:
        return ProviderResults(**dict(self))


class CachedSearch:
    """Finds web pages; the same question of a moment ago is not asked again."""

    def __init__(self, searching: SearchService, store: Store, *, isolate: bool = False) -> None:
        self._searching = searching
        self._store = store
        self._isolate = isolate
        self._flights: Flights[ProviderResults[WebResult]] = Flights()

    async def web(
        self, query: WebQuery, caller: Caller, *, only: str | None, trace: RoutingTrace
    ) -> ProviderResults[WebResult]:
        """Return what the providers find."""
        key = self._key(query, only, caller)
        if entry := await self._store.get(key):
            found = _Kept.model_validate_json(entry.value).found()
            for ask in found.asks:  # whoever records the search wants to know how it was made
                note_ask(ask)
            return found
        flight = f"{caller.tenant}\0{caller.user}\0{key}"
        return await self._flights.run(flight, lambda: self._ask(key, query, only, trace))

    async def _ask(
        self, key: str, query: WebQuery, only: str | None, trace: RoutingTrace
    ) -> ProviderResults[WebResult]:
        found = await self._searching.web.answer(query, only=only, trace=trace)
        # one's own pages are nobody else's, and nothing may be a bad moment
        if found.items and found.provider != "local" and not found.incomplete:
            kept = _Kept(**vars(found))
            await self._store.set(key, kept.model_dump_json().encode(), ttl=SECONDS)
        return found

    def _key(self, query: WebQuery, only: str | None, caller: Caller) -> str:
        asked = query.model_dump(mode="json", exclude={"asker"})
        question = hashlib.sha256(compact_json([asked, only]).encode()).hexdigest()
        return f"found:{caller.tenant if self._isolate else ''}:{question}"
