"""A line is appended directly only if that cannot block."""

import fcntl
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from webquarry.observe.audit import AuditEvent, AuditFile, AuditLog
from webquarry.observe.hash_chain import ChainedFile, ChainSeal, Verification, verify
from webquarry.observe.rotation import Rotation

_KEY = b"k" * 32
_EVENT: Mapping[str, Any] = {"event_type": "tool_call"}


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a path for a log on a local disk, wherever the tests are run."""
    monkeypatch.setattr(os, "major", lambda _: 254)  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    return tmp_path / "audit.jsonl"


def _opened(path: Path, rotation: Rotation | None = None) -> ChainedFile:
    chained = ChainedFile(path, ChainSeal(_KEY), rotation)
    chained.append(_EVENT)
    return chained


def test_an_open_file_is_appended_to_without_blocking(path: Path) -> None:
    chained = _opened(path)
    assert [chained.try_append(_EVENT) for _ in range(3)] == [True, True, True]
    chained.append(_EVENT)
    assert verify(path, _KEY) == Verification(ok=True, lines=5)


def test_a_file_that_is_not_open_is_left_to_append(path: Path) -> None:
    assert ChainedFile(path, ChainSeal(_KEY)).try_append(_EVENT) is False
    assert not path.exists()


def test_a_file_on_a_network_is_left_to_append(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "major", lambda _: 0)  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    assert _opened(path).try_append(_EVENT) is False
    assert verify(path, _KEY) == Verification(ok=True, lines=1)


def test_a_locked_file_is_left_to_append(path: Path) -> None:
    chained = _opened(path)
    with path.open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        assert chained.try_append(_EVENT) is False
    assert chained.try_append(_EVENT) is True


def test_lines_of_another_process_are_caught_up_with_elsewhere(path: Path) -> None:
    chained = _opened(path)
    ChainedFile(path, ChainSeal(_KEY)).append(_EVENT)
    assert chained.try_append(_EVENT) is False
    chained.append(_EVENT)
    assert chained.try_append(_EVENT) is True
    assert verify(path, _KEY) == Verification(ok=True, lines=4)


def test_a_moved_file_is_left_to_append(path: Path) -> None:
    chained = _opened(path)
    path.rename(path.with_name("aside.jsonl"))
    assert chained.try_append(_EVENT) is False


def test_a_file_that_is_nearly_full_is_put_aside_elsewhere(path: Path) -> None:
    chained = _opened(path, Rotation(max_bytes=60_000, keep_seconds=1e9))
    assert chained.try_append(_EVENT) is False
    roomy = _opened(path, Rotation(max_bytes=100_000, keep_seconds=1e9))
    assert roomy.try_append(_EVENT) is True


def _log(path: Path, key: bytes, previous: bytes | None = None) -> None:
    log = AuditLog(AuditFile(path=path, key=key, previous_key=previous))
    for _ in range(2):
        log.log(AuditEvent(event_type="tool_call", tenant_id="t", user_id="u", success=True))
    log.close()


_FIRST, _SECOND, _THIRD = (bytes([n]) * 32 for n in (1, 2, 3))


def test_a_log_written_across_rotations_of_the_key_is_verified_with_the_current_one(
    path: Path,
) -> None:
    _log(path, _FIRST)
    _log(path, _SECOND, _FIRST)
    _log(path, _THIRD, _SECOND)
    _log(path, _THIRD)  # the previous key was removed from the settings

    assert verify(path, _THIRD) == Verification(ok=True, lines=8)
    assert not verify(path, _SECOND).ok
    assert _FIRST.hex() not in (path.parent / "audit.jsonl.keys").read_text()


@pytest.mark.parametrize("line", [1, 3, 5])
def test_a_changed_line_of_any_key_is_found(path: Path, line: int) -> None:
    for key, previous in ((_FIRST, None), (_SECOND, _FIRST), (_THIRD, _SECOND)):
        _log(path, key, previous)
    lines = path.read_text().splitlines(keepends=True)
    lines[line - 1] = lines[line - 1].replace('"u"', '"x"')
    path.write_text("".join(lines))

    found = verify(path, _THIRD)
    assert (found.ok, found.bad_line) == (False, line)


def test_a_line_forged_with_an_earlier_key_is_found(path: Path) -> None:
    _log(path, _FIRST)
    _log(path, _SECOND, _FIRST)
    ChainedFile(path, ChainSeal(_FIRST, (_SECOND,))).append(_EVENT)

    found = verify(path, _SECOND)
    assert (found.bad_line, "an earlier key" in found.problem) == (5, True)
