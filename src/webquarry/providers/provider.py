"""What every provider file declares."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Protocol

from pydantic import BaseModel, ConfigDict

from webquarry.net.upstream.upstreams import Upstreams
from webquarry.settings.value_types import EMAIL
from webquarry.settings.variable import Variable, base_url

Keys = Mapping[str, str]

# The address many a scholarly or public source wants to know; one for all will do.
OPENALEX_EMAIL = Variable("OPENALEX_EMAIL", "Contact address for sources that ask for one.", EMAIL)


@dataclass(frozen=True, kw_only=True)
class ProviderInfo:
    """Facts about a provider; settings, docs, `.env.example` and routing follow from them."""

    name: str
    docs: str
    base_url: str
    variables: tuple[Variable, ...] = ()  # keys and contacts it reads
    requires: tuple[str, ...] = ()  # those it cannot work without
    setting: str = ""  # what its address is called in the settings, where that is not its name

    def declared(self) -> tuple[Variable, ...]:
        """Return every setting of this provider, its address included."""
        return (*self.variables, base_url(self.setting or self.name, self.base_url))

    def missing(self, keys: Keys) -> tuple[str, ...]:
        """Return the required variables that are not set."""
        return tuple(name for name in self.requires if not keys.get(name))


class Wire(BaseModel):
    """A fragment of an upstream payload. Fields we do not read are ignored."""

    # built at first use: a start would otherwise pay for every upstream there is
    model_config = ConfigDict(frozen=True, extra="ignore", defer_build=True)


class Provider(Protocol):
    """One upstream API. It offers a capability by having that capability's method."""

    about: ClassVar[ProviderInfo]

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None: ...
