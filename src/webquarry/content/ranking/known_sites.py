"""Host names: who they belong to, by the public suffix list, and what our list of sites says."""

import json
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from webquarry.models.page import AuthorityTier, DomainCategory, Reputation, SourceType

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList


@dataclass(frozen=True, slots=True)
class KnownSite:
    """A site we know: what it is and how far it answers for what it publishes."""

    host: str
    tier: AuthorityTier
    kind: SourceType
    category: DomainCategory
    basis: str

    def reputation(self) -> Reputation:
        """Return what to tell a reader about the site."""
        return Reputation(host=self.host, tier=self.tier, basis=self.basis)


@lru_cache(maxsize=1024)  # one page's address is looked at several times
def host_of(url: str) -> str:
    """Return the host of an address, lower case and in ASCII; nothing for what has none."""
    try:
        host = (urlsplit(url.strip()).hostname or "").rstrip(".")
        return host.encode("idna").decode("ascii").lower() if not host.isascii() else host.lower()
    except ValueError:  # UnicodeError is one
        return ""


def registrable_domain(host: str) -> str:
    """Return the part of the host that somebody registered: example.co.uk of www.example.co.uk."""
    if not host or _is_address(host):
        return ""
    return _suffixes().privatesuffix(host) or ""


def public_suffix(host: str) -> str:
    """Return what registries hand names out under: co.uk, gov.au, com."""
    return "" if not host or _is_address(host) else _suffixes().publicsuffix(host) or ""


@lru_cache(maxsize=4096)
def site_of(host: str) -> KnownSite | None:
    """Return the site the host belongs to, the most specific one we know."""
    known = _sites()
    labels = host.split(".")
    for start in range(len(labels) - 1):
        site = known.get(".".join(labels[start:]))
        if site:
            return site
    return None


def _is_address(host: str) -> bool:
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


@cache
def _suffixes() -> "PublicSuffixList":
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList(only_icann=True)


@cache
def _sites() -> dict[str, KnownSite]:
    source = files("webquarry.content.ranking").joinpath("sites.json").read_text("utf-8")
    return {
        host: KnownSite(host, group["tier"], group["type"], group["category"], group["basis"])
        for group in json.loads(source)["groups"]
        for host in group["hosts"]
    }
