"""Sends spans over OTLP. Import it only with a collector: OpenTelemetry is optional."""

from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Status, StatusCode

from webquarry.observe.mask import mask
from webquarry.observe.trace import AddsAttributes, Attribute
from webquarry.observe.url_queries import without_url_queries

_TRACES_PATH = "/v1/traces"


class Collector:
    """Creates spans and sends them in the background."""

    def __init__(self, endpoint: str, service_name: str, secrets: Iterable[str]) -> None:
        self._secrets = tuple(secrets)
        self._provider = TracerProvider(resource=Resource.create({"service.name": service_name}))
        # the setting is the URL of the collector; the exporter needs that of its traces
        url = endpoint.rstrip("/").removesuffix(_TRACES_PATH) + _TRACES_PATH
        exporter = OTLPSpanExporter(endpoint=url)
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer("webquarry")

    @contextmanager
    def span(self, name: str, attributes: Mapping[str, Attribute]) -> Generator[AddsAttributes]:
        # errors are recorded below: the text of an exception may contain a secret
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
                text = without_url_queries(f"{type(error).__name__}: {error}")
                summary = mask(text, self._secrets)
                running.set_status(Status(StatusCode.ERROR, summary))
                raise

    def shutdown(self) -> None:
        """Send pending spans and stop."""
        self._provider.shutdown()

    def _masked(self, attributes: Mapping[str, Attribute]) -> dict[str, Attribute]:
        return {
            name: mask(value, self._secrets) if isinstance(value, str) else value
            for name, value in attributes.items()
        }
