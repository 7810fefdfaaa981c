"""A file of JSON lines in which each line vouches for the one before it.

Each line ends in `"hash"`: an HMAC over the rest of the line, which holds the hash of the line
before as `prev_hash`. A `.tail` file beside it holds the last hash, so that lines missing at the
end show as well. Without the key nobody can write either.
"""

import hmac
import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webquarry.observe.rotation import Rotation, read_anchor

try:
    import fcntl
except ImportError:  # Windows: there the trail must have one writer
    fcntl = None

_LINE = re.compile(rb'(\{.*"prev_hash": "([0-9a-f]{64})?")(?:, "hash": "([0-9a-f]{64})"\})')
_MODE = 0o600
_BINARY = getattr(os, "O_BINARY", 0)  # Windows would write other line ends
_LAST_BYTES = 65_536
_LONGEST = 65_536  # bytes that a line hardly ever has


class ChainSeal:
    """Makes and checks the hashes of one key."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def line(self, body: Mapping[str, Any], previous: str) -> tuple[str, str]:
        """Return the line of an event and its hash."""
        text = json.dumps({**body, "prev_hash": previous})[:-1]
        own = self.of(text.encode())
        return f'{text}, "hash": "{own}"}}', own

    def of(self, text: bytes) -> str:
        """Return the hash of a line without its own hash."""
        return hmac.digest(self._key, text, "sha256").hex()

    def tail(self, last: str) -> str:
        """Return what the tail file holds when this is the last hash."""
        return f"{last} {self.of(b'tail ' + last.encode())}\n"


class ChainedFile:
    """Appends lines to a file that other processes may append to as well."""

    def __init__(
        self, path: Path, seal: ChainSeal | None, rotation: Rotation | None = None
    ) -> None:
        self._path = path
        self._seal = seal
        self._rotation = rotation
        self._file: int | None = None
        self._is_near = False
        self._end = -1
        self._last = ""

    def append(self, body: Mapping[str, Any]) -> None:
        """Add one line; OSError when it could not be written, and then it is not there."""
        file = self._locked()
        try:
            if os.fstat(file).st_size != self._end:
                self._catch_up(file)
            self._write(file, body)
            if self._rotation and self._rotation.is_due(self._end):
                self._rotation.put_aside(self._path, self._seal)
        finally:
            _unlock(file)

    def at_once(self, body: Mapping[str, Any]) -> bool:
        """Add one line if nothing can hold that up; return whether it was added."""
        file = self._file
        if file is None or not self._is_near or not _locked_at_once(file):
            return False
        try:
            # what another process did, or a file that will be full, is for `append`
            usual = self._is_current(file) and os.fstat(file).st_size == self._end
            if not usual or (self._rotation and self._rotation.is_due(self._end + _LONGEST)):
                return False
            self._write(file, body)
        finally:
            _unlock(file)
        return True

    def _locked(self) -> int:
        """Return the current file, locked; another process may put it aside while we wait."""
        while True:
            file = self._opened()
            _lock(file)
            if self._is_current(file):
                return file
            _unlock(file)

    def close(self) -> None:
        """Close the file until the next append."""
        if self._file is not None:
            file, self._file, self._end = self._file, None, -1
            os.close(file)

    def _opened(self) -> int:
        if self._file is not None and not self._is_current(self._file):
            self.close()
        if self._file is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(self._path, os.O_RDWR | os.O_APPEND | os.O_CREAT | _BINARY, _MODE)
            # networks, which may hang, have no device of this machine
            self._is_near = bool(fcntl) and os.major(os.fstat(self._file).st_dev) != 0
        return self._file

    def _is_current(self, file: int) -> bool:
        try:
            return os.path.samestat(os.fstat(file), self._path.stat())
        except FileNotFoundError:  # moved away: begin a new file
            return False

    def _catch_up(self, file: int) -> None:
        """Continue the chain where this or another process left it."""
        size = os.fstat(file).st_size
        block = _read_at(file, max(0, size - _LAST_BYTES), size)
        if block and not block.endswith(b"\n"):
            # a torn line stays as evidence, and the next one begins on its own
            os.write(file, b"\n")
        self._end = os.fstat(file).st_size
        if self._seal is None:
            return
        whole = [match for line in block.split(b"\n") if (match := _LINE.fullmatch(line))]
        tail = read_tail(self._path, self._seal) or ""
        # a kill between the two writes leaves the tail one line behind; further apart, lines were
        # removed, and continuing from the tail keeps that visible
        if whole and tail in ((whole[-1][2] or b"").decode(), whole[-1][3].decode()):
            tail = whole[-1][3].decode()
        self._last = tail

    def _write(self, file: int, body: Mapping[str, Any]) -> None:
        line, last = self._seal.line(body, self._last) if self._seal else (json.dumps(body), "")
        data = line.encode() + b"\n"
        written = os.write(file, data)
        if written != len(data):
            os.ftruncate(file, self._end)
            raise OSError("the disk is full")
        self._end += written
        self._last = last
        if self._seal:
            tail = os.open(tail_path(self._path), os.O_WRONLY | os.O_CREAT | _BINARY, _MODE)
            try:
                # always as long as before, so that no reader sees half of two
                os.write(tail, self._seal.tail(last).encode())
            finally:
                os.close(tail)


def tail_path(path: Path) -> Path:
    """Return the file that remembers the last hash of a trail."""
    return path.with_name(path.name + ".tail")


def read_tail(path: Path, seal: ChainSeal) -> str | None:
    """Return the last hash a trail is known to have had; None when nothing vouches for one."""
    try:
        text = tail_path(path).read_bytes()
    except FileNotFoundError:
        return None
    last = text[:64].decode("ascii", "replace")
    return last if hmac.compare_digest(text, seal.tail(last).encode()) else None


@dataclass(frozen=True)
class Verification:
    """What a check of a trail found; `problem` is empty when all is well."""

    ok: bool
    lines: int
    bad_line: int | None = None
    problem: str = ""


def verify(path: Path, key: bytes, *, older: Sequence[Path] = ()) -> Verification:
    """Check a trail, after the files rotated out of it, oldest first; name the first bad line."""
    seal = ChainSeal(key)
    tail = read_tail(path, seal)
    anchor = read_anchor(path, seal)
    if anchor is None:
        return Verification(ok=False, lines=0, problem=f"{path.name}.anchor is wrong")
    previous, count, ends = anchor, 0, anchor == tail
    # the file may be put aside a moment ago, and nothing happened since
    parts = (*older, path) if path.is_file() or not older else older
    for part in parts:
        if not part.is_file():
            return Verification(ok=False, lines=count, problem=f"there is no {part.name}")
        count = 0
        with part.open("rb") as file:
            for raw in file:
                if problem := _problem(raw, previous, seal):
                    told = f"{part.name}: {problem}"
                    return Verification(ok=False, lines=count, bad_line=count + 1, problem=told)
                count += 1
                previous = raw[-67:-3].decode()
                ends = ends or previous == tail
    problem = ""
    if tail is None:
        name = tail_path(path).name
        problem = f"{name} is missing or wrong: lines after line {count} may have been removed"
    elif not ends:
        problem = f"{path.name}: lines after line {count} are missing"
    return Verification(ok=not problem, lines=count, problem=problem)


def _problem(raw: bytes, previous: str, seal: ChainSeal) -> str:
    match = _LINE.fullmatch(raw.removesuffix(b"\n"))
    if not match or not raw.endswith(b"\n"):
        return "the line is not a whole event with a hash"
    if not hmac.compare_digest(seal.of(match[1]), match[3].decode()):
        return "the line was changed, or written with another key"
    if (match[2] or b"").decode() != previous:
        return "lines before this one are missing or in another order"
    return ""


def _read_at(file: int, start: int, end: int) -> bytes:
    os.lseek(file, start, os.SEEK_SET)
    return os.read(file, end - start)


def _lock(file: int) -> None:
    if fcntl:
        fcntl.flock(file, fcntl.LOCK_EX)


def _locked_at_once(file: int) -> bool:
    try:
        if fcntl:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _unlock(file: int) -> None:
    if fcntl:
        fcntl.flock(file, fcntl.LOCK_UN)
