"""Spans sent over OTLP. Import only when a collector is configured: OpenTelemetry is optional."""

from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Status, StatusCode

from webquarry.observe.mask import mask
from webquarry.observe.trace import Annotates, Attribute

_PLACE = "/v1/traces"


class Collector:
    """Makes spans and sends them in the background."""

    def __init__(self, endpoint: str, service_name: str, secrets: Iterable[str]) -> None:
        self._secrets = tuple(secrets)
        self._provider = TracerProvider(resource=Resource.create({"service.name": service_name}))
        # the variable names the collector; the exporter wants the place for traces
        address = endpoint.rstrip("/").removesuffix(_PLACE) + _PLACE
        exporter = OTLPSpanExporter(endpoint=address)
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer("webquarry")

    @contextmanager
    def span(self, name: str, attributes: Mapping[str, Attribute]) -> Generator[Annotates]:
        # the failure is noted below: the text of an exception may hold a secret
        with self._tracer.start_as_current_span(
            name,
            attributes=self._masked(attributes),
            record_exception=False,
            set_status_on_exception=False,
        ) as running:

            def annotate(**more: Attribute) -> None:
                running.set_attributes(self._masked(more))

            try:
                yield annotate
            except BaseException as error:
                summary = mask(f"{type(error).__name__}: {error}", self._secrets)
                running.set_status(Status(StatusCode.ERROR, summary))
                raise

    def shutdown(self) -> None:
        """Send what is left and stop."""
        self._provider.shutdown()

    def _masked(self, attributes: Mapping[str, Attribute]) -> dict[str, Attribute]:
        return {
            name: mask(value, self._secrets) if isinstance(value, str) else value
            for name, value in attributes.items()
        }
