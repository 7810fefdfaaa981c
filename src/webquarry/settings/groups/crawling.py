"""How politely crawls go about it, how many there may be, and where they are kept."""

from typing import Annotated

from webquarry.settings.groups.group import SettingsGroup
from webquarry.settings.value_types import duration, matching, whole
from webquarry.settings.variable import Variable

# without a host it is a socket, which `url` would not accept
_POSTGRES = matching(r"postgres(?:ql)?://\S+", "a URL like postgresql://user@host/database")


class CrawlSettings(SettingsGroup):
    """Crawls."""

    delay: Annotated[
        float,
        Variable(
            "CRAWL_DELAY",
            "Time between two requests of crawls to one host; robots.txt may ask for more.",
            duration("0s", "60s"),
        ),
    ] = 0.5
    concurrency: Annotated[
        int,
        Variable("CRAWL_CONCURRENCY", "Pages one crawl reads at the same time.", whole(1, 256)),
    ] = 16
    host_concurrency: Annotated[
        int,
        Variable(
            "CRAWL_HOST_CONCURRENCY",
            "Pages read from one host at the same time, by all crawls of its domain together.",
            whole(1, 256),
        ),
    ] = 8
    timeout: Annotated[
        float, Variable("CRAWL_TIMEOUT", "How long one page may take.", duration("1s", "120s"))
    ] = 20.0
    at_once: Annotated[
        int, Variable("CRAWL_JOBS", "Crawls one process runs at the same time.", whole(1, 100))
    ] = 4
    per_user: Annotated[
        int,
        Variable(
            "CRAWL_JOBS_PER_USER", "Unfinished crawls that one user may have.", whole(1, 1000)
        ),
    ] = 5
    max_pages: Annotated[
        int, Variable("CRAWL_MAX_PAGES", "Pages one crawl may bring.", whole(1, 10_000_000))
    ] = 100_000
    ttl: Annotated[
        float,
        Variable("CRAWL_TTL", "How long a crawl and its pages are kept.", duration("1m", "365d")),
    ] = 7 * 86400.0
    database_url: Annotated[
        str,
        Variable(
            "DATABASE_URL",
            "Postgres for crawls that `webquarry worker` processes share; needs REDIS_URL too.",
            _POSTGRES,
            secret=True,
        ),
    ] = ""
