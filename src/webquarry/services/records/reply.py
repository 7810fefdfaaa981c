"""Asks one provider of public records and says plainly what came of it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from webquarry.errors import NotFoundError
from webquarry.models.base import Model
from webquarry.models.hints import zero_result_hints
from webquarry.models.records import Found
from webquarry.models.session import Ask
from webquarry.observe.asking import note_ask
from webquarry.providers.base import About
from webquarry.services.choice import Choice


class _Described(Protocol):
    about: ClassVar[About]


P = TypeVar("P", bound=_Described)
T = TypeVar("T")


@dataclass(frozen=True)
class Reply(Generic[T]):
    """The records one provider has, and the names of those that were not asked."""

    provider: str
    others: tuple[str, ...]
    found: Found[T]

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
    choice: Choice[P], name: str | None, question: Callable[[P], Awaitable[Found[T]]]
) -> Reply[T]:
    """Ask the provider of that name, or the preferred one; no other is asked in its place."""
    provider = choice.first(name)
    used = provider.about.name
    try:
        found = await question(provider)
    except NotFoundError as exc:  # an unknown series or filer is an answer: there is none
        found = Found[T]((), (str(exc),))
    note_ask(Ask(provider=used, hits=len(found.items), kept=len(found.items)))
    return Reply(used, tuple(other for other in choice.ready if other != used), found)
