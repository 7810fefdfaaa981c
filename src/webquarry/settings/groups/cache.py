"""What is kept between calls, where, for how long and under which key."""

from collections.abc import Iterable
from typing import Annotated, Literal

from webquarry.settings.groups.group import SettingsGroup
from webquarry.settings.value_types import choice, duration, matching, size, url
from webquarry.settings.variable import Variable

_KEY = matching(r"[0-9A-Fa-f]{64}", "64 hexadecimal digits, as `openssl rand -hex 32` prints")


class CacheSettings(SettingsGroup):
    """Stored results and artifacts."""

    encryption_key: Annotated[
        str,
        Variable(
            "CACHE_ENCRYPTION_KEY",
            "Key of everything stored; without it one is made in the data directory.",
            _KEY,
            secret=True,
        ),
    ] = ""
    encryption_key_prev: Annotated[
        str,
        Variable(
            "CACHE_ENCRYPTION_KEY_PREV",
            "The key before the current one: still read, no longer written.",
            _KEY,
            secret=True,
        ),
    ] = ""
    isolation: Annotated[
        Literal["shared", "tenant"],
        Variable(
            "CACHE_ISOLATION",
            "Whether tenants share cached results or each has its own.",
            choice("shared", "tenant"),
        ),
    ] = "shared"
    redis_url: Annotated[
        str,
        Variable(
            "REDIS_URL",
            "Redis or Valkey that several servers share instead of local files.",
            url("redis", "rediss", "unix"),
            secret=True,
        ),
    ] = ""
    artifact_ttl: Annotated[
        float,
        Variable("ARTIFACT_TTL", "How long a linked result stays readable.", duration("1m", "30d")),
    ] = 1800.0
    link_threshold_bytes: Annotated[
        int,
        Variable(
            "LINK_THRESHOLD_BYTES",
            "Results from this size on are linked instead of sent inline.",
            size(2**10, 2**30),
        ),
    ] = 24_576

    def conflicts(self) -> Iterable[str]:
        """Refuse a shared store without a shared key."""
        if self.redis_url and not self.encryption_key:
            yield (
                "REDIS_URL is set but CACHE_ENCRYPTION_KEY is not: servers that share a store "
                "must agree on one key; make one with `openssl rand -hex 32`"
            )
