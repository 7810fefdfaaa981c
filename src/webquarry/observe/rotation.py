"""Rotates the audit log: full files are renamed, expired ones deleted.

The last hash of a deleted file is stored in a sealed `.anchor` file. So verification can tell an
expired file from one that somebody removed.
"""

import contextlib
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webquarry.observe.hash_chain import ChainSeal

_MODE = 0o600
_HASH_AT_END = slice(-67, -3)  # of a line: `…"hash": "<64 digits>"}\n`


@dataclass(frozen=True, kw_only=True)
class Rotation:
    """The maximum size of one file, and how long full ones are kept."""

    max_bytes: int
    keep_seconds: float
    clock: Callable[[], float] = time.time

    def is_due(self, size: int) -> bool:
        """Return whether a file of that size is full."""
        return size >= self.max_bytes

    def rotate(self, path: Path, seal: "ChainSeal | None") -> None:
        """Rename a full file with a timestamp, and delete expired ones."""
        timestamp = datetime.fromtimestamp(self.clock(), UTC).strftime("%Y%m%dT%H%M%S%fZ")
        rotated = path.with_name(f"{path.stem}.{timestamp}{path.suffix}")
        if rotated.exists():  # twice in a microsecond, or the clock stands still
            rotated = path.with_name(f"{path.stem}.{timestamp}-{os.getpid()}{path.suffix}")
        path.rename(rotated)
        self._delete_expired(path, seal)

    def _delete_expired(self, path: Path, seal: "ChainSeal | None") -> None:
        for old in older_files(path):
            if old.stat().st_mtime > self.clock() - self.keep_seconds:
                break  # the others are newer
            if seal:
                _write_anchor(path, seal, _last_hash(old))
            old.unlink()


def older_files(path: Path) -> list[Path]:
    """Return the rotated files of a log, oldest first."""
    return sorted(path.parent.glob(f"{path.stem}.[0-9]*T*Z*{path.suffix}"))


def read_anchor(path: Path, seal: "ChainSeal") -> str | None:
    """Return the last hash of the deleted files; empty without any, None if forged."""
    file = _anchor_path(path)
    return seal.read("anchor", file) if file.exists() else ""


def _write_anchor(path: Path, seal: "ChainSeal", last: str) -> None:
    # atomic: an incomplete anchor would look like a forgery
    new = _anchor_path(path).with_suffix(".new")
    file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _MODE)
    try:
        os.write(file, seal.sealed("anchor", last))
        os.fsync(file)
    finally:
        os.close(file)
    new.replace(_anchor_path(path))


def _anchor_path(path: Path) -> Path:
    return path.with_name(path.name + ".anchor")


def _last_hash(path: Path) -> str:
    with path.open("rb") as file, contextlib.suppress(OSError):
        file.seek(-min(path.stat().st_size, 65_536), os.SEEK_END)
        lines = file.read().splitlines(keepends=True)
        return lines[-1][_HASH_AT_END].decode("ascii", "replace") if lines else ""
    return ""
