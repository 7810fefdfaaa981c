"""All upstream APIs of the process."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from webquarry.net.clock import Clock
from webquarry.net.upstream.api import ApiLimits, UpstreamApi
from webquarry.net.upstream.breaker import UpstreamHealth
from webquarry.net.upstream.http_port import Http
from webquarry.net.upstream.rate_limiter import LimitsRate

if TYPE_CHECKING:
    from webquarry.parsing.parsers import Parsers


class Upstreams:
    """Creates one `UpstreamApi` for each name, with the operator's base URL or the default one."""

    def __init__(
        self,
        http: Http,
        *,
        base_urls: Mapping[str, str] | None = None,
        clock: Clock | None = None,
        adjust: Callable[[ApiLimits], ApiLimits] | None = None,
        key_advice: Callable[[str], str] | None = None,
        parsers: "Callable[[], Parsers] | None" = None,
    ) -> None:
        """`adjust` applies the operator's settings to the limits of an upstream."""
        self.http = http
        self.clock = clock or Clock()
        self._base_urls = base_urls or {}
        self._key_advice = key_advice
        self._adjust = adjust
        self._parsers = parsers
        self._apis: dict[str, UpstreamApi] = {}

    def api(
        self,
        name: str,
        base_url: str,
        limits: ApiLimits | None = None,
        *,
        setting: str = "",
        rate_limiter: LimitsRate | None = None,
    ) -> UpstreamApi:
        """Return the upstream of that name; all its adapters share its limits.

        `setting` is the key of its base URL if that is not its name; `rate_limiter` replaces the
        one of this process.
        """
        api = self._apis.get(name)
        if api is None:
            own_limits = limits or ApiLimits()
            api = self._apis[name] = UpstreamApi(
                self.http,
                name=name,
                base_url=self._base_urls.get(setting or name, base_url),
                limits=self._adjust(own_limits) if self._adjust else own_limits,
                clock=self.clock,
                rate_limiter=rate_limiter,
            )
            api.key_advice = self._key_advice
            api.parsers = self._parsers or api.parsers
        return api

    def health(self) -> dict[str, UpstreamHealth]:
        """Return the state of every upstream by name."""
        return {name: api.health for name, api in sorted(self._apis.items())}
