"""Monitors: how many, how often, and what is kept."""

from webquarry.settings.groups.group import SettingsGroup, setting
from webquarry.settings.value_types import duration, whole


class WatchSettings(SettingsGroup):
    """Monitors."""

    per_user: int = setting(
        "MONITORS_PER_USER", "Monitors that one user may have.", whole(1, 100_000), default=200
    )
    min_interval: float = setting(
        "MONITOR_MIN_INTERVAL",
        "Shortest time between two checks of a monitor.",
        duration("1s", "30d"),
        default=300.0,
    )
    at_once: int = setting(
        "MONITOR_CONCURRENCY",
        "Checks that one process runs concurrently.",
        whole(1, 256),
        default=8,
    )
    max_pages: int = setting(
        "MONITOR_MAX_PAGES",
        "Maximum number of pages of a site that a monitor crawls.",
        whole(1, 100_000),
        default=500,
    )
    versions: int = setting(
        "MONITOR_VERSIONS",
        "Versions that are kept of each monitor; the latest is always kept.",
        whole(2, 10_000),
        default=50,
    )
    retention: float = setting(
        "MONITOR_RETENTION",
        "How long changes and versions of monitors are kept.",
        duration("1d", "3650d"),
        default=90 * 86_400.0,
    )
