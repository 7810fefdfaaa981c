"""The tiers over real servers on loopback."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Literal

from tests.net.fetching import LOCAL, loopback
from webquarry.net.fetch import Fetcher
from webquarry.net.guard.resolver import Resolver
from webquarry.net.guard.server import Guard
from webquarry.net.policy import Policy
from webquarry.reading.documents.document_reader import Documents
from webquarry.reading.response_reader import ResponseReader
from webquarry.reading.tiers.http_tier import FetchLimits, HttpTier

PROSE = b"<p>Owls hunt at night and sleep by day, in forests, in barns and in old towers.</p>" * 2


@asynccontextmanager
async def http_tier(
    name: Literal["stealth", "html"] = "stealth",
    *,
    policy: Policy = LOCAL,
    bounds: FetchLimits | None = None,
) -> AsyncGenerator[HttpTier]:
    """A tier whose outside is this machine."""
    documents = Documents()
    async with Guard(Resolver(policy, lookup=loopback)) as guard:
        fetcher = Fetcher(guard)
        yield HttpTier(
            name=name,
            timeout=20,
            fetcher=fetcher,
            readers=ResponseReader(documents),
            bounds=bounds or FetchLimits(),
        )
        fetcher.close()
        await documents.aclose()
