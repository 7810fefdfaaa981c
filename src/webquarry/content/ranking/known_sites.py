"""Registrable domains (public suffix list) and the list of known sites."""

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
    """An entry of the list of known sites: its type and authority."""

    host: str
    tier: AuthorityTier
    kind: SourceType
    category: DomainCategory
    basis: str

    def reputation(self) -> Reputation:
        """Return the reputation shown to a caller."""
        return Reputation(host=self.host, tier=self.tier, basis=self.basis)


@lru_cache(maxsize=1024)  # each page's URL is classified several times
def ascii_host(url: str) -> str:
    """Return the host of a URL in lower case and IDNA form; empty when there is none."""
    try:
        host = (urlsplit(url.strip()).hostname or "").rstrip(".")
        return host.encode("idna").decode("ascii").lower() if not host.isascii() else host.lower()
    except ValueError:  # includes UnicodeError
        return ""


def registrable_domain(host: str) -> str:
    """Return the domain that was registered: example.co.uk of www.example.co.uk."""
    if not host or _is_ip_address(host):
        return ""
    return _suffixes().privatesuffix(host) or ""


def site_of(url: str) -> str:
    """Return the registrable domain of a URL, or its host if it has none."""
    host = ascii_host(url)
    return registrable_domain(host) or host


def public_suffix(host: str) -> str:
    """Return the public suffix of a host: co.uk, gov.au, com."""
    return "" if not host or _is_ip_address(host) else _suffixes().publicsuffix(host) or ""


@lru_cache(maxsize=4096)
def known_site(host: str) -> KnownSite | None:
    """Return the most specific known site that the host belongs to."""
    sites = _sites()
    labels = host.split(".")
    domains = (".".join(labels[start:]) for start in range(len(labels) - 1))
    return next((sites[domain] for domain in domains if domain in sites), None)


def _is_ip_address(host: str) -> bool:
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
