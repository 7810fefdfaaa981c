"""Searching through a pool of SearXNG instances (seed 003's `[web_search]` table)."""

from collections.abc import Iterable
from typing import Annotated

from webquarry.settings.groups.group import SettingsGroup
from webquarry.settings.value_types import FLAG, duration, many, size, whole
from webquarry.settings.variable import Variable

_RESULTS = whole(1, 50)


class WebSearchSettings(SettingsGroup):
    """The SearXNG pool and what `searxng_search` makes of its results."""

    default_results_count: Annotated[
        int,
        Variable("WEB_SEARCH_DEFAULT_RESULTS_COUNT", "Results when a call names none.", _RESULTS),
    ] = 10
    max_results_count: Annotated[
        int, Variable("WEB_SEARCH_MAX_RESULTS_COUNT", "Most results of one call.", _RESULTS)
    ] = 50
    max_concurrent_fetches: Annotated[
        int,
        Variable(
            "WEB_SEARCH_MAX_CONCURRENT_FETCHES",
            "Result pages that are read at the same time.",
            whole(1, 50),
        ),
    ] = 5
    default_timeout: Annotated[
        float,
        Variable(
            "WEB_SEARCH_DEFAULT_TIMEOUT",
            "How long one search may take, over all instances asked.",
            duration("1s", "110s"),
        ),
    ] = 30.0
    content_fetch_timeout: Annotated[
        float,
        Variable(
            "WEB_SEARCH_CONTENT_FETCH_TIMEOUT",
            "How long reading one result page may take.",
            duration("1s", "110s"),
        ),
    ] = 45.0
    max_content_size: Annotated[
        int,
        Variable(
            "WEB_SEARCH_MAX_CONTENT_SIZE",
            "Most bytes that are read of one result page.",
            size(2**10, 2**30),
        ),
    ] = 2_000_000
    instance_health_check_interval: Annotated[
        float,
        Variable(
            "WEB_SEARCH_INSTANCE_HEALTH_CHECK_INTERVAL",
            "How often the instances are checked while searches go on.",
            duration("10s", "1d"),
        ),
    ] = 300.0
    max_consecutive_failures: Annotated[
        int,
        Variable(
            "WEB_SEARCH_MAX_CONSECUTIVE_FAILURES",
            "Failures in a row after which an instance is left out until it is well again.",
            whole(1, 1000),
        ),
    ] = 3
    rate_limit_backoff_base: Annotated[
        float,
        Variable(
            "WEB_SEARCH_RATE_LIMIT_BACKOFF_BASE",
            "First pause of an instance that limits us without saying how long; it doubles.",
            duration("1s", "1h"),
        ),
    ] = 60.0
    rotate_user_agents: Annotated[
        bool,
        Variable(
            "WEB_SEARCH_ROTATE_USER_AGENTS",
            "Whether every request to an instance names another browser.",
            FLAG,
        ),
    ] = True
    request_delay_range: Annotated[
        tuple[int, ...],
        Variable(
            "WEB_SEARCH_REQUEST_DELAY_RANGE",
            "Shortest and longest random pause between two requests to one instance, "
            "in milliseconds; 0,0 for none.",
            many(whole(0, 60_000)),
        ),
    ] = (100, 500)
    use_random_instances: Annotated[
        bool,
        Variable(
            "WEB_SEARCH_USE_RANDOM_INSTANCES",
            "Whether instances of one grade take turns in random rather than fixed order.",
            FLAG,
        ),
    ] = True
    summarize_long_content: Annotated[
        bool,
        Variable("WEB_SEARCH_SUMMARIZE_LONG_CONTENT", "Whether page content gets a summary.", FLAG),
    ] = True
    max_summary_length: Annotated[
        int,
        Variable(
            "WEB_SEARCH_MAX_SUMMARY_LENGTH", "Most characters of a summary.", whole(50, 10_000)
        ),
    ] = 500
    extract_code_blocks: Annotated[
        bool,
        Variable(
            "WEB_SEARCH_EXTRACT_CODE_BLOCKS",
            "Whether page content keeps the page's code blocks.",
            FLAG,
        ),
    ] = True
    # beyond the seed's table
    catalogue_refresh_interval: Annotated[
        float,
        Variable(
            "WEB_SEARCH_CATALOGUE_REFRESH_INTERVAL",
            "How often SEARXNG_CATALOGUE is read again while searches go on.",
            duration("1m", "30d"),
        ),
    ] = 21_600.0

    def conflicts(self) -> Iterable[str]:
        """Refuse bounds that contradict each other."""
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
