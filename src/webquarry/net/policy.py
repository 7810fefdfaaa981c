"""Which places may be fetched from, before any name is resolved."""

from dataclasses import dataclass

from webquarry.net.guard import ip_ranges
from webquarry.net.guard.refusals import RefusedError
from webquarry.net.url import Url, under

USUAL_PORTS = (80, 443, 8000, 8008, 8080, 8081, 8443, 8888)
# never web servers; a request smuggled into one of these does harm (Fetch standard, "bad port")
_HARMFUL_PORTS = frozenset(
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
    """What the operator allows."""

    allow_private: bool = False
    allowed_domains: tuple[str, ...] = ()  # empty = all
    allowed_ports: tuple[int, ...] = USUAL_PORTS

    def check(self, url: Url) -> None:
        """Raise `RefusedError` when a URL may not be fetched, whatever its name resolves to."""
        if why := self._port(url.port) or self._name(url) or self._literal(url):
            raise RefusedError("policy", why)

    def check_addresses(self, host: str, found: tuple[str, ...]) -> None:
        """Raise `RefusedError` when any of the addresses of a host is forbidden.

        One bad answer condemns the name: an honest one has no reason to mix.
        """
        for address in found:
            if why := ip_ranges.objection(address, allow_private=self.allow_private):
                # the address itself stays out: it would map the inside of our network
                raise RefusedError("policy", f"the address of {host} {why}")

    def _port(self, port: int) -> str:
        if port in _HARMFUL_PORTS:
            return f"port {port} is not for web pages"
        if self.allow_private or port in self.allowed_ports:
            return ""
        return f"port {port} is not allowed here"

    def _name(self, url: Url) -> str:
        if self.allowed_domains and not under(url.host, self.allowed_domains):
            return f"{url.site} is not one of the allowed domains"
        if under(url.host, _METADATA_NAMES):
            return f"{url.site} is a metadata service"
        if not self.allow_private and under(url.host, _LOCAL_NAMES):
            return f"{url.site} is a local name"
        return ""

    def _literal(self, url: Url) -> str:
        if url.address is None:
            return ""
        why = ip_ranges.objection(url.address, allow_private=self.allow_private)
        return f"{url.host} {why}" if why else ""
