"""The base of every provider: its facts, its payload models, its protocol."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Protocol

from pydantic import BaseModel, ConfigDict

from webquarry.net.upstream.upstreams import Upstreams
from webquarry.settings.value_types import EMAIL
from webquarry.settings.variable import Variable, base_url

Keys = Mapping[str, str]


# Contact address for the scholarly and public APIs that ask for one.
OPENALEX_EMAIL = Variable(
    "OPENALEX_EMAIL", "Contact e-mail address for providers that ask for one.", EMAIL
)


@dataclass(frozen=True, kw_only=True)
class ProviderInfo:
    """Facts about a provider; settings, docs, `.env.example` and routing follow from them."""

    name: str
    docs: str
    base_url: str
    variables: tuple[Variable, ...] = ()  # keys and contact addresses
    requires: tuple[str, ...] = ()  # variables it needs
    setting: str = ""  # name of its base URL setting, if not `name`

    def all_variables(self) -> tuple[Variable, ...]:
        """Return every setting of this provider, with its base URL."""
        return (*self.variables, base_url(self.setting or self.name, self.base_url))

    def missing_variables(self, keys: Keys) -> tuple[str, ...]:
        """Return the required variables that are not set."""
        return tuple(name for name in self.requires if not keys.get(name))


class Wire(BaseModel):
    """A fragment of an upstream payload. Unknown fields are ignored."""

    # built at first use: otherwise each start would build the models of all upstreams
    model_config = ConfigDict(frozen=True, extra="ignore", defer_build=True)


class Provider(Protocol):
    """One upstream API. It offers a capability by having that capability's method."""

    about: ClassVar[ProviderInfo]

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None: ...
