"""What the server says about its own work."""

from typing import Annotated, Literal

from webquarry.settings.groups.group import SettingsGroup
from webquarry.settings.value_types import choice, matching, url
from webquarry.settings.variable import Variable


class LoggingSettings(SettingsGroup):
    """Log lines and traces."""

    level: Annotated[
        Literal["debug", "info", "warn", "error"],
        Variable(
            "LOG_LEVEL",
            "Least severe log lines to write.",
            choice("debug", "info", "warn", "error"),
        ),
    ] = "info"
    format: Annotated[
        Literal["json", "text"],
        Variable("LOG_FORMAT", "Shape of the log lines on stderr.", choice("json", "text")),
    ] = "json"
    otlp_endpoint: Annotated[
        str,
        Variable(
            "OTEL_EXPORTER_OTLP_ENDPOINT",
            "OpenTelemetry collector (OTLP over HTTP) that receives traces; empty for none.",
            url("http", "https"),
        ),
    ] = ""
    service_name: Annotated[
        str,
        Variable(
            "OTEL_SERVICE_NAME",
            "Name of this server in traces.",
            matching(r"[\w.:/ -]{1,128}", "1 to 128 letters, digits or . _ : / -"),
        ),
    ] = "webquarry"
