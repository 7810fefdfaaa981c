"""What may be kept about the people who call, each only after they agreed."""

from typing import Annotated

from webquarry.settings.groups.group import SettingsGroup
from webquarry.settings.value_types import FLAG, duration
from webquarry.settings.variable import Variable


class PeopleSettings(SettingsGroup):
    """Memory, usage analytics and shared workspaces; all off unless turned on."""

    memory_enabled: Annotated[
        bool, Variable("MEMORY_ENABLED", "Whether people may save findings to recall.", FLAG)
    ] = False
    memory_retention: Annotated[
        float,
        Variable("MEMORY_RETENTION", "How long a finding is kept.", duration("1h", "3650d")),
    ] = 90 * 86_400.0
    user_analytics_enabled: Annotated[
        bool,
        Variable("USER_ANALYTICS_ENABLED", "Whether people's own use is counted for them.", FLAG),
    ] = False
    workspaces_enabled: Annotated[
        bool, Variable("WORKSPACES_ENABLED", "Whether findings may be shared in workspaces.", FLAG)
    ] = False
    workspace_ttl: Annotated[
        float,
        Variable("WORKSPACE_TTL", "How long a shared finding is kept.", duration("1h", "3650d")),
    ] = 30 * 86_400.0
