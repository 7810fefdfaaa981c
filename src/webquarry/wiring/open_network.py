"""Opens the network from the network settings."""

from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from webquarry.net.client.wreq_client import ClientOptions
from webquarry.net.fetch import Fetcher
from webquarry.net.guard.connector import Connector, Proxies
from webquarry.net.guard.resolver import Resolver
from webquarry.net.guard.server import Guard
from webquarry.net.policy import Policy
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.http_port import USER_AGENT, Http, WreqHttp
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.settings.groups.limits import LimitSettings
from webquarry.settings.load import Settings

if TYPE_CHECKING:
    from webquarry.parsing.parsers import Parsers


@dataclass(frozen=True)
class NetworkServices:
    """Everything that sends requests."""

    http: Http  # for URLs that the operator configured
    upstreams: Upstreams
    guard: Guard  # for URLs that callers choose
    fetcher: Fetcher


def open_network(
    settings: Settings, parsers: "Callable[[], Parsers]", stack: AsyncExitStack
) -> NetworkServices:
    """Open the network until the stack is closed; connections are made when first used."""
    options = settings.network
    policy = Policy(
        allow_private=options.allow_private_ips,
        allowed_domains=options.allowed_domains,
        allowed_ports=options.allowed_ports,
    )
    proxies = Proxies(http=options.http_proxy, https=options.https_proxy, bypass=options.no_proxy)
    guard = Guard(Resolver(policy), connector=Connector(proxies))
    stack.push_async_callback(guard.close)
    wiring = ClientOptions(
        user_agent=USER_AGENT,
        http_proxy=options.http_proxy,
        https_proxy=options.https_proxy,
        no_proxy=options.no_proxy,
        ca_file=options.ca_file,
    )
    http = WreqHttp(wiring, guard=guard)
    stack.callback(http.close)
    fetcher = Fetcher(guard, ca_file=options.ca_file, direct=True)
    stack.callback(fetcher.close)
    upstreams = Upstreams(
        http,
        base_urls=settings.base_urls,
        adjust=partial(_adjusted, settings),
        key_advice=_key_advice,
        parsers=parsers,
    )
    return NetworkServices(http, upstreams, guard, fetcher)


def _adjusted(settings: Settings, limits: ApiLimits) -> ApiLimits:
    """Return the limits of an upstream with the operator's settings."""
    factor = settings.limits.search_timeout / LimitSettings().search_timeout
    return replace(
        limits,
        timeout=limits.timeout * factor,
        deadline=limits.deadline * factor,
        failures=settings.network.circuit_failure_threshold,
        pause=settings.network.circuit_reset_timeout,
    )


def _key_advice(upstream: str) -> str:
    # imported here: only an error needs the table of all providers
    from webquarry.providers.all_providers import key_advice

    return key_advice(upstream)
