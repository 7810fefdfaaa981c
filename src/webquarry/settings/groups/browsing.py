"""Operating pages in the browser, and stored logins."""

from webquarry.settings.groups.group import SettingsGroup, flag, setting
from webquarry.settings.value_types import duration, size, whole


class BrowsingSettings(SettingsGroup):
    """Pages that callers operate (`browse_page`), and reading with stored logins."""

    sessions: int = setting(
        "BROWSE_SESSIONS", "Browser sessions open at a time.", whole(1, 1000), default=20
    )
    sessions_per_user: int = setting(
        "BROWSE_SESSIONS_PER_USER",
        "Browser sessions that one user may have open.",
        whole(1, 1000),
        default=5,
    )
    memory: int = setting(
        "BROWSE_MEMORY",
        "Memory of the browser with all sessions, above which none is opened (Linux only).",
        size(64 * 2**20, 2**40),
        default=4 * 2**30,
    )
    idle: float = setting(
        "BROWSE_IDLE_TIMEOUT",
        "How long an unused browser session stays open.",
        duration("5s", "24h"),
        default=300.0,
    )
    lifetime: float = setting(
        "BROWSE_LIFETIME",
        "How long a browser session may stay open.",
        duration("10s", "24h"),
        default=3600.0,
    )
    scripts: bool = flag(
        "BROWSE_SCRIPTS",
        "Run JavaScript that callers send, in the pages of their own browser sessions.",
        default=False,
    )
    logins: bool = flag(
        "LOGINS",
        "Read pages with the login that a person has stored for their host.",
        default=True,
    )
    logins_shared: bool = flag(
        "LOGINS_SHARED",
        "Use stored logins also for callers without a name: everyone who can reach the server "
        "then reads with them.",
        default=False,
    )
    login_ttl: float = setting(
        "LOGIN_TTL",
        "How long a stored login is kept at most.",
        duration("1m", "365d"),
        default=30 * 86_400.0,
    )
