"""Data stored for people, each kind only with their consent."""

from webquarry.settings.groups.group import SettingsGroup, flag, setting
from webquarry.settings.value_types import duration


class PeopleSettings(SettingsGroup):
    """Memory, usage analytics and shared workspaces; all off unless turned on."""

    memory_enabled: bool = flag(
        "MEMORY_ENABLED", "Whether people may save findings to recall.", default=False
    )
    memory_retention: float = setting(
        "MEMORY_RETENTION",
        "How long a finding is kept.",
        duration("1h", "3650d"),
        default=90 * 86_400.0,
    )
    user_analytics_enabled: bool = flag(
        "USER_ANALYTICS_ENABLED",
        "Whether each user's own calls are counted for them.",
        default=False,
    )
    workspaces_enabled: bool = flag(
        "WORKSPACES_ENABLED", "Whether findings may be shared in workspaces.", default=False
    )
    workspace_ttl: float = setting(
        "WORKSPACE_TTL",
        "How long a shared finding is kept.",
        duration("1h", "3650d"),
        default=30 * 86_400.0,
    )
