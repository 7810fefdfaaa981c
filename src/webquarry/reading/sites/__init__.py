"""The sites that are read through their APIs. To add one, write its module and list its class."""

from webquarry.net.upstream.upstreams import Upstreams
from webquarry.reading.sites.arxiv_site import ArxivSite
from webquarry.reading.sites.bluesky_site import BlueskySite
from webquarry.reading.sites.fxtwitter import FxTwitterSite
from webquarry.reading.sites.github_site import GitHubSite
from webquarry.reading.sites.google_patents_site import GooglePatentsSite
from webquarry.reading.sites.hackernews_site import HackerNewsSite
from webquarry.reading.sites.reddit_site import RedditSite
from webquarry.reading.sites.site import Keys, Site
from webquarry.reading.sites.youtube import YouTubeSite
from webquarry.settings.variable import Variable

SITES: tuple[type[Site], ...] = (
    ArxivSite,
    BlueskySite,
    FxTwitterSite,
    GitHubSite,
    GooglePatentsSite,
    HackerNewsSite,
    RedditSite,
    YouTubeSite,
)


def declared_variables() -> tuple[Variable, ...]:
    """Return the settings of all sites, each once."""
    return tuple(dict.fromkeys(v for cls in SITES for v in cls.about.declared()))


def build_sites(upstreams: Upstreams, keys: Keys) -> list[Site]:
    """Construct every site."""
    return [cls(upstreams, keys) for cls in SITES]
