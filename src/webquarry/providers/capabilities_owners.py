"""What a provider of facts about organisations can be asked."""

from typing import ClassVar, NamedTuple, Protocol, runtime_checkable

from webquarry.providers.provider import ProviderInfo


class Owner(NamedTuple):
    """Who owns something, and where they are on the web."""

    name: str
    hosts: tuple[str, ...]


@runtime_checkable
class KnowsOwners(Protocol):
    """Knows who owns brands and companies."""

    about: ClassVar[ProviderInfo]

    async def owners(self, name: str) -> tuple[Owner, ...]:
        """Return who owns what is called exactly so; nothing when that is not known."""
        ...
