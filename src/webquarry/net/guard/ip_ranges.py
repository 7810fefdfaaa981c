"""Which IP addresses may be connected to (SSRF protection)."""

from functools import cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ssrfguard import AddressTable

Address = IPv4Address | IPv6Address

ALLOW_PRIVATE_HINT = "Set ALLOW_PRIVATE_IPS=true to read pages on this machine or network"

# what ALLOW_PRIVATE_IPS allows: this machine and its networks
_PRIVATE = tuple(
    ip_network(block)
    for block in (
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "::1/128",
        "fc00::/7",
    )
)
# cloud metadata services give credentials to any request from this machine
_METADATA = tuple(
    ip_network(block)
    for block in (
        "100.100.100.200/32",
        "168.63.129.16/32",
        "169.254.0.0/16",
        "192.0.0.192/32",
        "fd00:ec2::/32",
        "fd20:ce::/32",
    )
)
_IPV4_MAPPED = IPv6Network("::ffff:0:0/96")


def denial_reason(address: Address | str, *, allow_private: bool = False) -> str:
    """Return why an IP address may not be connected to; empty if it may."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return "is not an IP address"
    if isinstance(parsed, IPv6Address) and parsed.scope_id:
        return "has a network interface"
    is_private = _is_private(parsed)
    if allow_private and is_private:
        return ""
    verdict = _table().classify(parsed)
    if not verdict.blocked:
        return ""
    name = verdict.block.name if verdict.block else "reserved"
    if is_private:
        return f"is a private address ({name}). {ALLOW_PRIVATE_HINT}"
    return f"is not public ({name})"


def _is_private(address: Address) -> bool:
    # an IPv4-mapped address is the same destination; other translations depend on routers
    if isinstance(address, IPv6Address) and address in _IPV4_MAPPED:
        address = IPv4Address(int(address) & 0xFFFFFFFF)
    if any(address in block for block in _METADATA if block.version == address.version):
        return False
    return any(address in block for block in _PRIVATE if block.version == address.version)


@cache
def _table() -> "AddressTable":
    # imported here because most commands connect to nothing
    from ssrfguard import DEFAULT_DENIED, AddressTable, Block, Reach

    own_blocks = (
        Block(ip_network("168.63.129.16/32"), "Azure metadata", "vendor", Reach.DENIED),
        # deny all but global unicast, also blocks that are assigned later
        Block(ip_network("::/0"), "not global unicast", "RFC4291", Reach.DENIED),
        Block(ip_network("2000::/3"), "global unicast", "RFC4291", Reach.PERMITTED),
        Block(ip_network("::ffff:0:0:0/96"), "IPv4-translated", "RFC2765", Reach.DENIED),
    )
    # deny 6to4, Teredo and IPv4-compatible addresses: without their relays anybody could respond.
    # NAT64 stays allowed, because IPv6-only networks reach IPv4 hosts through it
    denied = frozenset(map(ip_network, ("2002::/16", "2001::/32", "::/96")))
    default_blocks = tuple(
        Block(row.network, row.name, row.rfc, Reach.DENIED) if row.network in denied else row
        for row in DEFAULT_DENIED.blocks
    )
    return AddressTable(default_blocks + own_blocks)
