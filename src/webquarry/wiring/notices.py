"""Who tells the readers of pages about retractions."""

from webquarry.models.reading import RetractionStatus
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.provider import Keys


class Notices:
    """Asks Crossref, which is loaded when the first scholarly page is read."""

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        self._upstreams = upstreams
        self._keys = keys

    async def status(self, doi: str) -> RetractionStatus | None:
        """Return the gravest notice about a work; raise when nobody could tell."""
        from webquarry.providers.crossref import Crossref

        return await Crossref(self._upstreams, self._keys).status(doi)
