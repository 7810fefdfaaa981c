"""A hash-chained file of JSON lines: changed, removed and reordered lines are detected.

Each line ends in `"hash"`: an HMAC over the rest of the line, which contains the hash of the
previous line as `prev_hash`. A `.tail` file beside it has the last hash, so that lines missing at
the end are detected as well. Both need the key.
"""

import hmac
import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webquarry.observe.chain_keys import earlier_keys
from webquarry.observe.rotation import Rotation, read_anchor

try:
    import fcntl
except ImportError:  # Windows, where the log must have only one writer
    fcntl = None

_LINE = re.compile(rb'(\{.*"prev_hash": "([0-9a-f]{64})?")(?:, "hash": "([0-9a-f]{64})"\})')
_MODE = 0o600
_BINARY = getattr(os, "O_BINARY", 0)  # Windows would convert line ends
_TAIL_BYTES = 65_536
_LONG_LINE = 65_536  # bytes; hardly any line is as long


class ChainSeal:
    """Computes the hashes with one key; recognises those of earlier keys."""

    def __init__(self, key: bytes, earlier: Sequence[bytes] = ()) -> None:
        """Take the current key and the earlier ones, the newest first."""
        self._key = key
        self.keys = (key, *earlier)

    def line(self, body: Mapping[str, Any], previous: str) -> tuple[str, str]:
        """Return the line of an event and its hash."""
        text = json.dumps({**body, "prev_hash": previous})[:-1]
        digest = self.hash_of(text.encode())
        return f'{text}, "hash": "{digest}"}}', digest

    def hash_of(self, text: bytes) -> str:
        """Return the hash of a line without its own hash."""
        return hmac.digest(self._key, text, "sha256").hex()

    def sealed(self, kind: str, last: str) -> bytes:
        """Return the content of a `tail` or `anchor` file for this last hash."""
        return f"{last} {self.hash_of(f'{kind} {last}'.encode())}\n".encode()

    def read(self, kind: str, path: Path) -> str | None:
        """Return the hash in a sealed file; None if it is missing or forged."""
        try:
            text = path.read_bytes()
        except FileNotFoundError:
            return None
        last = text[:64].decode("ascii", "replace")
        seals = (ChainSeal(key).sealed(kind, last) for key in self.keys)
        return last if any(hmac.compare_digest(text, seal) for seal in seals) else None

    def key_of(self, text: bytes, digest: str) -> int | None:
        """Return which key a hash was computed with, 0 for the current one; None if with none."""
        hashes = (hmac.digest(key, text, "sha256").hex() for key in self.keys)
        matches = [n for n, found in enumerate(hashes) if hmac.compare_digest(found, digest)]
        return matches[0] if matches else None


class ChainedFile:
    """Appends lines to a file that several processes write to."""

    def __init__(
        self, path: Path, seal: ChainSeal | None, rotation: Rotation | None = None
    ) -> None:
        self._path = path
        self._seal = seal
        self._rotation = rotation
        self._file: int | None = None
        self._is_local = False
        self._size = -1  # as of our last write
        self._last_hash = ""

    def append(self, body: Mapping[str, Any]) -> None:
        """Add one line; raise OSError if it cannot be written, without leaving part of it."""
        file = self._lock_current()
        try:
            if os.fstat(file).st_size != self._size:
                self._catch_up(file)
            self._write(file, body)
            if self._rotation and self._rotation.is_due(self._size):
                self._rotation.rotate(self._path, self._seal)
        finally:
            _unlock(file)

    def try_append(self, body: Mapping[str, Any]) -> bool:
        """Add one line if that cannot block; return whether it was added."""
        file = self._file
        if file is None or not self._is_local or not _try_lock(file):
            return False
        try:
            # `append` handles lines of other processes and a file that is nearly full
            unchanged = self._is_current(file) and os.fstat(file).st_size == self._size
            if not unchanged or (self._rotation and self._rotation.is_due(self._size + _LONG_LINE)):
                return False
            self._write(file, body)
        finally:
            _unlock(file)
        return True

    def _lock_current(self) -> int:
        """Return the current file, locked; another process may rotate it while we wait."""
        while True:
            file = self._open()
            _lock(file)
            if self._is_current(file):
                return file
            _unlock(file)

    def close(self) -> None:
        """Close the file until the next append."""
        if self._file is not None:
            file, self._file, self._size = self._file, None, -1
            os.close(file)

    def _open(self) -> int:
        if self._file is not None and not self._is_current(self._file):
            self.close()
        if self._file is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(self._path, os.O_RDWR | os.O_APPEND | os.O_CREAT | _BINARY, _MODE)
            # network file systems, which may hang, have no device of this machine
            self._is_local = bool(fcntl) and os.major(os.fstat(self._file).st_dev) != 0
        return self._file

    def _is_current(self, file: int) -> bool:
        try:
            return os.path.samestat(os.fstat(file), self._path.stat())
        except FileNotFoundError:  # it was moved: start a new file
            return False

    def _catch_up(self, file: int) -> None:
        """Continue the chain after the last line of this or another process."""
        size = os.fstat(file).st_size
        os.lseek(file, max(0, size - _TAIL_BYTES), os.SEEK_SET)
        block = os.read(file, _TAIL_BYTES)
        if block and not block.endswith(b"\n"):
            # keep an incomplete line as evidence, and start the next one on a new line
            os.write(file, b"\n")
        self._size = os.fstat(file).st_size
        if self._seal is None:
            return
        lines = [match for line in block.split(b"\n") if (match := _LINE.fullmatch(line))]
        tail = self._seal.read("tail", tail_path(self._path)) or ""
        # a kill between the writes leaves the tail one line behind; after a larger gap lines were
        # removed, and continuing from the tail keeps that detectable
        if lines and tail in ((lines[-1][2] or b"").decode(), lines[-1][3].decode()):
            tail = lines[-1][3].decode()
        self._last_hash = tail

    def _write(self, file: int, body: Mapping[str, Any]) -> None:
        line, last = json.dumps(body), ""
        if self._seal:
            line, last = self._seal.line(body, self._last_hash)
        data = line.encode() + b"\n"
        written = os.write(file, data)
        if written != len(data):
            os.ftruncate(file, self._size)
            raise OSError("the disk is full")
        self._size += written
        self._last_hash = last
        if self._seal:
            tail = os.open(tail_path(self._path), os.O_WRONLY | os.O_CREAT | _BINARY, _MODE)
            try:
                # always of the same length, so that no reader sees a mixture
                os.write(tail, self._seal.sealed("tail", last))
            finally:
                os.close(tail)


