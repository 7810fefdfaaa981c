"""A JSON file that belongs to somebody else: changed in one place, or not at all."""

import difflib
import json
import os
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from webquarry.errors import BadInputError

_BOM = "\ufeff"
_USUAL = 0o600  # of a new file: it may hold keys
_KEPT = 0o777


@dataclass(frozen=True)
class ConfigFile:
    """What is in the file now; `problem` says why it cannot be changed safely."""

    path: Path
    text: str
    there: bool
    problem: str = ""

    @classmethod
    def read(cls, path: Path) -> "ConfigFile":
        """Read a file that may not be there yet."""
        path = path.resolve()  # a link stays one: what it points at is written
        try:
            text = path.read_bytes().decode("utf-8")
        except FileNotFoundError:
            return cls(path, "", there=False)
        except UnicodeDecodeError:
            return cls(path, "", there=True, problem="is not UTF-8 text")
        except OSError as exc:
            raise BadInputError(f"{path} cannot be read: {exc.strerror}") from exc
        return cls(path, text, there=True, problem=_problem(text))

    def with_entry(self, section: str, name: str, entry: dict[str, Any]) -> str:
        """Return the text with our entry in it, everything else as it was."""
        body = self.text.removeprefix(_BOM)
        whole: dict[str, Any] = json.loads(body) if body.strip() else {}
        there: Any = whole.get(section, {})
        if not isinstance(there, dict):
            raise BadInputError(f"{self.path}: {section} is no object; correct that first")
        servers = cast("dict[str, Any]", there)
        if servers.get(name) == entry:
            return self.text
        whole[section] = {**servers, name: entry}
        written = json.dumps(whole, indent=_indent(body), ensure_ascii=False)
        bom = _BOM if self.text.startswith(_BOM) else ""
        newline = "\r\n" if "\r\n" in body else "\n"
        end = "" if body.strip() and not body.endswith("\n") else "\n"
        return bom + (written + end).replace("\n", newline)

    def write(self, text: str) -> Path | None:
        """Write all of it or nothing; return the backup of what was there."""
        try:
            return self._write(text)
        except OSError as exc:
            raise BadInputError(f"{self.path} cannot be written: {exc.strerror}") from exc

    def _write(self, text: str) -> Path | None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        now = self.path.read_bytes() if self.path.exists() else None
        if now != (self.text.encode() if self.there else None):
            raise BadInputError(f"{self.path} changed meanwhile; run the command again")
        mode, backup = _USUAL, None
        if now is not None:
            mode = self.path.stat().st_mode & _KEPT
            moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%fZ")
            backup = self.path.with_name(f"{self.path.name}.{moment}.bak")
            _put(backup, now, mode)
        _put(self.path, text.encode(), mode)
        return backup


def diff(file: ConfigFile, text: str) -> str:
    """Return the change as a unified diff."""
    name = str(file.path)
    lines = difflib.unified_diff(
        file.text.splitlines(), text.splitlines(), name if file.there else "/dev/null", name,
        lineterm="",
    )  # fmt: skip
    return "".join(f"{line}\n" for line in lines)


def _put(path: Path, raw: bytes, mode: int) -> None:
    """Write beside the file and move it there, so that nobody ever sees half of it."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(mode)
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


def _problem(text: str) -> str:
    """Return why writing the file anew would lose something."""
    body = text.removeprefix(_BOM)
    if not body.strip():
        return ""
    try:
        whole = json.loads(body, object_pairs_hook=_once)
    except ValueError as exc:
        return f"is not plain JSON ({exc})"
    return "" if isinstance(whole, dict) else "does not hold an object"


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key is there twice")
    return found


def _indent(body: str) -> int | str:
    """Return how the file indents its lines."""
    for line in body.splitlines():
        space = line[: len(line) - len(line.lstrip())]
        if space:
            return "\t" if space.startswith("\t") else len(space)
    return 2
