"""Data stored for people: on their own machine, or with their consent."""

from webquarry.settings.groups.group import SettingsGroup, flag, setting
from webquarry.settings.value_types import duration


class PeopleSettings(SettingsGroup):
    """The call history of this machine; memory, analytics and workspaces, off unless turned on."""

    call_history_ttl: float = setting(
        "CALL_HISTORY_TTL",
        "How long the console shows which tools were called on this machine, by whom and about "
        "what; 0 stores nothing. Never stored if callers authenticate.",
        duration("0s", "3650d"),
        default=30 * 86_400.0,
    )
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
