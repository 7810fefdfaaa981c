"""APIs of other vendors: where clients of those vendors reach this server."""

from collections.abc import Iterable

from webquarry.settings.groups.group import SettingsGroup, setting
from webquarry.settings.value_types import many, matching

_VENDOR = matching(r"[a-z][a-z0-9]{0,31}", "the name of a vendor")
_HOST = matching(
    r"[A-Za-z0-9.-]{1,253}=[a-z][a-z0-9]{0,31}", "host=vendor, such as fc.example.org=firecrawl"
)


class CompatSettings(SettingsGroup):
    """Drop-in APIs: where clients of other vendors reach this server."""

    root: tuple[str, ...] = setting(
        "COMPAT_ROOT",
        "Vendors whose API is also at the root of this server, besides `/compat`: clients that "
        "take only a host name need it, such as Firecrawl's.",
        many(_VENDOR),
        default=(),
    )
    hosts: tuple[str, ...] = setting(
        "COMPAT_HOSTS",
        "Host names that are only for one vendor's API, as `host=vendor`; they are accepted "
        "like ALLOWED_HOSTS.",
        many(_HOST),
        default=(),
    )

    @property
    def vendors_by_host(self) -> dict[str, str]:
        """Return the vendor of each host name."""
        pairs = (entry.partition("=") for entry in self.hosts)
        return {host.lower(): vendor for host, _, vendor in pairs}

    def conflicts(self) -> Iterable[str]:
        """Report a host name with two vendors."""
        names = [entry.partition("=")[0].lower() for entry in self.hosts]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            yield f"COMPAT_HOSTS names a host twice: {', '.join(twice)}"
