"""Opens the network as the settings want it."""

from contextlib import AsyncExitStack
from dataclasses import dataclass

from webquarry.net.client.wreq_client import ClientOptions
from webquarry.net.fetch import Fetcher
from webquarry.net.guard.connector import Connector, Proxies
from webquarry.net.guard.resolver import Resolver
from webquarry.net.guard.server import Guard
from webquarry.net.policy import Policy
from webquarry.net.upstream.http_port import USER_AGENT, Http, WreqHttp
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.settings.load import Settings


@dataclass(frozen=True)
class NetworkServices:
    """Every way out of the process."""

    http: Http  # to addresses the operator chose
    upstreams: Upstreams
    guard: Guard  # in front of addresses that anyone may name
    fetcher: Fetcher


def open_network(settings: Settings, stack: AsyncExitStack) -> NetworkServices:
    """Open the network until the stack is closed; nothing connects before it is used."""
    wanted = settings.network
    policy = Policy(
        allow_private=wanted.allow_private_ips,
        allowed_domains=wanted.allowed_domains,
        allowed_ports=wanted.allowed_ports,
    )
    proxies = Proxies(http=wanted.http_proxy, https=wanted.https_proxy, bypass=wanted.no_proxy)
    guard = Guard(Resolver(policy), dialer=Connector(proxies))
    stack.push_async_callback(guard.close)
    wiring = ClientOptions(
        user_agent=USER_AGENT,
        http_proxy=wanted.http_proxy,
        https_proxy=wanted.https_proxy,
        no_proxy=wanted.no_proxy,
        ca_file=wanted.ca_file,
    )
    http = WreqHttp(wiring, guard=guard)
    stack.callback(http.close)
    fetcher = Fetcher(guard, ca_file=wanted.ca_file, direct=True)
    stack.callback(fetcher.close)
    upstreams = Upstreams(
        http,
        base_urls=settings.base_urls,
        failures=wanted.circuit_failure_threshold,
        pause=wanted.circuit_reset_timeout,
    )
    return NetworkServices(http, upstreams, guard, fetcher)
