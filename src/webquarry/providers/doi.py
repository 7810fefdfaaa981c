"""doi.org, the registry of all DOIs (https://www.doi.org/the-identifier/resources/)."""

from typing import ClassVar

from pydantic import Field

from webquarry.errors import ProviderError
from webquarry.models.works import Work
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.crossref_wire import CrossrefRecord
from webquarry.providers.provider import Keys, ProviderInfo, Wire
from webquarry.providers.works_wire import WORK_LIMITS, identifier_path

_CSL = "application/vnd.citationstyles.csl+json"
_FOUND, _NO_VALUES, _UNKNOWN = 1, 200, 100


class Doi:
    """Tells whether a DOI exists, whichever agency registered it. Needs no key."""

    about: ClassVar = ProviderInfo(
        name="doi",
        docs="https://www.doi.org/doi-handbook/HTML/proxy-server.html",
        base_url="https://doi.org",
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        self._api = upstreams.api(self.about.name, self.about.base_url, WORK_LIMITS)

    async def is_registered(self, doi: str) -> bool:
        response = await self._api.get(f"api/handles/{identifier_path(doi)}", expect=(404,))
        code = self._api.decode(_Handle, response).code
        if code in {_FOUND, _NO_VALUES, _UNKNOWN}:
            return code != _UNKNOWN
        raise ProviderError(
            f"Unavailable (doi): its handle server returned code {code}. Retry later.",
            provider=self.about.name,
        )

    async def work_by_doi(self, doi: str) -> Work | None:
        """Return the work from its registration agency; None if the DOI does not exist."""
        # 404: unknown DOI; 400: not a valid DOI
        response = await self._api.get(
            identifier_path(doi), headers={"Accept": _CSL}, expect=(400, 404)
        )
        if response.status != 200:
            return None
        return self._api.decode(CrossrefRecord, response).to_work("doi", notices_known=False)


class _Handle(Wire):
    code: int = Field(alias="responseCode")
