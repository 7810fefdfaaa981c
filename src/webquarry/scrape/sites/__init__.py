"""The sites with interfaces of their own. To add one: write its file, add its class to `SITES`."""

from webquarry.net.upstreams import Upstreams
from webquarry.scrape.sites.arxiv import Arxiv
from webquarry.scrape.sites.base import Keys, Site
from webquarry.scrape.sites.bluesky import Bluesky
from webquarry.scrape.sites.fxtwitter import FxTwitter
from webquarry.scrape.sites.github import GitHub
from webquarry.scrape.sites.hackernews import HackerNews
from webquarry.scrape.sites.patents import GooglePatents
from webquarry.scrape.sites.reddit import Reddit
from webquarry.scrape.sites.youtube import YouTube
from webquarry.settings.variable import Variable

SITES: tuple[type[Site], ...] = (
    Arxiv,
    Bluesky,
    FxTwitter,
    GitHub,
    GooglePatents,
    HackerNews,
    Reddit,
    YouTube,
)


def declared_variables() -> tuple[Variable, ...]:
    """Return the settings of all sites, each once."""
    return tuple(dict.fromkeys(v for cls in SITES for v in cls.about.declared()))


def build_sites(upstreams: Upstreams, keys: Keys) -> list[Site]:
    """Construct every site."""
    return [cls(upstreams, keys) for cls in SITES]
