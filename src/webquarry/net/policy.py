"""Policy: which hosts and ports may be fetched, before any name is resolved."""

from dataclasses import dataclass

from webquarry.net.guard import ip_ranges
from webquarry.net.guard.refusals import RefusedError
from webquarry.net.url import Url, in_domains

DEFAULT_PORTS = (80, 443, 8000, 8008, 8080, 8081, 8443, 8888)
# "bad ports" of the Fetch standard: other protocols, where a smuggled request does harm
_BAD_PORTS = frozenset(
    {
        0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95,
        101, 102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179,
        389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601,
        636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6379,
        6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
    }
)  # fmt: skip
_METADATA_NAMES = (
    "metadata",
    "metadata.google.internal",
    "metadata.goog",
    "metadata.azure.com",
    "metadata.azure.internal",
    "metadata.tencentyun.com",
    "metadata.packet.net",
    "metadata.platformequinix.com",
    "instance-data",
    "instance-data.ec2.internal",
    "kubernetes.default.svc",
)
_LOCAL_NAMES = (
    "localhost",
    "localdomain",
    "ip6-localhost",
    "ip6-loopback",
    "local",
    "internal",
    "intranet",
    "lan",
    "home.arpa",
    "corp",
    "home",
    "svc.cluster.local",
)


@dataclass(frozen=True, kw_only=True)
class Policy:
    """The hosts and ports that the operator allows."""

    allow_private: bool = False
    allowed_domains: tuple[str, ...] = ()  # empty = all
    allowed_ports: tuple[int, ...] = DEFAULT_PORTS

    def check(self, url: Url) -> None:
        """Raise `RefusedError` if a URL may not be fetched, whatever its host resolves to."""
        denial = self._deny_ip(url) or self._deny_name(url) or self._deny_port(url.port)
        if denial:
            raise RefusedError("policy", denial)

    def check_proxy(self, url: Url) -> None:
        """Raise `RefusedError` if a caller may not use a proxy at this URL, on any usual port."""
        bad_port = f"port {url.port} is not for proxies" if url.port in _BAD_PORTS else ""
        if denial := self._deny_ip(url) or self._deny_name(url) or bad_port:
            raise RefusedError("policy", f"the proxy may not be used: {denial}")

    def check_addresses(self, host: str, addresses: tuple[str, ...]) -> None:
        """Raise `RefusedError` if any IP address of a host is forbidden.

        One is enough: only an attack mixes public and private addresses.
        """
        for address in addresses:
            if denial := ip_ranges.denial_reason(address, allow_private=self.allow_private):
                # without the address, which would reveal our internal network
                raise RefusedError("policy", f"the address of {host} {denial}")

    def _deny_port(self, port: int) -> str:
        if port in _BAD_PORTS:
            return f"port {port} is not for web pages"
        if self.allow_private or port in self.allowed_ports:
            return ""
        return f"port {port} is not allowed"

    def _deny_name(self, url: Url) -> str:
        if self.allowed_domains and not in_domains(url.host, self.allowed_domains):
            return f"{url.site} is not one of the allowed domains"
        if in_domains(url.host, _METADATA_NAMES):
            return f"{url.site} is a metadata service"
        if not self.allow_private and in_domains(url.host, _LOCAL_NAMES):
            return f"{url.site} is a local name. {ip_ranges.ALLOW_PRIVATE_HINT}"
        return ""

    def _deny_ip(self, url: Url) -> str:
        if url.ip is None:
            return ""
        denial = ip_ranges.denial_reason(url.ip, allow_private=self.allow_private)
        return f"{url.host} {denial}" if denial else ""
