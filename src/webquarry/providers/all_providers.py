"""All providers. To add one, write its module and add its class to `PROVIDERS`."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.ar5iv import Ar5iv
from webquarry.providers.arxiv import Arxiv
from webquarry.providers.arxiv_html import ArxivHtml
from webquarry.providers.biorxiv import Biorxiv
from webquarry.providers.bluesky import Bluesky
from webquarry.providers.brave import Brave
from webquarry.providers.clinicaltrials import ClinicalTrials
from webquarry.providers.core import Core
from webquarry.providers.courtlistener import CourtListener
from webquarry.providers.crossref import Crossref
from webquarry.providers.datacite import DataCite
from webquarry.providers.doi import Doi
from webquarry.providers.duckduckgo import DuckDuckGo
from webquarry.providers.edgar import Edgar
from webquarry.providers.epo import Epo
from webquarry.providers.europepmc import EuropePmc
from webquarry.providers.eurostat import Eurostat
from webquarry.providers.exa import Exa
from webquarry.providers.fred import Fred
from webquarry.providers.github import GitHub
from webquarry.providers.google import Google
from webquarry.providers.google_patents import GooglePatents
from webquarry.providers.hackernews import HackerNews
from webquarry.providers.lens import LensOrg
from webquarry.providers.local import Local
from webquarry.providers.oecd import Oecd
from webquarry.providers.openalex import OpenAlex
from webquarry.providers.openlibrary import OpenLibrary
from webquarry.providers.patentsview import PatentsView
from webquarry.providers.perplexity import Perplexity
from webquarry.providers.provider import Keys, Provider
from webquarry.providers.pubmed import PubMed
from webquarry.providers.reddit import Reddit
from webquarry.providers.savepagenow import SavePageNow
from webquarry.providers.searchapi import SearchApi
from webquarry.providers.searxng import Searxng
from webquarry.providers.semanticscholar import SemanticScholar
from webquarry.providers.serper import Serper
from webquarry.providers.tavily import Tavily
from webquarry.providers.unpaywall import Unpaywall
from webquarry.providers.uspto import Uspto
from webquarry.providers.wayback import Wayback
from webquarry.providers.wikidata import Wikidata
from webquarry.providers.worldbank import WorldBank
from webquarry.providers.zotero import Zotero
from webquarry.settings.variable import Variable

PROVIDERS: tuple[type[Provider], ...] = (  # in order of preference
    Edgar,
    CourtListener,
    Fred,
    WorldBank,
    Oecd,
    Eurostat,
    ClinicalTrials,
    OpenAlex,
    Crossref,
    PubMed,
    EuropePmc,
    SemanticScholar,
    Arxiv,
    Core,
    DataCite,
    Doi,
    OpenLibrary,
    Unpaywall,
    Biorxiv,
    ArxivHtml,
    Ar5iv,
    Google,
    Brave,
    Serper,
    SearchApi,
    Tavily,
    Exa,
    Perplexity,
    Searxng,
    DuckDuckGo,
    HackerNews,
    Reddit,
    Bluesky,
    GitHub,
    Epo,
    LensOrg,
    Uspto,
    PatentsView,
    GooglePatents,
    SavePageNow,
    Wayback,
    Wikidata,
    Zotero,
    Local,
)
ProviderFactory = Callable[[Upstreams, Keys], Provider]


def declared_variables(classes: Iterable[type[Provider]] = PROVIDERS) -> tuple[Variable, ...]:
    """Return the settings of all providers, each once."""
    return tuple(dict.fromkeys(v for cls in classes for v in cls.about.all_variables()))


def key_advice(upstream: str) -> str:
    """Return which variable holds the key of an upstream, and where to get one."""
    about = next((cls.about for cls in PROVIDERS if cls.about.name == upstream), None)
    if about is None:
        return ""
    names = about.requires or tuple(v.name for v in about.variables if v.secret)
    if not names:
        return "It takes no key; it may refuse this network."
    return f"Check {' and '.join(names)}; for a key see {about.docs}."


def build_providers(
    upstreams: Upstreams,
    keys: Keys,
    classes: Iterable[type[Provider]] = PROVIDERS,
    *,
    factories: Mapping[type[Provider], ProviderFactory] = MappingProxyType({}),
) -> list[Provider]:
    """Construct the providers that have everything they require.

    `factories` construct those that share objects with the rest of the application.
    """
    ready = [cls for cls in classes if not cls.about.missing_variables(keys)]
    return [factories.get(cls, cls)(upstreams, keys) for cls in ready]
