"""Crawls: politeness, limits and storage."""

from webquarry.settings.groups.group import SettingsGroup, setting
from webquarry.settings.value_types import duration, many, matching, size, url, whole

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
    max_retry_after: float = setting(
        "CRAWL_MAX_RETRY_AFTER",
        "Longest Retry-After (or Crawl-delay) of a host that a crawl waits for; a host that asks "
        "for more is given up.",
        duration("1s", "1d"),
        default=1800.0,
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
    trap_window: int = setting(
        "CRAWL_TRAP_WINDOW",
        "Recent pages of one URL shape (like /list?page=) that must bring something new, or the "
        "rest is a trap; 0 turns this off.",
        whole(0, 10_000),
        default=32,
    )
    trap_new_percent: int = setting(
        "CRAWL_TRAP_NEW_PERCENT",
        "How many per cent of these pages must bring new content.",
        whole(1, 100),
        default=10,
    )
    max_pages: int = setting(
        "CRAWL_MAX_PAGES",
        "Maximum number of pages of one crawl.",
        whole(1, 10_000_000),
        default=100_000,
    )
    max_screenshot_bytes: int = setting(
        "CRAWL_MAX_SCREENSHOT_BYTES",
        "Maximum size of all screenshots of one crawl or batch; later pages have none.",
        size(0, 2**50),
        default=2**30,
    )
    ttl: float = setting(
        "CRAWL_TTL",
        "How long a crawl and its pages are kept.",
        duration("1m", "365d"),
        default=7 * 86400.0,
    )
    proxies: tuple[str, ...] = setting(
        "CRAWL_PROXIES",
        "Proxies that crawls and batches use in turn (http, https or socks5 URLs).",
        many(url("http", "https", "socks5", "socks5h")),
        default=(),
        secret=True,
    )
    webhook_secret: str = setting(
        "WEBHOOK_SECRET",
        "Secret that signs webhook notifications; without it, one is derived for each tenant "
        "(`webquarry keys webhook` shows it).",
        matching(r"\S{16,255}", "16 to 255 characters without spaces"),
        default="",
        secret=True,
    )
    webhook_retry: float = setting(
        "WEBHOOK_RETRY",
        "How long a webhook notification that was not accepted is sent again.",
        duration("0s", "7d"),
        default=12 * 3600.0,
    )
    database_url: str = setting(
        "DATABASE_URL",
        "Postgres for crawls that several `webquarry worker` processes share; requires "
        "REDIS_URL too.",
        _POSTGRES,
        default="",
        secret=True,
    )
