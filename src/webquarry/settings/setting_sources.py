"""Reads settings from webquarry.toml, env files, the environment and flags."""

import difflib
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from webquarry.settings import dotenv
from webquarry.settings.tree import BASE_URLS, GROUPS, KEYS, Declaration
from webquarry.settings.value_types import PATH

DOTENV = ".env"
OWN_DOTENV = "webquarry.env"
TOML = "webquarry.toml"
_CONFIG = "WEBQUARRY_CONFIG"
_ENV_FILE = "WEBQUARRY_ENV_FILE"
OWN_PREFIX = "WEBQUARRY_"


@dataclass(frozen=True)
class GivenValue:
    """A value as written, and the source it comes from."""

    value: object
    source: str


class SettingSources:
    """Reads all sources and collects all problems instead of stopping at the first."""

    def __init__(self, table: Mapping[str, Declaration], directory: Path) -> None:
        self._table = table
        self._toml_keys = {
            f"[{entry.group}].{entry.key}": entry
            for entry in table.values()
            if entry.variable.in_file
        }
        self._names = {name: name for name in table}
        self._directory = directory
        self.problems: list[str] = []
        self.ignored: list[str] = []  # our names in the `.env` of another project

    def merged(self, environ: Mapping[str, str], flags: Mapping[str, str]) -> dict[str, GivenValue]:
        """Return the value of highest priority of every variable that is set anywhere."""
        explicit = {**self._environment(environ), **self._flags(flags)}
        overrides = {**self._env_files(explicit.get(_ENV_FILE)), **explicit}
        return {**self._toml(overrides.get(_CONFIG)), **overrides}

    def _flags(self, flags: Mapping[str, str]) -> dict[str, GivenValue]:
        given: dict[str, GivenValue] = {}
        for name, text in flags.items():
            source = f"flag --{name.removeprefix(OWN_PREFIX).lower().replace('_', '-')}"
            if name not in self._table:
                self._unknown("flag", name, self._names)
            elif text.strip():
                given[name] = GivenValue(text, source)
        return given

    def _environment(self, environ: Mapping[str, str]) -> dict[str, GivenValue]:
        given: dict[str, GivenValue] = {}
        # WEBQUARRY_PORT is more specific than PORT, so it comes last and wins
        for written in sorted(environ, key=lambda name: name.startswith(OWN_PREFIX)):
            name, text = self._setting_name(written), environ[written]
            if name in self._table:
                if text.strip():
                    given[name] = GivenValue(text, "environment")
            # other variables may belong to other programs, those with our prefix cannot
            elif name.startswith(OWN_PREFIX):
                self._unknown("environment", name, self._names)
        return given

    def _setting_name(self, written: str) -> str:
        """Return the name of a setting, which may be written with our prefix."""
        short = written.removeprefix(OWN_PREFIX)
        return short if written not in self._table and short in self._table else written

    def _env_files(self, named: GivenValue | None) -> dict[str, GivenValue]:
        if named:
            return self._named_env_file(named)
        given = self._foreign_dotenv() if self._is_foreign() else self._env_file(DOTENV)
        return {**given, **self._env_file(OWN_DOTENV)}

    def _is_foreign(self) -> bool:
        """Return whether `.env` here belongs to another project."""
        return not (self._directory / TOML).exists()

    def _named_env_file(self, named: GivenValue) -> dict[str, GivenValue]:
        try:
            path = self._directory / PATH.read(named.value)
        except ValueError:  # the loader reports the value itself
            return {}
        if not path.exists():
            self.problems.append(f"{_ENV_FILE} ({named.source}): file {str(path)!r} does not exist")
            return {}
        return self._env_file(path.name, path)

    def _env_file(self, label: str, path: Path | None = None) -> dict[str, GivenValue]:
        """Return the settings of a file that is ours, or shared with programs of our project."""
        text = self._text(path or self._directory / label, label) or ""
        given: dict[str, GivenValue] = {}
        first: dict[str, int] = {}
        for line in dotenv.parse(text):
            source, name = f"{label} line {line.number}", self._setting_name(line.name)
            if line.problem:
                self.problems.append(f"{source}: {line.problem}")
            elif name not in self._table:
                # other programs may read the same file: report only names that must be ours
                if name.startswith(OWN_PREFIX) or self._resembles(name):
                    self._unknown(source, name, self._names)
            elif name in first:
                self.problems.append(f"{source}: {name} is already set on line {first[name]}")
            else:
                first[name] = line.number
                if line.value.strip():
                    given[name] = GivenValue(line.value, source)
        return given

    def _foreign_dotenv(self) -> dict[str, GivenValue]:
        """Return the settings with our prefix; nothing else in the file concerns us."""
        try:
            text = (self._directory / DOTENV).read_bytes().decode("utf-8", "replace")
        except OSError:
            return {}
        given: dict[str, GivenValue] = {}
        for line in dotenv.parse(text):
            source, name = f"{DOTENV} line {line.number}", self._setting_name(line.name)
            if not line.name.startswith(OWN_PREFIX):
                self.ignored += [line.name] if line.name in self._table else []
            elif line.problem:
                self.problems.append(f"{source}: {line.problem}")
            elif name not in self._table:
                self._unknown(source, name, self._names)
            elif line.value.strip():
                given[name] = GivenValue(line.value, source)
        return given

    def _toml(self, named: GivenValue | None) -> dict[str, GivenValue]:
        try:
            path = self._directory / (PATH.read(named.value) if named else TOML)
        except ValueError:  # the loader reports the value itself
            return {}
        text = self._text(path, f"{_CONFIG} ({named.source})" if named else TOML)
        if text is None:
            if named and not path.exists():
                self.problems.append(
                    f"{_CONFIG} ({named.source}): file {str(path)!r} does not exist"
                )
            return {}
        try:
            tables = tomllib.loads(text.removeprefix("\ufeff"))
        except (ValueError, RecursionError) as error:
            self.problems.append(f"{path.name}: not valid toml: {error}")
            return {}
        return dict(self._read_tables(tables, path.name))

    def _read_tables(
        self, tables: Mapping[str, Any], file: str
    ) -> Iterator[tuple[str, GivenValue]]:
        groups = {name: f"[{name}]" for name in (*GROUPS, KEYS, BASE_URLS)}
        keys = {entry.key: path for path, entry in self._toml_keys.items()}
        for group, table in tables.items():
            if not isinstance(table, dict):
                self._unknown(file, group, keys)
            elif group not in groups:
                self._unknown(file, group, groups)
            else:
                yield from self._read_table(group, cast("dict[str, Any]", table), file)

    def _read_table(
        self, group: str, table: Mapping[str, Any], file: str
    ) -> Iterator[tuple[str, GivenValue]]:
        siblings = {e.key: path for path, e in self._toml_keys.items() if e.group == group}
        for key, value in table.items():
            path = siblings.get(key)
            if path is None:
                self._unknown(f"{file} [{group}]", key, siblings)
            elif not _is_empty(value):
                yield self._toml_keys[path].name, GivenValue(value, f"{file} {path}")

    def _resembles(self, name: str) -> bool:
        """Return whether the name is probably a misspelling of one of ours."""
        return bool(difflib.get_close_matches(name.upper(), self._names, n=1, cutoff=0.88))

    def _unknown(self, source: str, name: str, known: Mapping[str, str]) -> None:
        """Report an unknown name; `known` maps names that may be meant to how they are written."""
        close = difflib.get_close_matches(name, known, n=1, cutoff=0.7)
        if not close:
            close = difflib.get_close_matches(name.upper(), known, n=1, cutoff=0.7)
        hint = f"; did you mean {known[close[0]]}?" if close else ""
        self.problems.append(f"{source}: unknown setting {name!r}{hint}")

    def _text(self, path: Path, source: str) -> str | None:
        try:
            return path.read_bytes().decode("utf-8")
        except FileNotFoundError:
            return None
        except UnicodeDecodeError as error:
            self.problems.append(f"{source}: not UTF-8 text (byte {error.start}): save it as UTF-8")
        except OSError as error:
            self.problems.append(f"{source}: cannot be read: {error.strerror}")
        return None


def _is_empty(value: object) -> bool:
    return value == [] or (isinstance(value, str) and not value.strip())
