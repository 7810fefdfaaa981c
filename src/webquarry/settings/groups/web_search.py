"""Searching through a pool of SearXNG instances (seed 003's `[web_search]` table)."""

from collections.abc import Iterable

from webquarry.settings.groups.group import SettingsGroup, flag, setting
from webquarry.settings.value_types import duration, many, size, whole

_RESULTS = whole(1, 50)


class WebSearchSettings(SettingsGroup):
    """The SearXNG pool, and the results of `searxng_search`."""

    default_results_count: int = setting(
        "WEB_SEARCH_DEFAULT_RESULTS_COUNT",
        "Number of results if a call does not specify one.",
        _RESULTS,
        default=10,
    )
    max_results_count: int = setting(
        "WEB_SEARCH_MAX_RESULTS_COUNT",
        "Maximum number of results of one call.",
        _RESULTS,
        default=50,
    )
    max_concurrent_fetches: int = setting(
        "WEB_SEARCH_MAX_CONCURRENT_FETCHES",
        "Result pages read concurrently.",
        whole(1, 50),
        default=5,
    )
    default_timeout: float = setting(
        "WEB_SEARCH_DEFAULT_TIMEOUT",
        "Timeout of one search, across all instances tried.",
        duration("1s", "110s"),
        default=30.0,
    )
    content_fetch_timeout: float = setting(
        "WEB_SEARCH_CONTENT_FETCH_TIMEOUT",
        "Timeout for reading one result page.",
        duration("1s", "110s"),
        default=45.0,
    )
    max_content_size: int = setting(
        "WEB_SEARCH_MAX_CONTENT_SIZE",
        "Maximum bytes read from one result page.",
        size(2**10, 2**30),
        default=2_000_000,
    )
    instance_health_check_interval: float = setting(
        "WEB_SEARCH_INSTANCE_HEALTH_CHECK_INTERVAL",
        "How often the instances are checked while there are searches.",
        duration("10s", "1d"),
        default=300.0,
    )
    max_consecutive_failures: int = setting(
        "WEB_SEARCH_MAX_CONSECUTIVE_FAILURES",
        "Consecutive failures after which an instance is not used until it has recovered.",
        whole(1, 1000),
        default=3,
    )
    rate_limit_backoff_base: float = setting(
        "WEB_SEARCH_RATE_LIMIT_BACKOFF_BASE",
        "First pause after a rate limit without Retry-After; it doubles each time.",
        duration("1s", "1h"),
        default=60.0,
    )
    rotate_user_agents: bool = flag(
        "WEB_SEARCH_ROTATE_USER_AGENTS",
        "Whether each request to an instance uses a different User-Agent.",
        default=True,
    )
    request_delay_range: tuple[int, ...] = setting(
        "WEB_SEARCH_REQUEST_DELAY_RANGE",
        "Minimum and maximum random delay between two requests to one instance, in "
        "milliseconds; 0,0 for none.",
        many(whole(0, 60_000)),
        default=(100, 500),
    )
    use_random_instances: bool = flag(
        "WEB_SEARCH_USE_RANDOM_INSTANCES",
        "Whether instances of one grade are used in random instead of fixed order.",
        default=True,
    )
    summarize_long_content: bool = flag(
        "WEB_SEARCH_SUMMARIZE_LONG_CONTENT", "Whether page content gets a summary.", default=True
    )
    max_summary_length: int = setting(
        "WEB_SEARCH_MAX_SUMMARY_LENGTH",
        "Maximum number of characters of a summary.",
        whole(50, 10_000),
        default=500,
    )
    extract_code_blocks: bool = flag(
        "WEB_SEARCH_EXTRACT_CODE_BLOCKS",
        "Whether page content keeps the page's code blocks.",
        default=True,
    )
    # beyond the seed's table
    catalogue_refresh_interval: float = setting(
        "WEB_SEARCH_CATALOGUE_REFRESH_INTERVAL",
        "How often SEARXNG_CATALOGUE is read again while there are searches.",
        duration("1m", "30d"),
        default=21_600.0,
    )
    respect_robots: bool = flag(
        "WEB_SEARCH_RESPECT_ROBOTS",
        "Check robots.txt before `searxng_search` reads a result page.",
        default=True,
    )

    def conflicts(self) -> Iterable[str]:
        """Reject contradictory limits."""
        if self.default_results_count > self.max_results_count:
            yield (
                f"WEB_SEARCH_DEFAULT_RESULTS_COUNT is {self.default_results_count}, more than "
                f"WEB_SEARCH_MAX_RESULTS_COUNT ({self.max_results_count})"
            )
        if len(self.request_delay_range) != 2 or list(self.request_delay_range) != sorted(
            self.request_delay_range
        ):
            yield (
                "WEB_SEARCH_REQUEST_DELAY_RANGE must be two numbers of milliseconds, the shorter "
                "first, like 100,500"
            )
