import io
import json
import logging
import os
import re
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from webquarry.observe import log
from webquarry.observe.call_context import ActiveCall

_LOG = logging.getLogger("webquarry.test")


@pytest.fixture(autouse=True)
def restored_root() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)


class _Unprintable:
    def __str__(self) -> str:
        raise RuntimeError("no text of mine")

    __repr__ = __str__


def _configure(
    *, level: log.Level = "info", fmt: log.Format = "json", secrets: tuple[str, ...] = ()
) -> None:
    # the handlers of the test runner fail on purpose where ours must not
    logging.getLogger().handlers.clear()
    log.configure(level=level, fmt=fmt, secrets=secrets)


def _lines(text: str) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in text.splitlines()]
    for line in lines:
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line.pop("timestamp"))
    return lines


def test_a_line_is_json_with_its_request(capsys: pytest.CaptureFixture[str]) -> None:
    _configure(level="info", fmt="json")
    with ActiveCall("abc", "echo"):
        _LOG.warning("seen %d of %s", 3, "vier", extra={"pages": [1], "level": "forged"})
    _LOG.debug("not at this level")
    _LOG.critical("last")
    written = capsys.readouterr()
    assert _lines(written.err) == [
        {
            "level": "warn",
            "logger": "webquarry.test",
            "message": "seen 3 of vier",
            "request_id": "abc",
            "tool": "echo",
            "pages": [1],
            "extra_level": "forged",
        },
        {"level": "error", "logger": "webquarry.test", "message": "last"},
    ]
    assert written.out == ""


def test_no_secret_gets_out(capsys: pytest.CaptureFixture[str]) -> None:
    _configure(level="info", fmt="json", secrets=("hunter2",))
    extra = {"api_key": "k", "seen": {"url": "https://me:pw@host/?token=t&q=hunter2"}}
    try:
        int("hunter2 is wrong\nreally: Bearer abcdefgh1")
    except ValueError:
        _LOG.exception("with %s", "hunter2", extra=extra)
    text = capsys.readouterr().err
    (line,) = _lines(text)
    stack = line.pop("stack")
    assert line == {
        "level": "error",
        "logger": "webquarry.test",
        "message": "with ***",
        "api_key": "***",
        "seen": {"url": "https://me:***@host/?token=***&q=***"},
        "exception": "ValueError: invalid literal for int() with base 10: "
        r"'*** is wrong\nreally: Bearer ***'",
    }
    assert stack.startswith("Traceback (most recent call last):\n")
    assert [secret for secret in ("hunter2", "abcdefgh1") if secret in text] == []


def test_a_stack_can_be_requested(capsys: pytest.CaptureFixture[str]) -> None:
    _configure(level="info", fmt="json")
    _LOG.info("here", stack_info=True)
    (line,) = _lines(capsys.readouterr().err)
    assert line["stack"].startswith("Stack (most recent call last):")


def test_text_lines_stay_lines(capsys: pytest.CaptureFixture[str]) -> None:
    _configure(level="debug", fmt="text", secrets=("hunter2",))
    with ActiveCall("abc", "echo"):
        _LOG.debug("one\ntwo \x1b[31m\u2028hunter2", extra={"pages": [1]})
    assert re.sub(r"^\S+ ", "", capsys.readouterr().err) == (
        r"DEBUG webquarry.test: one\ntwo \x1b[31m\u2028*** request_id=abc tool=echo pages=[1]" "\n"
    )


@pytest.mark.parametrize("fmt", ["json", "text"])
def test_a_broken_log_call_is_a_line_and_no_failure(
    capsys: pytest.CaptureFixture[str], fmt: log.Format
) -> None:
    _configure(level="info", fmt=fmt, secrets=("hunter2",))
    _LOG.info("%d hunter2", "x", "y")
    _LOG.info("%s", _Unprintable())
    _LOG.info(_Unprintable())
    _LOG.info("extra", extra={"odd": _Unprintable()})
    lines = capsys.readouterr().err.splitlines()
    assert [("hunter2" in line, "log_error" in line) for line in lines] == [(False, True)] * 4


def test_odd_values_are_written(capsys: pytest.CaptureFixture[str]) -> None:
    _configure(level="info", fmt="json")
    _LOG.info("lone \udcff", extra={"nan": float("nan"), "set": {1}})
    assert _lines(capsys.readouterr().err) == [
        {
            "level": "info",
            "logger": "webquarry.test",
            "message": "lone \udcff",
            "nan": "nan",
            "set": [1],
        }
    ]


def test_a_closed_stderr_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    _configure()
    stream = io.StringIO()
    stream.close()
    monkeypatch.setattr(sys, "stderr", stream)
    _LOG.info("nobody hears this")


def test_a_missing_stderr_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    _configure(level="info", fmt="json")
    monkeypatch.setattr(sys, "stderr", None)
    _LOG.info("nobody hears this")


def test_a_broken_pipe_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    _configure(level="info", fmt="json")
    reader, writer = os.pipe()
    os.close(reader)
    raw = os.fdopen(writer, "wb", buffering=0)
    stream = io.TextIOWrapper(raw, write_through=True)
    monkeypatch.setattr(sys, "stderr", stream)
    _LOG.info("nobody hears this")
    raw.close()


def test_configuring_again_replaces_the_handler(capsys: pytest.CaptureFixture[str]) -> None:
    log.configure(level="info", fmt="text")
    log.configure(level="error", fmt="json")
    _LOG.info("not at this level")
    _LOG.error("once")
    assert _lines(capsys.readouterr().err) == [
        {"level": "error", "logger": "webquarry.test", "message": "once"}
    ]


def test_the_queries_of_urls_are_not_logged(capsys: pytest.CaptureFixture[str]) -> None:
    log.configure(level="info", fmt="json")
    error = ValueError("https://a.example/s?q=zebra")
    logging.getLogger("test").warning(
        "cannot read %s",
        "https://a.example/s?q=zebra",
        exc_info=error,
        extra={"url": "x://a?zebra"},
    )

    line = capsys.readouterr().err
    assert "https://a.example/s?" in line
    assert "zebra" not in line
