"""The remaining quotas of a caller, from everything that limits calls."""

from collections.abc import Awaitable, Callable, Sequence

from webquarry.models.caller import Caller
from webquarry.models.quota import Quota

QuotaSource = Callable[[Caller], Awaitable[Sequence[Quota]]]


class Quotas:
    """Collects quotas from the sources that are registered at startup."""

    def __init__(self) -> None:
        self._sources: list[QuotaSource] = []

    def register(self, source: QuotaSource) -> None:
        """Add a source of quotas."""
        self._sources.append(source)

    async def for_caller(self, caller: Caller) -> list[Quota]:
        """Return every limit that applies to the caller, without counting a call."""
        return [quota for source in self._sources for quota in await source(caller)]
