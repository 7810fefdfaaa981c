"""What every site reader declares."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from pydantic import BaseModel, ConfigDict

from webquarry.models.page import PageMetadata
from webquarry.models.reading import Reading
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import Url
from webquarry.settings.variable import Variable, base_url

Keys = Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class SiteInfo:
    """Facts about a site. Its settings and its part of the documentation follow from them."""

    name: str
    hosts: tuple[str, ...]  # with all their subdomains
    base_url: str
    docs: str
    variables: tuple[Variable, ...] = ()

    def declared(self) -> tuple[Variable, ...]:
        """Return every setting of this site, its base URL included."""
        return (*self.variables, base_url(self.name, self.base_url))


def site_reading(
    url: Url, kind: str, markdown: str, metadata: PageMetadata, **fields: Any
) -> Reading:
    """Return the reading of a page whose content came from an API."""
    return Reading(
        url=url.href, final_url=url.href, kind=kind, markdown=markdown, metadata=metadata, **fields
    )


class SiteWire(BaseModel):
    """Part of an upstream payload. Fields that are not read are ignored."""

    # built at first use: startup would otherwise build the models of every upstream
    model_config = ConfigDict(
        frozen=True, extra="ignore", defer_build=True, coerce_numbers_to_str=True
    )


class Site(Protocol):
    """Reads one site through its API, which returns more than its pages show."""

    about: ClassVar[SiteInfo]

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None: ...

    def handles(self, url: Url) -> bool:
        """Return whether the API has this page, which is on one of the hosts."""
        ...

    async def read(self, url: Url) -> Reading:
        """Return the page. After any error but "not found" and "login" the tiers try it."""
        ...

    def fallback_url(self, url: Url) -> Url:
        """Return the URL at which the tiers try to read the page."""
        return url

    def annotate(self, reading: Reading) -> Reading:
        """Return a page that a tier has read with what the site's markup says about it."""
        return reading
