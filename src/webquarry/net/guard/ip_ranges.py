"""Which addresses may be connected to."""

from functools import cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ssrfguard import AddressTable

Address = IPv4Address | IPv6Address

# what operators mean by "private": their own machine and networks
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
# metadata services hand out credentials to whoever asks from this machine
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
_MAPPED = IPv6Network("::ffff:0:0/96")


def objection(address: Address | str, *, allow_private: bool = False) -> str:
    """Return why an address may not be connected to; empty when it may."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return "is not an address"
    if isinstance(parsed, IPv6Address) and parsed.scope_id:
        return "names a network interface"
    if allow_private and _is_private(parsed):
        return ""
    verdict = _table().classify(parsed)
    if not verdict.blocked:
        return ""
    name = verdict.block.name if verdict.block else "reserved"
    return f"is not public ({name})"


def _is_private(address: Address) -> bool:
    # a mapped address is the same destination; other translations depend on routers elsewhere
    if isinstance(address, IPv6Address) and address in _MAPPED:
        address = IPv4Address(int(address) & 0xFFFFFFFF)
    if any(address in block for block in _METADATA if block.version == address.version):
        return False
    return any(address in block for block in _PRIVATE if block.version == address.version)


@cache
def _table() -> "AddressTable":
    # imported here because most commands connect to nothing
    from ssrfguard import DEFAULT_DENIED, AddressTable, Block, Reach

    own = (
        Block(ip_network("168.63.129.16/32"), "Azure metadata", "vendor", Reach.DENIED),
        # anything outside the one block in use is refused, also what may be assigned later
        Block(ip_network("::/0"), "not global unicast", "RFC4291", Reach.DENIED),
        Block(ip_network("2000::/3"), "global unicast", "RFC4291", Reach.PERMITTED),
        Block(ip_network("::ffff:0:0:0/96"), "IPv4-translated", "RFC2765", Reach.DENIED),
    )
    # relays of these are gone, so whoever answers there is not who they claim to be; NAT64 stays
    # decoded, because networks without IPv4 reach every older host through it
    closed = frozenset(map(ip_network, ("2002::/16", "2001::/32", "::/96")))
    shipped = tuple(
        Block(row.network, row.name, row.rfc, Reach.DENIED) if row.network in closed else row
        for row in DEFAULT_DENIED.blocks
    )
    return AddressTable(shipped + own)
