"""How much a caller may ask for."""

from typing import Annotated

from webquarry.settings.groups.group import SettingsGroup
from webquarry.settings.value_types import duration, whole
from webquarry.settings.variable import Variable

_COUNT = whole(0, 10**9)


class LimitSettings(SettingsGroup):
    """Rates, quotas and deadlines; 0 turns a rate or quota off."""

    rate_limit_per_tenant: Annotated[
        int,
        Variable("RATE_LIMIT_PER_TENANT", "Requests per minute of one tenant; 0 = off.", _COUNT),
    ] = 120
    rate_limit_global: Annotated[
        int, Variable("RATE_LIMIT_GLOBAL", "Requests per second of everyone; 0 = off.", _COUNT)
    ] = 1000
    daily_quota_per_tenant: Annotated[
        int,
        Variable("DAILY_QUOTA_PER_TENANT", "Requests per UTC day of one tenant; 0 = off.", _COUNT),
    ] = 5000
    rate_limit_per_ip: Annotated[
        int,
        Variable("RATE_LIMIT_PER_IP", "Requests per minute of one address; 0 = off.", _COUNT),
    ] = 0
    max_calls_per_day: Annotated[
        int, Variable("MAX_CALLS_PER_DAY", "Tool calls per UTC day of one user; 0 = off.", _COUNT)
    ] = 0
    tool_timeout: Annotated[
        float,
        Variable("TOOL_TIMEOUT", "Deadline of one tool call.", duration("1s", "120s")),
    ] = 60.0
