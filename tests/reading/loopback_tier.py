"""HTTP tiers for tests against servers on loopback."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Literal

from tests.net.fetching import LOCAL, loopback
from webquarry.net.fetch import Fetcher
from webquarry.net.guard.resolver import Resolver
from webquarry.net.guard.server import Guard
from webquarry.net.policy import Policy
from webquarry.reading.documents.document_reader import DocumentReader
from webquarry.reading.response_reader import ResponseReader
from webquarry.reading.tiers.http_tier import FetchLimits, HttpTier

PROSE = b"<p>Owls hunt at night and sleep by day, in forests, in barns and in old towers.</p>" * 2


@asynccontextmanager
async def http_tier(
    name: Literal["stealth", "html"] = "stealth",
    *,
    policy: Policy = LOCAL,
    limits: FetchLimits | None = None,
) -> AsyncGenerator[HttpTier]:
    """Open an HTTP tier whose test hosts resolve to loopback."""
    documents = DocumentReader()
    async with Guard(Resolver(policy, lookup=loopback)) as guard:
        fetcher = Fetcher(guard)
        try:
            yield HttpTier(
                name=name,
                timeout=20,
                fetcher=fetcher,
                responses=ResponseReader(documents),
                limits=limits or FetchLimits(),
            )
        finally:
            fetcher.close()
            await documents.aclose()
