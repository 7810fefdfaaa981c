"""A line is appended directly only if that cannot block."""

import fcntl
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

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
