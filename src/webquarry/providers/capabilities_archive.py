"""Protocols of web archives."""

from typing import ClassVar, Protocol, runtime_checkable

from webquarry.models.links import ArchiveResult, Snapshot
from webquarry.providers.provider import ProviderInfo


@runtime_checkable
class FindsSnapshots(Protocol):
    """Finds archived copies of pages."""

    about: ClassVar[ProviderInfo]

    async def snapshot(self, url: str, near: str | None = None) -> Snapshot | None:
        """Return the copy nearest to the day `near` (YYYY-MM-DD), or the latest, if any."""
        ...


@runtime_checkable
class SavesPages(Protocol):
    """Captures pages."""

    about: ClassVar[ProviderInfo]

    async def save(self, url: str) -> ArchiveResult:
        """Request a capture; it may take longer than the call."""
        ...

    async def progress(self, job: str) -> ArchiveResult:
        """Return the state of a pending capture."""
        ...
