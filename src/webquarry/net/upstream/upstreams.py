"""All upstream APIs of the process."""

from collections.abc import Mapping
from dataclasses import replace

from webquarry.net.clock import Clock
from webquarry.net.upstream.api import ApiLimits, UpstreamApi
from webquarry.net.upstream.breaker import Health
from webquarry.net.upstream.http_port import Http
from webquarry.net.upstream.rate_limiter import LimitsRate


class Upstreams:
    """Opens each upstream once, at the address the operator gave or at its usual one."""

    def __init__(
        self,
        http: Http,
        *,
        base_urls: Mapping[str, str] | None = None,
        clock: Clock | None = None,
        failures: int | None = None,
        pause: float | None = None,
    ) -> None:
        self._http = http
        self._base_urls = base_urls or {}
        self._clock = clock or Clock()
        self._failures = failures  # what the operator wants instead of the usual patience
        self._pause = pause
        self._apis: dict[str, UpstreamApi] = {}

    def api(
        self,
        name: str,
        base_url: str,
        limits: ApiLimits | None = None,
        *,
        setting: str = "",
        pace: LimitsRate | None = None,
    ) -> UpstreamApi:
        """Return the upstream of that name; two adapters of one upstream share its limits.

        `setting` is what its address is called in the settings, where that is not its name;
        `pace` is one that several processes keep together.
        """
        known = self._apis.get(name)
        if known is None:
            known = self._apis[name] = UpstreamApi(
                self._http,
                name=name,
                base_url=self._base_urls.get(setting or name, base_url),
                limits=self._limits(limits or ApiLimits()),
                clock=self._clock,
                pace=pace,
            )
        return known

    def _limits(self, limits: ApiLimits) -> ApiLimits:
        return replace(
            limits,
            failures=limits.failures if self._failures is None else self._failures,
            pause=limits.pause if self._pause is None else self._pause,
        )

    @property
    def http(self) -> Http:
        """What requests leave through, for an upstream with many addresses."""
        return self._http

    @property
    def clock(self) -> Clock:
        """The time all upstreams go by."""
        return self._clock

    def today(self) -> float:
        """Return the seconds since 1970, to read "3 days ago" in answers."""
        return self._clock.today()

    def health(self) -> dict[str, Health]:
        """Return the state of every upstream by name."""
        return {name: api.health for name, api in sorted(self._apis.items())}
