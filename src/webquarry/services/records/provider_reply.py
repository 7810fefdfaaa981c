"""Queries one provider of public records."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from webquarry.errors import NotFoundError, ProviderError
from webquarry.models.model import Model
from webquarry.models.records import RecordsFound
from webquarry.models.session import ProviderCall
from webquarry.models.zero_results import zero_result_hints
from webquarry.observe.call_context import log_provider_call
from webquarry.providers.provider import ProviderInfo
from webquarry.services.provider_choice import CapableProviders
from webquarry.services.provider_queries import without_other_providers


class _Described(Protocol):
    about: ClassVar[ProviderInfo]


P = TypeVar("P", bound=_Described)
T = TypeVar("T")


@dataclass(frozen=True)
class ProviderReply(Generic[T]):
    """The records of one provider, and the names of those that were not queried."""

    provider: str
    other_providers: tuple[str, ...]
    records: RecordsFound[T]

    def result_fields(self, args: Model, filters: tuple[str, ...]) -> dict[str, Any]:
        """Return the fields of `RecordsOut` except the query."""
        used = [name for name in filters if getattr(args, name) is not None]
        nothing = not self.records.items
        return {
            "resultCount": len(self.records.items),
            "provider": self.provider,
            "note": " ".join(self.records.notes) or None,
            "hints": zero_result_hints(used, list(self.other_providers)) if nothing else None,
        }


async def query_provider(
    choice: CapableProviders[P],
    name: str | None,
    query: Callable[[P], Awaitable[RecordsFound[T]]],
) -> ProviderReply[T]:
    """Query the provider of that name, or the preferred one; there is no fallback to others."""
    provider = choice.first(name)
    used = provider.about.name
    others = tuple(other for other in choice.ready if other != used)
    try:
        found = await query(provider)
    except NotFoundError as exc:  # an unknown series or filer has no records
        found = RecordsFound[T]((), (str(exc),))
    except ProviderError as exc:
        exc.alternatives = exc.alternatives or others
        if not exc.alternatives:
            without_other_providers(exc)
        raise
    log_provider_call(ProviderCall(provider=used, hits=len(found.items), kept=len(found.items)))
    return ProviderReply(used, others, found)