def tail_path(path: Path) -> Path:
    """Return the file with the last hash of a log."""
    return path.with_name(path.name + ".tail")


@dataclass(frozen=True)
class Verification:
    """The result of verifying a log; `problem` is empty if it is intact."""

    ok: bool
    lines: int
    bad_line: int | None = None
    problem: str = ""


def verify(path: Path, key: bytes, *, older: Sequence[Path] = ()) -> Verification:
    """Verify a log after the files rotated out of it, oldest first; name the first bad line.

    Lines may be of earlier keys, but not after a line of a later one.
    """
    seal = ChainSeal(key, earlier_keys(path, key))
    anchor = read_anchor(path, seal)
    if anchor is None:
        return Verification(ok=False, lines=0, problem=f"{path.name}.anchor is wrong")
    chain = _ChainCheck(seal, last=anchor, tail=seal.read("tail", tail_path(path)))
    # right after a rotation there may be no current file yet
    parts = (*older, path) if path.is_file() or not older else older
    for part in parts:
        if not part.is_file():
            return Verification(ok=False, lines=chain.lines, problem=f"there is no {part.name}")
        if problem := chain.check_file(part):
            message = f"{part.name}: {problem}"
            return Verification(
                ok=False, lines=chain.lines, bad_line=chain.lines + 1, problem=message
            )
    problem = ""
    if chain.tail is None:
        name = tail_path(path).name
        problem = (
            f"{name} is missing or wrong: lines after line {chain.lines} may have been removed"
        )
    elif not chain.reached_tail:
        problem = f"{path.name}: lines after line {chain.lines} are missing"
    return Verification(ok=not problem, lines=chain.lines, problem=problem)


class _ChainCheck:
    """Follows the chain from file to file."""

    def __init__(self, seal: ChainSeal, *, last: str, tail: str | None) -> None:
        self._seal = seal
        self._last = last
        self.tail = tail
        self.reached_tail = last == tail
        self._key = len(seal.keys) - 1  # the oldest
        self.lines = 0  # good ones, of the current file

    def check_file(self, path: Path) -> str:
        """Return what is wrong with the first bad line of a file; empty if all are good."""
        self.lines = 0
        with path.open("rb") as file:
            for raw in file:
                if problem := self._problem(raw):
                    return problem
                self.lines += 1
                self._last = raw[-67:-3].decode()
                self.reached_tail = self.reached_tail or self._last == self.tail
        return ""

    def _problem(self, raw: bytes) -> str:
        match = _LINE.fullmatch(raw.removesuffix(b"\n"))
        if not match or not raw.endswith(b"\n"):
            return "the line is not a complete event with a hash"
        key = self._seal.key_of(match[1], match[3].decode())
        if key is None:
            return "the line was changed or written with another key"
        if key > self._key:
            return "the line was written with an earlier key than the line before it"
        self._key = key
        if (match[2] or b"").decode() != self._last:
            return "lines before this one are missing or in another order"
        return ""


def _lock(file: int) -> None:
    if fcntl:
        fcntl.flock(file, fcntl.LOCK_EX)


def _try_lock(file: int) -> bool:
    try:
        if fcntl:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _unlock(file: int) -> None:
    if fcntl:
        fcntl.flock(file, fcntl.LOCK_UN)
