"""Logging to stderr: JSON or text, one line for each record, secrets masked."""

import json
import logging
import re
import sys
import traceback
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from webquarry.observe import call_context
from webquarry.observe.mask import mask, mask_value
from webquarry.observe.timestamp import rfc3339
from webquarry.observe.url_queries import without_url_queries

Level = Literal["debug", "info", "warn", "error"]
Format = Literal["auto", "json", "text"]

_STANDARD_FIELDS = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
_CONTROL_CHARACTERS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def configure(*, level: Level, fmt: Format, secrets: Iterable[str] = ()) -> None:
    """Log to stderr with secrets masked; a second call replaces the first."""
    root = logging.getLogger()
    for handler in list(root.handlers):
        if isinstance(handler, _Stderr):
            root.removeHandler(handler)
    handler = _Stderr()
    handler.setFormatter(_LineFormatter(fmt, tuple(secrets)))
    root.addHandler(handler)
    root.setLevel(level.upper())


class _Stderr(logging.Handler):
    """Writes to the current `sys.stderr`; ignores a closed one."""

    def emit(self, record: logging.LogRecord) -> None:
        line = self.format(record)
        try:
            sys.stderr.write(line + "\n")
            sys.stderr.flush()
        # closed: ValueError; broken pipe: OSError; started without one: AttributeError
        except (OSError, ValueError, AttributeError):
            return


class _LineFormatter(logging.Formatter):
    """Formats a record as one line."""

    def __init__(self, fmt: Format, secrets: tuple[str, ...]) -> None:
        super().__init__()
        self._text = fmt == "text" or (fmt == "auto" and _is_terminal())
        self._secrets = secrets

    def format(self, record: logging.LogRecord) -> str:
        try:
            fields = self._fields(record)
        # an argument's own __str__ may raise anything, and a log call must not
        except Exception as error:  # noqa: BLE001
            fields = self._fallback(record, error)
        # what people searched for is in the queries of URLs
        fields = {
            name: without_url_queries(value) if isinstance(value, str) else value
            for name, value in fields.items()
        }
        return _as_text(fields) if self._text else json.dumps(fields, default=str)

    def _fields(self, record: logging.LogRecord) -> dict[str, Any]:
        fields = _head(record) | {"message": mask(record.getMessage(), self._secrets)}
        bound = {"request_id": call_context.request_id.get(), "tool": call_context.tool.get()}
        fields |= {name: value for name, value in bound.items() if value}
        for name, value in vars(record).items():
            if name not in _STANDARD_FIELDS:
                # extra fields must not replace the standard ones
                shown = f"extra_{name}" if name in fields else name
                fields |= mask_value({shown: value}, self._secrets)
        if record.exc_info and record.exc_info[1]:
            fields |= self._exception(record.exc_info[1])
        if record.stack_info:
            fields["stack"] = mask(record.stack_info, self._secrets)
        return fields

    def _exception(self, error: BaseException) -> dict[str, str]:
        summary = " ".join(f"{type(error).__name__}: {error}".split())
        stack = "".join(traceback.format_exception(error))
        return {"exception": mask(summary, self._secrets), "stack": mask(stack, self._secrets)}

    def _fallback(self, record: logging.LogRecord, error: Exception) -> dict[str, Any]:
        message = mask(record.msg, self._secrets) if isinstance(record.msg, str) else "unprintable"
        return _head(record) | {"message": message, "log_error": type(error).__name__}


def _head(record: logging.LogRecord) -> dict[str, Any]:
    level = record.levelname.lower()
    return {
        "timestamp": rfc3339(record.created),
        "level": {"warning": "warn", "critical": "error"}.get(level, level),
        "logger": record.name,
    }


def _is_terminal() -> bool:
    stream: Any = sys.stderr
    return stream is not None and stream.isatty()


def _as_text(fields: Mapping[str, Any]) -> str:
    head = f"{fields['timestamp']} {fields['level'].upper():<5} {fields['logger']}: "
    rest = [
        f"{name}={value if isinstance(value, str) else json.dumps(value, default=str)}"
        for name, value in fields.items()
        if name not in ("timestamp", "level", "logger", "message")
    ]
    # a line break in a message could forge another log line
    return _CONTROL_CHARACTERS.sub(_escape, " ".join([head + fields["message"], *rest]))


def _escape(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode("ascii")
