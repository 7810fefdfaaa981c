"""A log over several files."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from webquarry.observe.audit import AuditEvent, AuditFile, AuditLog
from webquarry.observe.hash_chain import ChainSeal, tail_path, verify
from webquarry.observe.rotation import Rotation, older_files, read_anchor

_KEY = b"k" * 32
_NOW = 1_793_620_800.0
_EVENT = AuditEvent(event_type="tool_call", tenant_id="acme", user_id="ann", success=True)
_WRITER = """
import sys
from pathlib import Path
from webquarry.observe.audit import AuditLog, AuditEvent, AuditFile
from webquarry.observe.rotation import Rotation
rotation = Rotation(max_bytes=2000, keep_seconds=1e9)
audit = AuditLog(AuditFile(path=Path(sys.argv[1]), key=b"k" * 32, rotation=rotation))
for number in range(60):
    audit.log(AuditEvent(event_type="tool_call", tenant_id="t", user_id=sys.argv[2], success=True))
sys.exit(audit.dropped)
"""


class Time:
    def __init__(self, start: float) -> None:
        self.now = start

    def __call__(self) -> float:
        self.now += 1
        return self.now


def _write(path: Path, count: int, *, max_bytes: int = 1000, keep: float = 1e9) -> None:
    # later than the existing files
    clock = Time(_NOW + 1000 * len(older_files(path)))
    rotation = Rotation(max_bytes=max_bytes, keep_seconds=keep, clock=clock)
    audit = AuditLog(AuditFile(path=path, key=_KEY, rotation=rotation), clock=clock)
    for _ in range(count):
        audit.log(_EVENT)
    audit.close()


def test_full_files_are_rotated_and_the_chain_continues(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"

    _write(path, 20)

    older = older_files(path)
    assert len(older) > 2
    parts = [*older, path] if path.exists() else older
    assert sum(len(part.read_text().splitlines()) for part in parts) == 20
    assert verify(path, _KEY, older=older).ok


def test_two_processes_rotate_one_log(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    running = [
        subprocess.Popen([sys.executable, "-c", _WRITER, str(path), name]) for name in ("a", "b")
    ]
    assert [process.wait(60) for process in running] == [0, 0]

    older = older_files(path)
    parts = [*older, path] if path.exists() else older
    users = [json.loads(line)["user_id"] for p in parts for line in p.read_text().splitlines()]
    assert (users.count("a"), users.count("b")) == (60, 60)
    assert verify(path, _KEY, older=older).ok


def test_old_files_go_and_leave_their_last_hash(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    _write(path, 9)
    for old in older_files(path):
        os.utime(old, (1000, 1000))

    _write(path, 9, keep=3600)

    assert all(old.stat().st_mtime > 1000 for old in older_files(path))
    assert read_anchor(path, ChainSeal(_KEY))
    assert verify(path, _KEY, older=older_files(path)).ok


def test_a_removed_file_is_detected(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    _write(path, 20)
    older_files(path)[0].unlink()

    found = verify(path, _KEY, older=older_files(path))

    assert not found.ok
    assert "lines before this one are missing" in found.problem


@pytest.mark.parametrize("text", ["", "f" * 64 + " " + "0" * 64 + "\n"])
def test_a_forged_anchor_is_noticed(tmp_path: Path, text: str) -> None:
    path = tmp_path / "audit.jsonl"
    _write(path, 20)
    (tmp_path / "audit.jsonl.anchor").write_text(text)

    assert verify(path, _KEY, older=older_files(path)).problem == "audit.jsonl.anchor is wrong"


def test_a_new_file_without_events_verifies(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    _write(path, 1, max_bytes=1)

    assert not path.exists()
    assert tail_path(path).exists()
    assert verify(path, _KEY, older=older_files(path)).ok
