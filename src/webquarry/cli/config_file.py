"""Edits the configuration file of another program without losing anything in it."""

import difflib
import os
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from webquarry.cli.config_formats import ConfigFormat, Section
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
    syntax: ConfigFormat
    section: Section
    problem: str = ""

    @classmethod
    def read(cls, path: Path, syntax: ConfigFormat, section: Section) -> "ConfigFile":
        """Read a file that need not exist."""
        path = path.resolve()  # write the target of a symbolic link, not the link
        try:
            text = path.read_bytes().decode("utf-8")
        except FileNotFoundError:
            return cls(path, "", exists=False, syntax=syntax, section=section)
        except UnicodeDecodeError:
            return cls(
                path, "", exists=True, syntax=syntax, section=section, problem="is not UTF-8 text"
            )
        except OSError as exc:
            raise BadInputError(f"Cannot read {path}: {exc.strerror}.") from exc
        problem = syntax.problem(text.removeprefix(_BOM), section)
        return cls(path, text, exists=True, syntax=syntax, section=section, problem=problem)

    def entry(self, name: str) -> Any:
        """Return an entry of the section, or None."""
        return self.syntax.entry(self.body, self.section, name)

    def with_entry(self, name: str, entry: dict[str, Any]) -> str:
        """Return the text with this entry in it and everything else unchanged."""
        if self.entry(name) == entry:
            return self.text
        bom = _BOM if self.text.startswith(_BOM) else ""
        return bom + self.syntax.with_entry(self.body, self.section, name, entry)

    @property
    def body(self) -> str:
        """Return the text without the byte order mark."""
        return self.text.removeprefix(_BOM)

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
