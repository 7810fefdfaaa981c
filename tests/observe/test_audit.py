import io
import json
import logging
import os
import stat
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from webquarry.observe.audit import AuditEvent, AuditFile, AuditLog, Verification, verify
from webquarry.observe.call_context import ActiveCall
from webquarry.observe.hash_chain import tail_path

_KEY = b"k" * 32
_NOON = 1_793_620_800.5  # 2026-11-02T12:00:00.500Z
_EVENT = AuditEvent(event_type="tool_call", tenant_id="acme", user_id="ann", success=True)
_FULL = AuditEvent(
    event_type="tool_call",
    tenant_id="acme",
    user_id="ann",
    success=False,
    request_id="r1",
    session_id="s1",
    tool_name="web_search",
    source_ip="192.0.2.1",
    duration_ms=12.34567,
    error_code="network",
    query="what is hunter2",
    metadata={"provider": "brave", "note": "saw hunter2", "api_key": "k"},
)
_WRITER = """
import sys
from pathlib import Path
from webquarry.observe.audit import AuditLog, AuditEvent, AuditFile
audit = AuditLog(AuditFile(path=Path(sys.argv[1]), key=b"k" * 32))
for number in range(50):
    audit.log(AuditEvent(event_type="tool_call", tenant_id="t", user_id=sys.argv[2], success=True))
sys.exit(audit.dropped)
"""


def _write(path: Path, count: int, *, key: bytes | None = _KEY) -> None:
    audit = AuditLog(AuditFile(path=path, key=key), clock=lambda: _NOON)
    for _ in range(count):
        audit.log(_EVENT)
    audit.close()


