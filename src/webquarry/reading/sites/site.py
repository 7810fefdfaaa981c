"""What every site file declares."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Protocol

from pydantic import BaseModel, ConfigDict

from webquarry.models.reading import Reading
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import Url
from webquarry.settings.variable import Variable, base_url

Keys = Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class SiteInfo:
    """Facts about a site; its settings and documents follow from them."""

    name: str
    base_url: str
    docs: str
    variables: tuple[Variable, ...] = ()

    def declared(self) -> tuple[Variable, ...]:
        """Return every setting of this site, its address included."""
        return (*self.variables, base_url(self.name, self.base_url))


class SiteWire(BaseModel):
    """A fragment of an upstream payload. Fields we do not read are ignored."""

    # built at first use: a start would otherwise pay for every upstream there is
    model_config = ConfigDict(
        frozen=True, extra="ignore", defer_build=True, coerce_numbers_to_str=True
    )


class Site(Protocol):
    """A site whose own interface says more than its pages."""

    about: ClassVar[SiteInfo]

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None: ...

    def handles(self, url: Url) -> bool:
        """Tell whether this is an address the site's interface can answer."""
        ...

    async def read(self, url: Url) -> Reading:
        """Return what the address shows; any error but not found leaves it to the tiers."""
        ...

    def page(self, url: Url) -> Url:
        """Return where the tiers find the page when the interface does not answer."""
        return url
