"""Crawls: politeness, limits and storage."""

from webquarry.settings.groups.group import SettingsGroup, setting
from webquarry.settings.value_types import duration, matching, whole

# not `url`: a Postgres URL without a host means a local socket
_POSTGRES = matching(r"postgres(?:ql)?://\S+", "a URL like postgresql://user@host/database")


class CrawlSettings(SettingsGroup):
    """Crawls."""

    delay: float = setting(
        "CRAWL_DELAY",
        "Minimum time between two crawl requests to one host; robots.txt may require more.",
        duration("0s", "60s"),
        default=0.5,
    )
    concurrency: int = setting(
        "CRAWL_CONCURRENCY", "Pages that one crawl fetches concurrently.", whole(1, 256), default=16
    )
    host_concurrency: int = setting(
        "CRAWL_HOST_CONCURRENCY",
        "Pages fetched concurrently from one host, by all crawls of its domain.",
        whole(1, 256),
        default=8,
    )
    timeout: float = setting(
        "CRAWL_TIMEOUT", "How long one page may take.", duration("1s", "120s"), default=20.0
    )
    at_once: int = setting(
        "CRAWL_JOBS", "Crawls that one process runs concurrently.", whole(1, 100), default=4
    )
    per_user: int = setting(
        "CRAWL_JOBS_PER_USER",
        "Unfinished crawls that one user may have.",
        whole(1, 1000),
        default=5,
    )
    max_pages: int = setting(
        "CRAWL_MAX_PAGES",
        "Maximum number of pages of one crawl.",
        whole(1, 10_000_000),
        default=100_000,
    )
    ttl: float = setting(
        "CRAWL_TTL",
        "How long a crawl and its pages are kept.",
        duration("1m", "365d"),
        default=7 * 86400.0,
    )
    database_url: str = setting(
        "DATABASE_URL",
        "Postgres for crawls that several `webquarry worker` processes share; requires "
        "REDIS_URL too.",
        _POSTGRES,
        default="",
        secret=True,
    )
