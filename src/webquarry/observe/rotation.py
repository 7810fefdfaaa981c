"""Keeps a trail within bounds: full files are put aside, and old ones go.

A file that goes leaves its last hash in an `.anchor` file, sealed like everything else, so that a
check can tell what was let go from what somebody took away.
"""

import contextlib
import hmac
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
    """How large one file grows, and how long full ones stay."""

    max_bytes: int
    keep_seconds: float
    clock: Callable[[], float] = time.time

    def is_due(self, size: int) -> bool:
        """Return whether a file of that size is full."""
        return size >= self.max_bytes

    def put_aside(self, path: Path, seal: "ChainSeal | None") -> None:
        """Rename a full file after the moment, and let go of those that are too old."""
        moment = datetime.fromtimestamp(self.clock(), UTC).strftime("%Y%m%dT%H%M%S%fZ")
        aside = path.with_name(f"{path.stem}.{moment}{path.suffix}")
        if aside.exists():  # twice in a microsecond, or a clock that stands still
            aside = path.with_name(f"{path.stem}.{moment}-{os.getpid()}{path.suffix}")
        path.rename(aside)
        self._let_go(path, seal)

    def _let_go(self, path: Path, seal: "ChainSeal | None") -> None:
        for old in older_files(path):
            if old.stat().st_mtime > self.clock() - self.keep_seconds:
                break  # the rest is younger
            if seal:
                _write_anchor(path, seal, _last_hash(old))
            old.unlink()


def older_files(path: Path) -> list[Path]:
    """Return the files rotated out of a trail, the oldest first."""
    return sorted(path.parent.glob(f"{path.stem}.[0-9]*T*Z*{path.suffix}"))


def read_anchor(path: Path, seal: "ChainSeal") -> str | None:
    """Return the last hash of what was let go; empty when nothing was, None when it was forged."""
    try:
        text = _anchor_path(path).read_bytes()
    except FileNotFoundError:
        return ""
    last = text[:64].decode("ascii", "replace")
    return last if hmac.compare_digest(text, _sealed(seal, last)) else None


def _write_anchor(path: Path, seal: "ChainSeal", last: str) -> None:
    # whole or not at all: a torn anchor would read as a forgery
    new = _anchor_path(path).with_suffix(".new")
    file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _MODE)
    try:
        os.write(file, _sealed(seal, last))
        os.fsync(file)
    finally:
        os.close(file)
    new.replace(_anchor_path(path))


def _sealed(seal: "ChainSeal", last: str) -> bytes:
    return f"{last} {seal.of(b'anchor ' + last.encode())}\n".encode()


def _anchor_path(path: Path) -> Path:
    return path.with_name(path.name + ".anchor")


def _last_hash(path: Path) -> str:
    with path.open("rb") as file, contextlib.suppress(OSError):
        file.seek(-min(path.stat().st_size, 65_536), os.SEEK_END)
        lines = file.read().splitlines(keepends=True)
        return lines[-1][_HASH_AT_END].decode("ascii", "replace") if lines else ""
    return ""
