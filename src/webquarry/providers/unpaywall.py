"""Unpaywall, free copies of works (https://unpaywall.org/products/api)."""

from collections.abc import Iterable
from typing import ClassVar

from pydantic import Field

from webquarry.models.works import OpenCopy
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.provider import Keys, ProviderInfo, Wire
from webquarry.providers.works_wire import contact, in_path

UNPAYWALL_EMAIL = contact("UNPAYWALL_EMAIL", "Contact address; enables free copies by Unpaywall.")


class Unpaywall:
    """Tells where a work can be read for free. A contact address enables it."""

    about: ClassVar = ProviderInfo(
        name="unpaywall",
        docs="https://unpaywall.org/products/api",
        base_url="https://api.unpaywall.org/v2",
        variables=(UNPAYWALL_EMAIL,),
        requires=(UNPAYWALL_EMAIL.name,),
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        # an extra that must not keep the works waiting
        limits = ApiLimits(timeout=5, deadline=6, tries=2, per_second=20, burst=20)
        self._api = upstreams.api(self.about.name, self.about.base_url, limits)
        self._who = {"email": keys[UNPAYWALL_EMAIL.name]}

    async def open_copy(self, doi: str) -> OpenCopy | None:
        # 404 and 422: it does not know the DOI, or not even such a form of one
        response = await self._api.get(in_path(doi), params=self._who, expect=(404, 422))
        if response.status != 200:
            return None
        return self._api.decode(_Record, response).to_copy()


class _Location(Wire):
    pdf: str | None = Field(default=None, alias="url_for_pdf")
    landing: str | None = Field(default=None, alias="url_for_landing_page")
    url: str | None = None


class _Record(Wire):
    open: bool = Field(alias="is_oa")
    best: _Location | None = Field(default=None, alias="best_oa_location")
    others: tuple[_Location, ...] | None = Field(default=None, alias="oa_locations")

    def to_copy(self) -> OpenCopy:
        places = [each for each in (self.best, *(self.others or ())) if each]
        return OpenCopy(
            open=self.open,
            pdfUrl=_first(each.pdf for each in places),
            landingUrl=_first(each.landing or each.url for each in places),
        )


def _first(addresses: Iterable[str | None]) -> str | None:
    return next((address for address in addresses if address), None)
