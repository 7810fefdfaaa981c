import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from webquarry.errors import SettingsError
from webquarry.observe.trace import configure_tracing, span


@dataclass
class _Collector:
    address: str
    requests: list[tuple[str, ExportTraceServiceRequest]] = field(
        default_factory=list[tuple[str, ExportTraceServiceRequest]]
    )


@pytest.fixture
def collector() -> Iterator[_Collector]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.headers["Content-Encoding"] == "gzip":
                raise AssertionError("not asked for")
            found.requests.append((self.path, ExportTraceServiceRequest.FromString(body)))
            self.send_response(200)
            self.end_headers()

        # the base class writes to stderr and names its parameter so
        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            return

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        found = _Collector(f"http://127.0.0.1:{server.server_port}")
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield found
        server.shutdown()
        thread.join()


def test_spans_arrive_at_the_collector_without_secrets(collector: _Collector) -> None:
    shutdown = configure_tracing(collector.address, "quarry", secrets=["hunter2"])
    assert shutdown
    with span("outer", tool="echo", note="hunter2") as annotate:
        assert annotate
        annotate(results=3)
        with pytest.raises(KeyError), span("inner"):
            raise KeyError("hunter2")
    shutdown()
    ((path, request),) = collector.requests
    (resource,) = request.resource_spans
    inner, outer = resource.scope_spans[0].spans
    names = {entry.key: entry.value.string_value for entry in resource.resource.attributes}
    assert (path, names["service.name"]) == ("/v1/traces", "quarry")
    assert (outer.name, inner.name, inner.parent_span_id) == ("outer", "inner", outer.span_id)
    attributes = {
        entry.key: entry.value.string_value or entry.value.int_value for entry in outer.attributes
    }
    assert attributes == {"tool": "echo", "note": "***", "results": 3}
    assert (inner.status.message, len(inner.events)) == ("KeyError: '***'", 0)


def test_nothing_is_traced_after_the_shutdown(collector: _Collector) -> None:
    shutdown = configure_tracing(collector.address + "/v1/traces/", "quarry")
    assert shutdown
    shutdown()
    with span("late"):
        pass
    assert collector.requests == []


def test_without_a_collector_a_span_does_nothing() -> None:
    assert configure_tracing("", "quarry") is None
    with span("quiet", tool="echo") as annotate:
        assert annotate is None


def test_a_missing_extra_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "webquarry.observe.otlp", raising=False)
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    with pytest.raises(SettingsError, match=r"pip install webquarry\[otel\]"):
        configure_tracing("http://127.0.0.1:1", "quarry")
