"""Opens the network from the network settings."""

from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from webquarry.errors import SettingsError
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
    if settings.evidence.offline:
        return _open_offline(settings, settings.evidence.offline, parsers, stack)
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
        records_as="api",
    )
    http = WreqHttp(wiring, guard=guard)
    stack.callback(http.close)
    fetcher = Fetcher(
        guard, ca_file=options.ca_file, direct=True, tls_peers=settings.evidence.capture
    )
    stack.callback(fetcher.close)
    return NetworkServices(http, _upstreams(settings, http, parsers), guard, fetcher)


def _open_offline(
    settings: Settings, bundle: Path, parsers: "Callable[[], Parsers]", stack: AsyncExitStack
) -> NetworkServices:
    """Return a network that answers from a bundle; no connection is ever opened."""
    # imported here: most processes have a network
    from webquarry.services.bundles.offline_network import (
        ClosedGuard,
        OfflineArchive,
        OfflineFetcher,
        OfflineHttp,
        OfflinePolicy,
    )
    from webquarry.services.bundles.redaction import redactor
    from webquarry.settings.redact import secret_values

    if not bundle.is_file():
        raise SettingsError(f"WEBQUARRY_OFFLINE: there is no file {bundle}")
    archive = OfflineArchive(bundle, redactor(secret_values(settings)))
    stack.callback(archive.close)
    guard = ClosedGuard(Resolver(OfflinePolicy()))
    http = OfflineHttp(archive)
    fetcher = OfflineFetcher(archive, guard)
    return NetworkServices(http, _upstreams(settings, http, parsers), guard, fetcher)


def _upstreams(settings: Settings, http: Http, parsers: "Callable[[], Parsers]") -> Upstreams:
    return Upstreams(
        http,
        base_urls=settings.base_urls,
        adjust=partial(_adjusted, settings),
        key_advice=_key_advice,
        parsers=parsers,
    )


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
