"""The tree of all settings, and the table of their declarations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from webquarry.settings.groups.audit import Audit
from webquarry.settings.groups.auth import Auth
from webquarry.settings.groups.base import Group
from webquarry.settings.groups.cache import Cache
from webquarry.settings.groups.crawling import Crawling
from webquarry.settings.groups.http import Http
from webquarry.settings.groups.limits import Limits
from webquarry.settings.groups.llm import Llm
from webquarry.settings.groups.logging import Logging
from webquarry.settings.groups.network import Network
from webquarry.settings.groups.people import People
from webquarry.settings.groups.research import Research
from webquarry.settings.groups.scraping import Scraping
from webquarry.settings.groups.search import Search
from webquarry.settings.groups.server import Server
from webquarry.settings.groups.sessions import Sessions
from webquarry.settings.groups.web_search import WebSearch
from webquarry.settings.variable import Variable, provider_of

# a new group is a file in groups/, a line here and a line in Settings
GROUPS: Mapping[str, type[Group]] = MappingProxyType(
    {
        "server": Server,
        "http": Http,
        "auth": Auth,
        "network": Network,
        "scraping": Scraping,
        "crawling": Crawling,
        "cache": Cache,
        "limits": Limits,
        "logging": Logging,
        "audit": Audit,
        "people": People,
        "search": Search,
        "research": Research,
        "llm": Llm,
        "sessions": Sessions,
        "web_search": WebSearch,
    }
)
KEYS = "keys"
BASE_URLS = "base_urls"


def _nothing() -> Mapping[str, str]:
    return MappingProxyType({})


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Everything a person can configure. `keys` and `base_urls` hold only what is set."""

    server: Server = field(default_factory=Server)
    http: Http = field(default_factory=Http)
    auth: Auth = field(default_factory=Auth)
    network: Network = field(default_factory=Network)
    scraping: Scraping = field(default_factory=Scraping)
    crawling: Crawling = field(default_factory=Crawling)
    cache: Cache = field(default_factory=Cache)
    limits: Limits = field(default_factory=Limits)
    logging: Logging = field(default_factory=Logging)
    audit: Audit = field(default_factory=Audit)
    people: People = field(default_factory=People)
    search: Search = field(default_factory=Search)
    research: Research = field(default_factory=Research)
    llm: Llm = field(default_factory=Llm)
    sessions: Sessions = field(default_factory=Sessions)
    web_search: WebSearch = field(default_factory=WebSearch)
    keys: Mapping[str, str] = field(default_factory=_nothing, repr=False)  # by variable name
    base_urls: Mapping[str, str] = field(default_factory=_nothing)  # by provider name
    sources: Mapping[str, str] = field(default_factory=_nothing, repr=False)  # of what was set
    declared: tuple[Variable, ...] = field(default=(), repr=False)  # what providers added

    @property
    def isolated(self) -> bool:
        """Return whether each tenant has a cache of its own: as set, else when there are any."""
        chosen = "CACHE_ISOLATION" in self.sources
        return self.cache.isolation == "tenant" or (self.auth.demanded and not chosen)


@dataclass(frozen=True)
class Declaration:
    """One variable and its place in the tree and in webquarry.toml."""

    group: str
    key: str
    variable: Variable

    @property
    def default(self) -> Any:
        """Return the value when nobody sets it; provider variables have none."""
        owner = GROUPS.get(self.group)
        return owner.default(self.key) if owner else None

    @property
    def name(self) -> str:
        """Return the name of the environment variable."""
        return self.variable.name


def declarations(declared: Sequence[Variable] = ()) -> Mapping[str, Declaration]:
    """Return every declaration by variable name, those of providers last."""
    table = {
        variable.name: Declaration(group, key, variable)
        for group, owner in GROUPS.items()
        for key, variable in owner.variables().items()
    }
    for variable in declared:
        known = table.get(variable.name)
        if known and known.variable != variable:
            raise ValueError(f"{variable.name} is declared twice, differently")
        table[variable.name] = _of_provider(variable)
    return table


def _of_provider(variable: Variable) -> Declaration:
    provider = provider_of(variable)
    if provider:
        return Declaration(BASE_URLS, provider, variable)
    return Declaration(KEYS, variable.name.lower(), variable)


def declared_names(declared: Sequence[Variable] = ()) -> tuple[str, ...]:
    """Return the names of all variables that have an effect."""
    return tuple(declarations(declared))


def secret_names(declared: Sequence[Variable] = ()) -> tuple[str, ...]:
    """Return the names of the variables whose values must never be shown."""
    return tuple(name for name, entry in declarations(declared).items() if entry.variable.secret)
