"""Edits the JSON configuration file of another program without losing anything in it."""

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
_NEW_FILE_MODE = 0o600  # it may contain API keys
_PERMISSION_BITS = 0o777


@dataclass(frozen=True)
class ConfigFile:
    """The file as it is now; `problem` says why it cannot be changed safely."""

    path: Path
    text: str
    exists: bool
    problem: str = ""

    @classmethod
    def read(cls, path: Path) -> "ConfigFile":
        """Read a file that need not exist."""
        path = path.resolve()  # write the target of a symbolic link, not the link
        try:
            text = path.read_bytes().decode("utf-8")
        except FileNotFoundError:
            return cls(path, "", exists=False)
        except UnicodeDecodeError:
            return cls(path, "", exists=True, problem="is not UTF-8 text")
        except OSError as exc:
            raise BadInputError(f"Cannot read {path}: {exc.strerror}.") from exc
        return cls(path, text, exists=True, problem=_problem(text))

    def with_entry(self, section: str, name: str, entry: dict[str, Any]) -> str:
        """Return the text with this entry in it and everything else unchanged."""
        body = self.text.removeprefix(_BOM)
        config: dict[str, Any] = json.loads(body) if body.strip() else {}
        present: Any = config.get(section, {})
        if not isinstance(present, dict):
            raise BadInputError(f"{self.path}: {section} is not an object. Correct it first.")
        servers = cast("dict[str, Any]", present)
        if servers.get(name) == entry:
            return self.text
        config[section] = {**servers, name: entry}
        return self._in_same_style(json.dumps(config, indent=_indent(body), ensure_ascii=False))

    def _in_same_style(self, text: str) -> str:
        """Return new text with the BOM and the line ends of the present text."""
        bom = _BOM if self.text.startswith(_BOM) else ""
        newline = "\r\n" if "\r\n" in self.text else "\n"
        has_last_line_end = not self.text.strip(_BOM + " \t\r\n") or self.text.endswith("\n")
        return bom + (text + ("\n" if has_last_line_end else "")).replace("\n", newline)

    def write(self, text: str) -> Path | None:
        """Replace the file atomically; return the path of the backup of the old one."""
        try:
            return self._write(text)
        except OSError as exc:
            raise BadInputError(f"Cannot write {self.path}: {exc.strerror}.") from exc

    def _write(self, text: str) -> Path | None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        now = self.path.read_bytes() if self.path.exists() else None
        if now != (self.text.encode() if self.exists else None):
            raise BadInputError(f"{self.path} was changed meanwhile. Run the command again.")
        mode, backup = _NEW_FILE_MODE, None
        if now is not None:
            mode = self.path.stat().st_mode & _PERMISSION_BITS
            timestamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%fZ")
            backup = self.path.with_name(f"{self.path.name}.{timestamp}.bak")
            _write_atomically(backup, now, mode)
        _write_atomically(self.path, text.encode(), mode)
        return backup


def diff(file: ConfigFile, text: str) -> str:
    """Return the change as a unified diff."""
    name = str(file.path)
    lines = difflib.unified_diff(
        file.text.splitlines(), text.splitlines(), name if file.exists else "/dev/null", name,
        lineterm="",
    )  # fmt: skip
    return "".join(f"{line}\n" for line in lines)


def _write_atomically(path: Path, data: bytes, mode: int) -> None:
    """Write a temporary file in the same directory and rename it: readers never see a part."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(mode)
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


def _problem(text: str) -> str:
    """Return why rewriting the file would lose something; empty if it would not."""
    body = text.removeprefix(_BOM)
    if not body.strip():
        return ""
    try:
        config = json.loads(body, object_pairs_hook=_unique_keys)
    except ValueError as exc:
        return f"is not plain JSON ({exc})"
    return "" if isinstance(config, dict) else "does not contain an object"


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    unique = dict(pairs)
    if len(unique) < len(pairs):
        raise ValueError("duplicate key")
    return unique


def _indent(body: str) -> int | str:
    """Return the indentation that the file uses."""
    for line in body.splitlines():
        space = line[: len(line) - len(line.lstrip())]
        if space:
            return "\t" if space.startswith("\t") else len(space)
    return 2
