"""Unpaywall, free copies of works (https://unpaywall.org/products/api)."""

from collections.abc import Iterable
from typing import ClassVar

from pydantic import Field

from webquarry.models.model import Items
from webquarry.models.works import OpenCopy, OpenLocation
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.provider import Keys, ProviderInfo, Wire
from webquarry.providers.works_wire import contact_variable, identifier_path

UNPAYWALL_EMAIL = contact_variable(
    "UNPAYWALL_EMAIL", "Contact e-mail address; enables free copies from Unpaywall."
)


class Unpaywall:
    """Finds free copies of works. A contact address enables it."""

    about: ClassVar = ProviderInfo(
        name="unpaywall",
        docs="https://unpaywall.org/products/api",
        base_url="https://api.unpaywall.org/v2",
        variables=(UNPAYWALL_EMAIL,),
        requires=(UNPAYWALL_EMAIL.name,),
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        # optional data, so the limits are short
        limits = ApiLimits(timeout=5, deadline=6, tries=2, per_second=20, burst=20)
        self._api = upstreams.api(self.about.name, self.about.base_url, limits)
        self._identity = {"email": keys[UNPAYWALL_EMAIL.name]}

    async def open_copy(self, doi: str) -> OpenCopy | None:
        # 404: unknown DOI; 422: not a valid DOI
        response = await self._api.get(
            identifier_path(doi), params=self._identity, expect=(404, 422)
        )
        if response.status != 200:
            return None
        return self._api.decode(_Record, response).to_copy()


class _Location(Wire):
    pdf: str | None = Field(default=None, alias="url_for_pdf")
    landing: str | None = Field(default=None, alias="url_for_landing_page")
    url: str | None = None
    licence: str | None = Field(default=None, alias="license")
    version: str | None = None

    @property
    def has_url(self) -> bool:
        return bool(self.pdf or self.landing or self.url)

    def to_location(self) -> OpenLocation:
        return OpenLocation(
            pdf=self.pdf,
            page=self.landing or self.url,
            licence=self.licence,
            version=self.version,
        )


class _Record(Wire):
    open: bool = Field(alias="is_oa")
    best: _Location | None = Field(default=None, alias="best_oa_location")
    others: Items[_Location] = Field(default=(), alias="oa_locations")

    def to_copy(self) -> OpenCopy:
        locations = [each for each in (self.best, *self.others) if each]
        return OpenCopy(
            open=self.open,
            pdfUrl=_first(each.pdf for each in locations),
            landingUrl=_first(each.landing or each.url for each in locations),
            locations=tuple(
                dict.fromkeys(each.to_location() for each in locations if each.has_url)
            ),
        )


def _first(urls: Iterable[str | None]) -> str | None:
    return next((url for url in urls if url), None)
