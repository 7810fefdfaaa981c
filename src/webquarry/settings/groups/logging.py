"""Logs and traces."""

from typing import Literal

from webquarry.settings.groups.group import SettingsGroup, setting
from webquarry.settings.value_types import choice, matching, url

_LEVELS = ("debug", "info", "warn", "error")
# how other programs write them
_OTHER_LEVELS = {"trace": "debug", "notice": "info", "warning": "warn", "critical": "error",
                 "fatal": "error"}  # fmt: skip


class LoggingSettings(SettingsGroup):
    """Logs and traces."""

    level: Literal["debug", "info", "warn", "error"] = setting(
        "LOG_LEVEL",
        "Minimum severity of log lines.",
        choice(*_LEVELS, **_OTHER_LEVELS),
        default="info",
    )
    format: Literal["auto", "json", "text"] = setting(
        "LOG_FORMAT",
        "Format of the log lines on stderr; `auto` is text on a terminal, JSON elsewhere.",
        choice("auto", "json", "text"),
        default="auto",
    )
    otlp_endpoint: str = setting(
        "OTEL_EXPORTER_OTLP_ENDPOINT",
        "OpenTelemetry collector (OTLP over HTTP) that receives traces; empty for none.",
        url("http", "https"),
        default="",
    )
    service_name: str = setting(
        "OTEL_SERVICE_NAME",
        "Name of this server in traces.",
        matching(r"[\w.:/ -]{1,128}", "1 to 128 letters, digits or . _ : / -"),
        default="webquarry",
    )
