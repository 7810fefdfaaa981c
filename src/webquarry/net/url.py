"""URL parsing as in browsers (WHATWG), so that the checked URL is the fetched URL."""

import ipaddress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from urllib.parse import quote

from webquarry.errors import BadInputError

MAX_URL_LENGTH = 8192
_DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class Url:
    """One http or https URL in normal form, without credentials and fragment."""

    href: str
    scheme: str
    host: str  # in lower case, international names in punycode, IPv6 without brackets
    port: int

    @cached_property
    def ip(self) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
        """The host as an IP address, if it is one."""
        try:
            return ipaddress.ip_address(self.host)
        except ValueError:
            return None

    @property
    def origin(self) -> str:
        """Scheme, host and port, the port only if it is not the default."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == _DEFAULT_PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{host}{port}"

    @property
    def site(self) -> str:
        """The host without a trailing dot."""
        return self.host.rstrip(".")

    def join(self, reference: str) -> "Url":
        """Resolve a link or redirect of this page."""
        return parse(reference, base=self.href)


@lru_cache(1024)  # many modules parse the same URL
def parse(text: str, *, base: str | None = None) -> Url:
    """Return the URL; raise `BadInputError` unless it is a complete http or https URL."""
    import ada_url  # here because most commands parse no URL

    if len(text) > MAX_URL_LENGTH:
        raise _rejected(text, f"it is longer than {MAX_URL_LENGTH} characters")
    try:
        parts = ada_url.URL(text, base)
    except (ValueError, UnicodeError) as error:
        raise _rejected(text, "it is not a complete URL") from error
    href = parts.href
    scheme, _, rest = href.partition("://")
    if scheme not in _DEFAULT_PORTS:
        scheme = parts.protocol.rstrip(":")
        raise _rejected(text, f"the scheme {scheme[:40]!r} is not http or https")
    if "@" in href or "#" in href:
        # credentials in a link are not ours to send, and a fragment is never sent
        parts.username = parts.password = parts.hash = ""
        href = parts.href
        rest = href.partition("://")[2]
    if len(href) > MAX_URL_LENGTH:
        raise _rejected(text, f"it is longer than {MAX_URL_LENGTH} characters")
    # in normal form only host and port precede the path, which is never empty
    netloc = rest.partition("/")[0]
    host, _, port = netloc.rpartition(":")
    if not host or port.endswith("]"):  # no port, or part of an IPv6 address
        host, port = netloc, ""
    return Url(href, scheme, host.strip("[]"), int(port) if port else _DEFAULT_PORTS[scheme])


def _rejected(text: str, reason: str) -> BadInputError:
    return BadInputError(rejection_message(text, reason))


def rejection_message(text: str, reason: str) -> str:
    """Return the error message for a URL that is not fetched."""
    shown = text if len(text) <= 200 else text[:200] + "…"
    return f"URL rejected for {shown}: {reason}. Provide a valid public http(s) URL."


@lru_cache(4096)  # called several times for every page
def in_domains(host: str, domains: tuple[str, ...]) -> bool:
    """Return whether a host is one of the domains or a subdomain of one."""
    name = host.rstrip(".").lower()
    parents = (domain.strip(".").lower() for domain in domains)
    return any(name == parent or name.endswith(f".{parent}") for parent in parents)


def path_segment(text: str) -> str:
    """Return text percent-encoded as exactly one path segment."""
    # clients resolve dot segments even when the dots are escaped
    if text in {"", ".", ".."}:
        raise BadInputError(f"{text!r} cannot be looked up. Give an identifier.")
    return quote(text, safe="")
