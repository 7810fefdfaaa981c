"""Protocol of providers of facts about organisations."""

from typing import ClassVar, NamedTuple, Protocol, runtime_checkable

from webquarry.providers.provider import ProviderInfo


class Owner(NamedTuple):
    """An owner and the hosts of its websites."""

    name: str
    hosts: tuple[str, ...]


@runtime_checkable
class KnowsOwners(Protocol):
    """Knows who owns brands and companies."""

    about: ClassVar[ProviderInfo]

    async def owners(self, name: str) -> tuple[Owner, ...]:
        """Return the owners of the brand or company with exactly this name; empty if unknown."""
        ...
