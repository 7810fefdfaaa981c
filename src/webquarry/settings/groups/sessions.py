"""Limits of research sessions."""

from webquarry.settings.groups.group import SettingsGroup, setting
from webquarry.settings.value_types import FOREVER, retention, whole


class SessionSettings(SettingsGroup):
    """Research sessions."""

    ttl: float = setting(
        "SESSION_TTL",
        "How long a research session is kept after its last use.",
        retention("1m", "3650d"),
        default=FOREVER,
    )
    max_count: int = setting(
        "SESSION_MAX_COUNT",
        "Maximum number of sessions of one person; one more deletes the longest unused.",
        whole(1, 10_000),
        default=200,
    )
    max_steps: int = setting(
        "SESSION_MAX_STEPS",
        "Maximum number of steps of one session.",
        whole(1, 10_000),
        default=200,
    )
