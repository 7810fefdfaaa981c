"""What an archive of the web can be asked."""

from typing import ClassVar, Protocol, runtime_checkable

from webquarry.models.links import ArchiveResult, Snapshot
from webquarry.providers.provider import ProviderInfo


@runtime_checkable
class FindsSnapshots(Protocol):
    """Finds archived copies of pages."""

    about: ClassVar[ProviderInfo]

    async def snapshot(self, url: str, near: str | None = None) -> Snapshot | None:
        """Return the copy nearest to the day `near` (YYYY-MM-DD), or the latest; None for none."""
        ...


@runtime_checkable
class SavesPages(Protocol):
    """Takes fresh copies of pages."""

    about: ClassVar[ProviderInfo]

    async def save(self, url: str) -> ArchiveResult:
        """Ask for a copy; it may take longer than the call."""
        ...

    async def progress(self, job: str) -> ArchiveResult:
        """Return what became of a copy that was pending."""
        ...
