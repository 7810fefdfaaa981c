"""A host is resolved once, and all its addresses are checked."""

import socket

import anyio
import pytest

from webquarry.net.guard.ip_ranges import ALLOW_PRIVATE_HINT
from webquarry.net.guard.refusals import RefusedError
from webquarry.net.guard.resolver import Lookup, PinnedHost, Resolver
from webquarry.net.policy import Policy
from webquarry.net.url import parse

pytestmark = pytest.mark.anyio

PUBLIC = "93.184.216.34"


def _answers(*addresses: str) -> Lookup:
    async def lookup(host: str) -> tuple[str, ...]:
        return addresses

    return lookup


def _fails(error: Exception) -> Lookup:
    async def lookup(host: str) -> tuple[str, ...]:
        raise error

    return lookup


async def _refusal(url: str, policy: Policy | None = None, lookup: Lookup | None = None) -> str:
    resolver = Resolver(policy or Policy(), lookup=lookup or _answers(PUBLIC), timeout=0.05)
    with pytest.raises(RefusedError) as caught:
        await resolver.pin(parse(url))
    return f"{caught.value.code}: {caught.value.reason}"


async def test_the_checked_addresses_are_returned() -> None:
    url = parse("https://a.test/")
    resolver = Resolver(Policy(), lookup=_answers(PUBLIC, "2606:2800:220:1::1"))

    assert await resolver.pin(url) == PinnedHost(url, (PUBLIC, "2606:2800:220:1::1"))


async def test_a_literal_address_needs_no_resolution() -> None:
    url = parse(f"https://{PUBLIC}/")

    assert await Resolver(Policy(), lookup=_answers()).pin(url) == PinnedHost(url, (PUBLIC,))


async def test_one_forbidden_address_refuses_the_name() -> None:
    refusal = await _refusal("http://a.test/", lookup=_answers(PUBLIC, "10.0.0.5"))

    assert (
        refusal
        == f"policy: the address of a.test is a private address (Private-Use). {ALLOW_PRIVATE_HINT}"
    )


@pytest.mark.parametrize(
    ("url", "refusal"),
    [
        ("http://localhost/", f"localhost is a local name. {ALLOW_PRIVATE_HINT}"),
        ("http://foo.localhost./", f"foo.localhost is a local name. {ALLOW_PRIVATE_HINT}"),
        ("http://printer.local/", f"printer.local is a local name. {ALLOW_PRIVATE_HINT}"),
        ("http://metadata.google.internal/", "metadata.google.internal is a metadata service"),
        ("http://instance-data/", "instance-data is a metadata service"),
        ("http://a.test:25/", "port 25 is not for web pages"),
        ("http://a.test:9999/", "port 9999 is not allowed"),
        ("http://[::1]/", f"::1 is a private address (Loopback Address). {ALLOW_PRIVATE_HINT}"),
        ("http://2130706433/", f"127.0.0.1 is a private address (Loopback). {ALLOW_PRIVATE_HINT}"),
    ],
)
async def test_policy_refuses_before_anything_is_resolved(url: str, refusal: str) -> None:
    lookup = _fails(AssertionError("resolved"))

    assert await _refusal(url, lookup=lookup) == f"policy: {refusal}"


async def test_only_allowed_domains_are_resolved() -> None:
    policy = Policy(allowed_domains=("a.test",))

    refusal = await _refusal("http://nota.test/", policy)
    assert refusal == "policy: nota.test is not one of the allowed domains"
    await Resolver(policy, lookup=_answers(PUBLIC)).pin(parse("http://www.a.test/"))


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:5000/", "http://localhost:5000/", "http://nas.lan/"]
)
async def test_an_operator_may_allow_private_hosts(url: str) -> None:
    resolver = Resolver(Policy(allow_private=True), lookup=_answers("127.0.0.1"))

    assert (await resolver.pin(parse(url))).addresses == ("127.0.0.1",)


@pytest.mark.parametrize("url", ["http://169.254.169.254/", "http://metadata.google.internal/"])
async def test_metadata_services_are_refused_even_if_private_hosts_are_allowed(url: str) -> None:
    assert (await _refusal(url, Policy(allow_private=True))).startswith("policy: ")


@pytest.mark.parametrize(
    ("lookup", "refusal"),
    [
        (_fails(socket.gaierror(socket.EAI_NONAME, "")), "dns_no_such_name: there is no host"),
        (_answers(), "dns_no_such_name: there is no host"),
        (_fails(UnicodeError("label too long")), "dns_no_such_name: there is no host"),
        (_fails(socket.gaierror(socket.EAI_AGAIN, "")), "dns_failed: the host name"),
        (_fails(OSError("no network")), "dns_failed: the host name"),
    ],
)
async def test_a_name_that_does_not_exist_differs_from_a_broken_resolver(
    lookup: Lookup, refusal: str
) -> None:
    assert (await _refusal("http://a.test/", lookup=lookup)).startswith(refusal)


async def test_a_slow_resolver_times_out() -> None:
    async def lookup(host: str) -> tuple[str, ...]:
        await anyio.sleep_forever()
        return ()

    assert (await _refusal("http://a.test/", lookup=lookup)).startswith("dns_failed")


async def test_the_system_resolver_resolves_localhost() -> None:
    pinned = await Resolver(Policy(allow_private=True)).pin(parse("http://localhost/"))

    assert {"127.0.0.1", "::1"} & set(pinned.addresses)


async def test_subdomains_of_localhost_are_treated_like_localhost() -> None:
    url = parse("http://owls.localhost:8000/")
    resolver = Resolver(Policy(allow_private=True))

    assert await resolver.pin(url) == PinnedHost(url, ("127.0.0.1", "::1"))
    assert await _refusal("http://owls.localhost/") == (
        f"policy: owls.localhost is a local name. {ALLOW_PRIVATE_HINT}"
    )
