"""bioRxiv and medRxiv, preprints of the life sciences and of medicine (https://api.biorxiv.org)."""

from typing import ClassVar

from pydantic import Field

from webquarry.content.citations.identifiers import doi_key
from webquarry.models.model import Items
from webquarry.models.paper_text import FullTextFile, PaperIds
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.http_port import ApiRequest
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import in_domains, parse
from webquarry.providers.provider import Keys, ProviderInfo, Wire
from webquarry.providers.works_wire import identifier_path

_PREFIXES = ("10.1101/", "10.64898/")
_SERVERS = ("biorxiv", "medrxiv")
_HOSTS = ("biorxiv.org", "medrxiv.org")
_LIMITS = ApiLimits(timeout=15, deadline=20, tries=2, per_second=2, burst=2)


class Biorxiv:
    """Has the texts of preprints. Needs no key."""

    about: ClassVar = ProviderInfo(
        name="biorxiv", docs="https://api.biorxiv.org", base_url="https://api.biorxiv.org"
    )
    full_text_ids: ClassVar = frozenset({"doi"})

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        self._api = upstreams.api(self.about.name, self.about.base_url, _LIMITS)

    async def full_text(self, ids: PaperIds) -> FullTextFile | None:
        doi = ids.doi or ""
        if not doi.startswith(_PREFIXES):
            return None
        for server in _SERVERS:
            path = f"details/{server}/{identifier_path(doi)}/na/json"
            page = self._api.decode(_Page, await self._api.get(path))
            versions = [each for each in page.versions if doi_key(each.doi) == doi_key(doi)]
            if versions:
                return await self._file(versions[-1], server)
        return None

    async def _file(self, preprint: "_Preprint", server: str) -> FullTextFile | None:
        if not preprint.jats or not self._is_theirs(preprint.jats):
            return None
        response = await self._api.send(ApiRequest(url=preprint.jats), expect=(404,))
        if response.status != 200:
            return None
        version = f"v{preprint.version}" if preprint.version else None
        return FullTextFile(
            content=response.content,
            format="jats",
            url=f"https://www.{server}.org/content/{preprint.doi}{version or ''}.full",
            licence=(preprint.licence or "").replace("_", "-") or None,
            version=f"preprint {version}" if version else "preprint",
        )

    def _is_theirs(self, url: str) -> bool:
        """Return whether a URL in a record is one of the servers, or of the configured API."""
        host = parse(url).host
        return in_domains(host, _HOSTS) or host == parse(self._api.base_url).host


class _Preprint(Wire):
    doi: str
    version: str | int | None = None
    licence: str | None = Field(default=None, alias="license")
    jats: str | None = Field(default=None, alias="jatsxml")


class _Page(Wire):
    versions: Items[_Preprint] = Field(alias="collection")
