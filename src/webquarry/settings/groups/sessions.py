"""Limits of research sessions."""

from webquarry.settings.groups.group import SettingsGroup, setting
from webquarry.settings.value_types import duration, whole


class SessionSettings(SettingsGroup):
    """Research sessions."""

    ttl: float = setting(
        "SESSION_TTL",
        "How long a session is kept after its last use.",
        duration("1m", "30d"),
        default=4 * 3600.0,
    )
    max_steps: int = setting(
        "SESSION_MAX_STEPS",
        "Maximum number of steps of one session.",
        whole(1, 10_000),
        default=200,
    )