def _events(lines: Iterable[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines]


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def test_an_event_is_one_line_without_secrets_or_query(tmp_path: Path) -> None:
    path = tmp_path / "new" / "audit.jsonl"
    AuditLog(AuditFile(path=path, secrets=["hunter2"]), clock=lambda: _NOON).log(_FULL)
    assert _events(_lines(path)) == [
        {
            "timestamp": "2026-11-02T12:00:00.500Z",
            "event_type": "tool_call",
            "tenant_id": "acme",
            "user_id": "ann",
            "request_id": "r1",
            "success": False,
            "session_id": "s1",
            "tool_name": "web_search",
            "source_ip": "192.0.2.1",
            "duration_ms": 12.346,
            "error_code": "network",
            "metadata": {
                "provider": "brave",
                "note": "saw ***",
                "api_key": "***",
                "query_length": 15,
            },
        }
    ]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_what_is_not_known_is_left_out_and_the_request_is_the_current_one(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    with ActiveCall("r7"):
        AuditLog(AuditFile(path=path), clock=lambda: _NOON).log(_EVENT)
    assert _events(_lines(path)) == [
        {
            "timestamp": "2026-11-02T12:00:00.500Z",
            "event_type": "tool_call",
            "tenant_id": "acme",
            "user_id": "ann",
            "request_id": "r7",
            "success": True,
        }
    ]


def test_the_query_is_logged_masked_if_configured(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    trail = AuditFile(path=path, include_request_body=True, secrets=["hunter2"])
    AuditLog(trail).log(_FULL)
    (event,) = _events(_lines(path))
    assert event["metadata"]["query"] == "what is ***"
    assert "query_length" not in event["metadata"]


def test_events_go_to_stderr_without_a_path(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    audit = AuditLog(AuditFile(key=_KEY))
    audit.log(_EVENT)
    audit.log(_EVENT)
    audit.close()
    first, second = _events(stream.getvalue().splitlines())
    assert (first["prev_hash"], second["prev_hash"]) == ("", first["hash"])


def test_a_writable_stderr_is_written_to_at_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "stderr"
    with path.open("w", encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stderr", stream)
        audit = AuditLog(AuditFile(key=_KEY, buffer=5))
        audit.log(_EVENT)
        audit.log(_EVENT)
        first, second = _events(_lines(path))
        audit.close()
    assert (first["prev_hash"], second["prev_hash"]) == ("", first["hash"])


def test_a_full_stderr_pipe_does_not_block(monkeypatch: pytest.MonkeyPatch) -> None:
    read, write = os.pipe()
    os.set_blocking(write, False)
    filler = _fill(write)
    os.set_blocking(write, True)
    with os.fdopen(write, "w", encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stderr", stream)
        audit = AuditLog(AuditFile(key=_KEY, buffer=5))
        for _ in range(3):
            audit.log(_EVENT)  # would wait for ever
        assert len(os.read(read, filler)) == filler
        audit.close()
    with os.fdopen(read, encoding="utf-8") as rest:
        events = _events(rest)
    assert [event["prev_hash"] for event in events] == ["", *(e["hash"] for e in events[:-1])]
    assert (len(events), audit.dropped) == (3, 0)


def test_a_long_event_is_written_by_the_thread_as_it_may_not_fit_a_pipe(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "stderr"
    with path.open("w", encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stderr", stream)
        audit = AuditLog(AuditFile(key=_KEY, buffer=5))
        audit.log(replace(_EVENT, metadata={"note": "n" * 5000}))
        audit.log(_EVENT)
        audit.close()
    long, short = _events(_lines(path))
    assert (len(long["metadata"]["note"]), short["prev_hash"]) == (5000, long["hash"])


def _fill(pipe: int) -> int:
    """Write into a pipe until it takes no more; return how much that was."""
    written = 0
    try:
        while True:
            written += os.write(pipe, b"x" * 4096)
    except BlockingIOError:
        return written


def test_the_chain_continues_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    _write(path, 2)
    _write(path, 2)
    events = _events(_lines(path))
    assert [event["prev_hash"] for event in events] == ["", *(e["hash"] for e in events[:-1])]
    assert verify(path, _KEY) == Verification(ok=True, lines=4)


def test_two_processes_write_one_chain(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    source = str(Path(__file__).parents[2] / "src")
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(path), user],
            env=os.environ | {"PYTHONPATH": source},
        )
        for user in ("ann", "ben")
    ]
    assert [writer.wait() for writer in writers] == [0, 0]
    assert verify(path, _KEY) == Verification(ok=True, lines=100)


def test_an_empty_or_missing_log_is_not_verified(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    assert verify(path, _KEY) == Verification(ok=False, lines=0, problem="there is no audit.jsonl")
    path.touch()
    assert verify(path, _KEY) == Verification(
        ok=False,
        lines=0,
        problem="audit.jsonl.tail is missing or wrong: lines after line 0 may have been removed",
    )


def test_a_changed_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    _write(path, 3)
    lines = _lines(path)
    lines[1] = lines[1].replace("ann", "eve")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert verify(path, _KEY) == Verification(
        ok=False,
        lines=1,
        bad_line=2,
        problem="audit.jsonl: the line was changed or written with another key",
    )


def test_another_key_does_not_verify(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    _write(path, 1)
    assert verify(path, b"other").bad_line == 1


@pytest.mark.parametrize("kept", [[1, 2], [0, 2], [1, 0, 2]])
def test_missing_or_moved_lines_are_named(tmp_path: Path, kept: list[int]) -> None:
    path = tmp_path / "audit.jsonl"
    _write(path, 3)
    lines = _lines(path)
    path.write_text("".join(lines[number] + "\n" for number in kept), encoding="utf-8")
    found = verify(path, _KEY)
    wrong = next(place for place, number in enumerate(kept) if place != number)
    assert (found.bad_line, found.problem) == (
        wrong + 1,
        "audit.jsonl: lines before this one are missing or in another order",
    )


def test_lines_cut_off_at_the_end_are_noticed(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    _write(path, 3)
    path.write_text(_lines(path)[0] + "\n", encoding="utf-8")
    assert verify(path, _KEY) == Verification(
        ok=False, lines=1, problem="audit.jsonl: lines after line 1 are missing"
    )


@pytest.mark.parametrize("with_tail", [True, False])
def test_writing_on_does_not_hide_a_cut(tmp_path: Path, *, with_tail: bool) -> None:
    path = tmp_path / "audit.jsonl"
    _write(path, 4)
    path.write_text("\n".join(_lines(path)[:2]) + "\n", encoding="utf-8")
    if not with_tail:
        tail_path(path).unlink()
    _write(path, 2)
    assert verify(path, _KEY).bad_line == 3


def test_a_forged_tail_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    _write(path, 2)
    tail_path(path).write_text(json.loads(_lines(path)[0])["hash"] + " 0\n", encoding="utf-8")
    assert verify(path, _KEY).problem == (
        "audit.jsonl.tail is missing or wrong: lines after line 2 may have been removed"
    )


def test_a_kill_between_line_and_tail_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    _write(path, 2)
    behind = tail_path(path).read_bytes()
    _write(path, 1)
    tail_path(path).write_bytes(behind)
    assert verify(path, _KEY) == Verification(ok=True, lines=3)
    _write(path, 1)
    assert verify(path, _KEY) == Verification(ok=True, lines=4)


def test_an_incomplete_line_is_named_and_the_next_ones_are_complete(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    _write(path, 1)
    with path.open("a", encoding="utf-8") as file:
        file.write('{"timestamp": ')
    assert verify(path, _KEY).problem == "audit.jsonl: the line is not a complete event with a hash"
    _write(path, 1)
    events = [line for line in _lines(path) if "hash" in line]
    assert json.loads(events[1])["prev_hash"] == json.loads(events[0])["hash"]


def test_a_file_moved_away_is_continued_in_a_new_one(tmp_path: Path) -> None:
    path, old = tmp_path / "audit.jsonl", tmp_path / "audit.jsonl.1"
    audit = AuditLog(AuditFile(path=path, key=_KEY))
    audit.log(_EVENT)
    path.rename(old)
    audit.log(_EVENT)
    audit.close()
    assert verify(path, _KEY, older=[old]) == Verification(ok=True, lines=1)
    assert verify(path, _KEY).bad_line == 1


def test_a_failing_disk_loses_events_and_is_logged_once_a_minute(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    now = [0.0]
    audit = AuditLog(AuditFile(path=tmp_path, key=_KEY), monotonic=lambda: now[0])
    with caplog.at_level(logging.WARNING):
        for moment in (0.0, 1.0, 59.0, 60.0):
            now[0] = moment
            audit.log(_EVENT)
    assert (audit.dropped, [record.getMessage() for record in caplog.records]) == (
        4,
        [f"audit events were lost: [Errno 21] Is a directory: '{tmp_path}'"] * 2,
    )


def test_a_closed_stderr_costs_events(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    stream.close()
    monkeypatch.setattr(sys, "stderr", stream)
    audit = AuditLog(AuditFile())
    audit.log(_EVENT)
    assert audit.dropped == 1


def test_half_a_line_on_a_full_disk_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "audit.jsonl"
    audit = AuditLog(AuditFile(path=path, key=_KEY))
    audit.log(_EVENT)
    write = os.write

    def half(file: int, data: bytes) -> int:
        return write(file, data[:10])

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", half)
        audit.log(_EVENT)
    audit.log(_EVENT)
    audit.close()
    assert (audit.dropped, verify(path, _KEY)) == (1, Verification(ok=True, lines=2))
