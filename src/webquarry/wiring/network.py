"""Opens the network as the settings want it."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from webquarry.net.dial import Dialer, Proxies
from webquarry.net.engine import Wiring
from webquarry.net.fetch import Fetcher
from webquarry.net.guard import Guard
from webquarry.net.http import USER_AGENT, Http, WreqHttp
from webquarry.net.policy import Policy
from webquarry.net.resolve import Resolver
from webquarry.net.upstreams import Upstreams
from webquarry.settings.load import Settings


@dataclass(frozen=True)
class Network:
    """Every way out of the process."""

    http: Http  # to addresses the operator chose
    upstreams: Upstreams
    guard: Guard  # in front of addresses that anyone may name
    fetcher: Fetcher


@asynccontextmanager
async def open_network(settings: Settings) -> AsyncGenerator[Network]:
    """Open the network; nothing connects before it is used."""
    wanted = settings.network
    policy = Policy(
        allow_private=wanted.allow_private_ips,
        allowed_domains=wanted.allowed_domains,
        allowed_ports=wanted.allowed_ports,
    )
    proxies = Proxies(http=wanted.http_proxy, https=wanted.https_proxy, bypass=wanted.no_proxy)
    guard = Guard(Resolver(policy), dialer=Dialer(proxies))
    wiring = Wiring(
        user_agent=USER_AGENT,
        http_proxy=wanted.http_proxy,
        https_proxy=wanted.https_proxy,
        no_proxy=wanted.no_proxy,
        ca_file=wanted.ca_file,
    )
    http = WreqHttp(wiring, guard=guard)
    fetcher = Fetcher(guard, ca_file=wanted.ca_file)
    upstreams = Upstreams(
        http,
        base_urls=settings.base_urls,
        failures=wanted.circuit_failure_threshold,
        pause=wanted.circuit_reset_timeout,
    )
    try:
        yield Network(http, upstreams, guard, fetcher)
    finally:
        fetcher.close()
        http.close()
        await guard.close()
