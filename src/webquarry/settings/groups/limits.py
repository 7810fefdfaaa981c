"""Rate limits, quotas and timeouts of calls."""

from webquarry.settings.groups.group import SettingsGroup, setting
from webquarry.settings.value_types import duration, whole

_COUNT = whole(0, 10**9)


class LimitSettings(SettingsGroup):
    """Rate limits, quotas and timeouts; 0 turns a rate limit or quota off."""

    rate_limit_per_tenant: int = setting(
        "RATE_LIMIT_PER_TENANT",
        "Requests per minute for one tenant, without reads of crawls (GET); 0 = off.",
        _COUNT,
        default=120,
    )
    rate_limit_global: int = setting(
        "RATE_LIMIT_GLOBAL",
        "Requests per second for all users together; 0 = off.",
        _COUNT,
        default=1000,
    )
    daily_quota_per_tenant: int = setting(
        "DAILY_QUOTA_PER_TENANT",
        "Requests per UTC day for one tenant, without reads of crawls (GET); 0 = off.",
        _COUNT,
        default=5000,
    )
    rate_limit_per_ip: int = setting(
        "RATE_LIMIT_PER_IP", "Requests per minute from one IP address; 0 = off.", _COUNT, default=0
    )
    max_calls_per_day: int = setting(
        "MAX_CALLS_PER_DAY", "Tool calls per UTC day for one user; 0 = off.", _COUNT, default=0
    )
    tool_timeout: float = setting(
        "TOOL_TIMEOUT", "Timeout of one tool call.", duration("1s", "120s"), default=60.0
    )
    search_timeout: float = setting(
        "SEARCH_TIMEOUT",
        "Timeout of one search provider or other API; those with shorter timeouts of their own "
        "change in proportion.",
        duration("1s", "120s"),
        default=20.0,
    )
    page_timeout: float = setting(
        "PAGE_TIMEOUT",
        "Timeout of reading one page, all methods together; TOOL_TIMEOUT still ends the call.",
        duration("1s", "120s"),
        default=55.0,
    )
    document_timeout: float = setting(
        "DOCUMENT_TIMEOUT",
        "Timeout of converting one fetched document.",
        duration("1s", "10m"),
        default=60.0,
    )
