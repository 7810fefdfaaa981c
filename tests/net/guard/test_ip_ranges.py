"""Which IP addresses the guard allows."""

from ipaddress import IPv4Address, IPv6Address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.net.guard.ip_ranges import ALLOW_PRIVATE_HINT, denial_reason

FORBIDDEN_BLOCKS = (
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
    "192.0.2.0/24", "192.168.0.0/16", "198.18.0.0/15", "224.0.0.0/4", "240.0.0.0/4",
)  # fmt: skip
FORBIDDEN = st.sampled_from([ip_network(block) for block in FORBIDDEN_BLOCKS]).flatmap(
    lambda block: st.ip_addresses(v=4, network=block)
)
# registered as globally reachable although within a special block
REACHABLE = tuple(
    ip_network(block)
    for block in ("192.0.0.9/32", "192.0.0.10/32", "192.31.196.0/24", "192.52.193.0/24",
                  "192.175.48.0/24")
)  # fmt: skip


def _wrapped(inner: IPv4Address) -> list[IPv6Address]:
    number = int(inner)
    return [
        IPv6Address(number),  # IPv4-compatible
        IPv6Address((0xFFFF << 32) | number),  # IPv4-mapped
        IPv6Address((0xFFFF << 48) | number),  # IPv4-translated
        IPv6Address((0x64FF9B << 96) | number),  # NAT64
        IPv6Address((0x64FF9B0001 << 80) | number),  # local NAT64
        IPv6Address((0x2002 << 112) | (number << 80) | 1),  # 6to4
        IPv6Address((0x20010000 << 96) | (number << 64)),  # Teredo, server
        IPv6Address((0x20010000 << 96) | (0x08080808 << 64) | (number ^ 0xFFFFFFFF)),  # client
    ]


@given(FORBIDDEN)
def test_a_forbidden_address_is_refused_in_every_embedding(inner: IPv4Address) -> None:
    for address in (inner, *_wrapped(inner)):
        assert denial_reason(address), address
        assert denial_reason(str(address)), address


@given(st.ip_addresses(v=4))
def test_no_address_is_allowed_that_is_not_global(address: IPv4Address) -> None:
    if not denial_reason(address):
        assert address.is_global or any(address in block for block in REACHABLE)


@given(st.ip_addresses(v=6))
def test_only_global_unicast_is_allowed(address: IPv6Address) -> None:
    allowed = address in ip_network("2000::/3") or address.ipv4_mapped
    nat64 = address in ip_network("64:ff9b::/96")
    if not denial_reason(address):
        assert allowed or nat64


@given(st.ip_addresses(v=4) | st.ip_addresses(v=6))
def test_allowing_private_addresses_forbids_nothing_more(
    address: IPv4Address | IPv6Address,
) -> None:
    if not denial_reason(address):
        assert not denial_reason(address, allow_private=True)


@pytest.mark.parametrize(
    "address",
    ["93.184.216.34", "8.8.8.8", "2606:2800:220:1::1", "::ffff:8.8.8.8", "64:ff9b::808:808"],
)
def test_public_addresses_are_allowed(address: str) -> None:
    assert denial_reason(address) == ""


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("127.0.0.1", f"is a private address (Loopback). {ALLOW_PRIVATE_HINT}"),
        ("169.254.169.254", "is not public (Cloud metadata (AWS, GCP, Azure IMDS))"),
        ("168.63.129.16", "is not public (Azure metadata)"),
        ("4000::1", "is not public (not global unicast)"),
        ("2002:808:808::1", "is not public (6to4)"),
        ("fe80::1%eth0", "has a network interface"),
        ("a.test", "is not an IP address"),
    ],
)
def test_a_denial_names_the_kind_of_address(address: str, why: str) -> None:
    assert denial_reason(address) == why


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "::1", "10.1.2.3", "172.31.0.1", "192.168.1.1", "100.64.0.1", "fd12::1",
     "::ffff:127.0.0.1"],
)  # fmt: skip
def test_an_operator_may_allow_private_addresses(address: str) -> None:
    assert denial_reason(address)
    assert denial_reason(address, allow_private=True) == ""


@pytest.mark.parametrize(
    "address",
    ["169.254.169.254", "::ffff:169.254.169.254", "169.254.170.2", "100.100.100.200",
     "192.0.0.192", "168.63.129.16", "fd00:ec2::254", "fd20:ce::254", "fe80::1", "224.0.0.1",
     "0.0.0.1", "::", "64:ff9b::7f00:1"],
)  # fmt: skip
def test_metadata_services_are_always_refused(address: str) -> None:
    assert denial_reason(address, allow_private=True)
