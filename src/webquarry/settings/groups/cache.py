"""The cache and artifacts: storage, lifetime and encryption."""

from collections.abc import Iterable
from typing import Literal

from webquarry.settings.groups.group import SettingsGroup, setting
from webquarry.settings.value_types import choice, duration, matching, size, url, whole

_KEY = matching(r"[0-9A-Fa-f]{64}", "64 hexadecimal digits, as `openssl rand -hex 32` prints")


class CacheSettings(SettingsGroup):
    """Stored results and artifacts."""

    encryption_key: str = setting(
        "CACHE_ENCRYPTION_KEY",
        "Encryption key for everything stored; without it, one is created in the data directory.",
        _KEY,
        default="",
        secret=True,
    )
    encryption_key_prev: str = setting(
        "CACHE_ENCRYPTION_KEY_PREV",
        "The previous encryption key: still used for reading, no longer for writing.",
        _KEY,
        default="",
        secret=True,
    )
    isolation: Literal["shared", "tenant"] = setting(
        "CACHE_ISOLATION",
        "Whether tenants share cached results or each has its own.",
        choice("shared", "tenant"),
        default="shared",
    )
    redis_url: str = setting(
        "REDIS_URL",
        "Redis or Valkey that several servers share, instead of local files.",
        url("redis", "rediss", "unix"),
        default="",
        secret=True,
    )
    artifact_ttl: float = setting(
        "ARTIFACT_TTL",
        "How long a linked result can be read.",
        duration("1m", "30d"),
        default=1800.0,
    )
    link_threshold_bytes: int = setting(
        "LINK_THRESHOLD_BYTES",
        "Results of this size or more are linked instead of sent inline.",
        size(2**10, 2**30),
        default=24_576,
    )

    link_summary_tokens: int = setting(
        "LINK_SUMMARY_TOKENS",
        "Maximum tokens of the text of a result; a longer text is returned in parts.",
        whole(200, 100_000),
        default=10_000,
    )

    task_ttl: float = setting(
        "TASK_TTL",
        "How long clients that use MCP tasks can ask for the result of a call.",
        duration("1m", "30d"),
        default=86_400.0,
    )

    def conflicts(self) -> Iterable[str]:
        """Reject a shared store without a shared key."""
        if self.redis_url and not self.encryption_key:
            yield (
                "REDIS_URL is set but CACHE_ENCRYPTION_KEY is not: servers that share a store "
                "must agree on one key; make one with `openssl rand -hex 32`"
            )
