"""Traces for an OpenTelemetry collector; without one configured they cost nothing."""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Protocol

from webquarry.errors import SettingsError

if TYPE_CHECKING:
    from webquarry.observe.otlp import Collector

Attribute = str | bool | int | float


class Annotates(Protocol):
    """Adds attributes to the running span."""

    def __call__(self, **attributes: Attribute) -> None: ...


class _Process:
    """The one collector of the process: spans begin far from where it is configured."""

    collector: "Collector | None" = None


def _ignore(**_: Attribute) -> None:
    return


_NO_SPAN = nullcontext[Annotates](_ignore)


def configure_tracing(
    endpoint: str, service_name: str, *, secrets: Iterable[str] = ()
) -> Callable[[], None] | None:
    """Send spans to the collector; return what flushes and ends that, None without an endpoint."""
    if not endpoint:
        return None
    try:
        # an optional extra, and dear to import
        from webquarry.observe.otlp import Collector
    except ImportError as error:
        raise SettingsError(
            "OTEL_EXPORTER_OTLP_ENDPOINT is set, but OpenTelemetry is not installed: "
            "pip install webquarry[otel]"
        ) from error
    collector = Collector(endpoint, service_name, secrets)
    _Process.collector = collector

    def shutdown() -> None:
        if _Process.collector is collector:
            _Process.collector = None
        collector.shutdown()

    return shutdown


def span(name: str, **attributes: Attribute) -> AbstractContextManager[Annotates]:
    """Measure a block as a span; its value adds attributes that are known only later."""
    if _Process.collector is None:
        return _NO_SPAN
    return _Process.collector.span(name, attributes)
