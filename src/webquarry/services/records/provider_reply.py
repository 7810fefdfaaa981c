"""Asks one provider of public records and says plainly what came of it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from webquarry.errors import NotFoundError
from webquarry.models.model import Model
from webquarry.models.records import RecordsFound
from webquarry.models.session import ProviderCall
from webquarry.models.zero_results import zero_result_hints
from webquarry.observe.provider_log import note_ask
from webquarry.providers.provider import ProviderInfo
from webquarry.services.provider_choice import CapableProviders


class _Described(Protocol):
    about: ClassVar[ProviderInfo]


P = TypeVar("P", bound=_Described)
T = TypeVar("T")


@dataclass(frozen=True)
class ProviderReply(Generic[T]):
    """The records one provider has, and the names of those that were not asked."""

    provider: str
    others: tuple[str, ...]
    found: RecordsFound[T]

    def frame(self, asked: Model, filters: tuple[str, ...]) -> dict[str, Any]:
        """Return the fields of `models.records.Answer` but the query."""
        used = [name for name in filters if getattr(asked, name) is not None]
        nothing = not self.found.items
        return {
            "resultCount": len(self.found.items),
            "provider": self.provider,
            "note": " ".join(self.found.notes) or None,
            "hints": zero_result_hints(used, list(self.others)) if nothing else None,
        }


async def ask(
    choice: CapableProviders[P],
    name: str | None,
    question: Callable[[P], Awaitable[RecordsFound[T]]],
) -> ProviderReply[T]:
    """Ask the provider of that name, or the preferred one; no other is asked in its place."""
    provider = choice.first(name)
    used = provider.about.name
    try:
        found = await question(provider)
    except NotFoundError as exc:  # an unknown series or filer is an answer: there is none
        found = RecordsFound[T]((), (str(exc),))
    note_ask(ProviderCall(provider=used, hits=len(found.items), kept=len(found.items)))
    return ProviderReply(used, tuple(other for other in choice.ready if other != used), found)
