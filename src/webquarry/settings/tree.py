"""All settings by group, and the table of their declarations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any

from webquarry.settings.groups.audit import AuditSettings
from webquarry.settings.groups.auth import AuthSettings
from webquarry.settings.groups.browsing import BrowsingSettings
from webquarry.settings.groups.cache import CacheSettings
from webquarry.settings.groups.clients import ClientSettings
from webquarry.settings.groups.compat import CompatSettings
from webquarry.settings.groups.crawling import CrawlSettings
from webquarry.settings.groups.evidence import EvidenceSettings
from webquarry.settings.groups.group import SettingsGroup
from webquarry.settings.groups.http import HttpSettings
from webquarry.settings.groups.limits import LimitSettings
from webquarry.settings.groups.llm import LlmSettings
from webquarry.settings.groups.logging import LoggingSettings
from webquarry.settings.groups.network import NetworkSettings
from webquarry.settings.groups.people import PeopleSettings
from webquarry.settings.groups.research import ResearchSettings
from webquarry.settings.groups.scraping import ScrapingSettings
from webquarry.settings.groups.search import SearchSettings
from webquarry.settings.groups.server import ServerSettings
from webquarry.settings.groups.sessions import SessionSettings
from webquarry.settings.groups.watching import WatchSettings
from webquarry.settings.groups.web_search import WebSearchSettings
from webquarry.settings.variable import Variable, provider_of

KEYS = "keys"
BASE_URLS = "base_urls"


def _empty() -> Mapping[str, str]:
    return MappingProxyType({})


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Everything a person can configure. `keys` and `base_urls` hold only what is set.

    A new group is a file in groups/ and a line here.
    """

    server: ServerSettings = field(default_factory=ServerSettings)
    clients: ClientSettings = field(default_factory=ClientSettings)
    http: HttpSettings = field(default_factory=HttpSettings)
    compat: CompatSettings = field(default_factory=CompatSettings)
    auth: AuthSettings = field(default_factory=AuthSettings)
    network: NetworkSettings = field(default_factory=NetworkSettings)
    scraping: ScrapingSettings = field(default_factory=ScrapingSettings)
    browsing: BrowsingSettings = field(default_factory=BrowsingSettings)
    crawling: CrawlSettings = field(default_factory=CrawlSettings)
    cache: CacheSettings = field(default_factory=CacheSettings)
    limits: LimitSettings = field(default_factory=LimitSettings)
    logging: LoggingSettings = field(default_factory=LoggingSettings)
    audit: AuditSettings = field(default_factory=AuditSettings)
    people: PeopleSettings = field(default_factory=PeopleSettings)
    search: SearchSettings = field(default_factory=SearchSettings)
    research: ResearchSettings = field(default_factory=ResearchSettings)
    llm: LlmSettings = field(default_factory=LlmSettings)
    sessions: SessionSettings = field(default_factory=SessionSettings)
    evidence: EvidenceSettings = field(default_factory=EvidenceSettings)
    watching: WatchSettings = field(default_factory=WatchSettings)
    web_search: WebSearchSettings = field(default_factory=WebSearchSettings)
    keys: Mapping[str, str] = field(default_factory=_empty, repr=False)  # by variable name
    base_urls: Mapping[str, str] = field(default_factory=_empty)  # by provider name
    sources: Mapping[str, str] = field(default_factory=_empty, repr=False)  # by variable
    declared: tuple[Variable, ...] = field(default=(), repr=False)  # by providers
    ignored: tuple[str, ...] = ()  # names in the `.env` of another project

    @property
    def isolated(self) -> bool:
        """Return whether tenants share no cache; by default so if callers must authenticate."""
        is_set = "CACHE_ISOLATION" in self.sources
        return self.cache.isolation == "tenant" or (self.auth.required and not is_set)


def ignored_note(settings: Settings) -> str:
    """Say which names in a `.env` were not read, and how to have them read."""
    if not settings.ignored:
        return ""
    return (
        f".env: {', '.join(settings.ignored)} ignored, because this file may belong to another "
        "project. Write WEBQUARRY_ before the name, rename the file to webquarry.env, or use "
        "--env-file .env."
    )


GROUPS: Mapping[str, type[SettingsGroup]] = MappingProxyType(
    {
        entry.name: entry.default_factory
        for entry in fields(Settings)
        if isinstance(entry.default_factory, type)
    }
)


@dataclass(frozen=True)
class Declaration:
    """One variable, with its group and key in `Settings` and webquarry.toml."""

    group: str
    key: str
    variable: Variable

    @property
    def default(self) -> Any:
        """Return the default value; variables of providers have none."""
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
            raise ValueError(f"{variable.name} is declared twice with different definitions")
        table[variable.name] = _provider_declaration(variable)
    return table


def _provider_declaration(variable: Variable) -> Declaration:
    provider = provider_of(variable)
    if provider:
        return Declaration(BASE_URLS, provider, variable)
    return Declaration(KEYS, variable.name.lower(), variable)


def secret_names(declared: Sequence[Variable] = ()) -> tuple[str, ...]:
    """Return the names of the variables whose values must never be shown."""
    return tuple(name for name, entry in declarations(declared).items() if entry.variable.secret)
