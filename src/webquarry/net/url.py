"""URLs as browsers read them (WHATWG), so that what is checked is what is fetched."""

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING
from urllib.parse import quote

from webquarry.errors import BadInputError

if TYPE_CHECKING:
    import ada_url

LONGEST = 8192
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class Url:
    """One http or https URL in normal form, without credentials and fragment."""

    href: str
    scheme: str
    host: str  # in lower case, international names in punycode, IPv6 without brackets
    port: int

    @cached_property
    def address(self) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
        """The host as an address, if it is one."""
        try:
            return ipaddress.ip_address(self.host)
        except ValueError:
            return None

    @property
    def origin(self) -> str:
        """Scheme, host and port, the latter only where it is unusual."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == _PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{host}{port}"

    @property
    def site(self) -> str:
        """The host as a name in the DNS, without the dot that may end it."""
        return self.host.rstrip(".")

    def join(self, reference: str) -> "Url":
        """Return what a link or a redirect on this page points to."""
        return parse(reference, base=self.href)


@lru_cache(1024)  # one URL is looked at by many on its way
def parse(text: str, *, base: str | None = None) -> Url:
    """Return the URL; what is not a complete http or https URL is refused."""
    if len(text) > LONGEST:
        raise _rejected(text, f"it is longer than {LONGEST} characters")
    parts = _parsed(text, base)
    href = parts.href
    scheme, _, rest = href.partition("://")
    if scheme not in _PORTS:
        scheme = parts.protocol.rstrip(":")
        raise _rejected(text, f"the scheme {scheme[:40]!r} is not http or https")
    if "@" in href or "#" in href:
        # credentials belong to whoever wrote the link, and a fragment never leaves the client
        parts.username = parts.password = parts.hash = ""
        href = parts.href
        rest = href.partition("://")[2]
    if len(href) > LONGEST:
        raise _rejected(text, f"it is longer than {LONGEST} characters")
    # in normal form nothing but host and port stands before the path, which is never empty
    place = rest.partition("/")[0]
    host, _, port = place.rpartition(":")
    if not host or port.endswith("]"):  # no port, or half of an IPv6 address
        host, port = place, ""
    return Url(href, scheme, host.strip("[]"), int(port) if port else _PORTS[scheme])


def _parsed(text: str, base: str | None) -> "ada_url.URL":
    # imported here because most commands never look at a URL
    import ada_url

    try:
        return ada_url.URL(text, base)
    except (ValueError, UnicodeError) as error:
        raise _rejected(text, "it is not a complete URL") from error


def _rejected(text: str, why: str) -> BadInputError:
    return BadInputError(rejection(text, why))


def rejection(text: str, why: str) -> str:
    """Return the sentence that tells a caller why a URL is not fetched."""
    shown = text if len(text) <= 200 else text[:200] + "…"
    return f"URL rejected for {shown}: {why}. Provide a valid public http(s) URL."


def under(host: str, domains: Iterable[str]) -> bool:
    """Whether a host is one of the domains or lies below one."""
    return _under(host, tuple(domains))


@lru_cache(4096)  # asked several times for every page, and sites have many
def _under(host: str, domains: tuple[str, ...]) -> bool:
    name = host.rstrip(".").lower()
    wanted = (domain.strip(".").lower() for domain in domains)
    return any(name == domain or name.endswith(f".{domain}") for domain in wanted)


def segment(text: str) -> str:
    """Return text as exactly one segment of a path."""
    # browsers and clients resolve these even when their dots are escaped
    if text in {"", ".", ".."}:
        raise BadInputError(f"{text!r} cannot be looked up. Give an identifier.")
    return quote(text, safe="")
