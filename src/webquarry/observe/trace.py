"""Spans for an OpenTelemetry collector; without a collector they cost nothing."""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Protocol

from webquarry.errors import SettingsError

if TYPE_CHECKING:
    from webquarry.observe.otlp import Collector

Attribute = str | bool | int | float


class AddsAttributes(Protocol):
    """Adds attributes to the running span."""

    def __call__(self, **attributes: Attribute) -> None: ...


class _Process:
    """The collector of the process, global because spans start in every layer."""

    collector: "Collector | None" = None


_NO_SPAN = nullcontext[None](None)


def configure_tracing(
    endpoint: str, service_name: str, *, secrets: Iterable[str] = ()
) -> Callable[[], None] | None:
    """Send spans to a collector; return the function that stops it, None without an endpoint."""
    if not endpoint:
        return None
    try:
        # an optional extra, and slow to import
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


def span(name: str, **attributes: Attribute) -> AbstractContextManager[AddsAttributes | None]:
    """Record a block as a span; its value adds attributes, None without a collector."""
    if _Process.collector is None:
        return _NO_SPAN
    return _Process.collector.span(name, attributes)
