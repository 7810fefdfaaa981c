"""Where settings come from: webquarry.toml, `.env`, the environment and flags."""

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
TOML = "webquarry.toml"
_CONFIG = "WEBQUARRY_CONFIG"
_OWN_PREFIX = "WEBQUARRY_"


@dataclass(frozen=True)
class Given:
    """A value as somebody wrote it, and where."""

    value: object
    where: str


class SettingSources:
    """Reads all sources, and collects what is wrong with them instead of stopping at the first."""

    def __init__(self, table: Mapping[str, Declaration], directory: Path) -> None:
        self._table = table
        self._places = {
            f"[{entry.group}].{entry.key}": entry
            for entry in table.values()
            if entry.variable.in_file
        }
        self._names = {name: name for name in table}
        self._directory = directory
        self.problems: list[str] = []

    def merged(self, environ: Mapping[str, str], flags: Mapping[str, str]) -> dict[str, Given]:
        """Return the value of highest priority of every variable that is set anywhere."""
        above = {**self._dotenv(), **self._environment(environ), **self._flags(flags)}
        return {**self._toml(above.get(_CONFIG)), **above}

    def _flags(self, flags: Mapping[str, str]) -> dict[str, Given]:
        given: dict[str, Given] = {}
        for name, text in flags.items():
            where = f"flag --{name.removeprefix(_OWN_PREFIX).lower().replace('_', '-')}"
            if name not in self._table:
                self._unknown("flag", name, self._names)
            elif text.strip():
                given[name] = Given(text, where)
        return given

    def _environment(self, environ: Mapping[str, str]) -> dict[str, Given]:
        given: dict[str, Given] = {}
        for name, text in environ.items():
            if name in self._table:
                if text.strip():
                    given[name] = Given(text, "environment")
            # other programs own the rest of the environment, but nobody else has our prefix
            elif name.startswith(_OWN_PREFIX):
                self._unknown("environment", name, self._names)
        return given

    def _dotenv(self) -> dict[str, Given]:
        given: dict[str, Given] = {}
        first: dict[str, int] = {}
        for line in dotenv.parse(self._text(self._directory / DOTENV, DOTENV) or ""):
            where = f"{DOTENV} line {line.number}"
            if line.problem:
                self.problems.append(f"{where}: {line.problem}")
            elif line.name not in self._table:
                # a project's .env serves other programs too: only what must be meant for us
                # can be wrong
                if line.name.startswith(_OWN_PREFIX) or self._resembles(line.name):
                    self._unknown(where, line.name, self._names)
            elif line.name in first:
                self.problems.append(
                    f"{where}: {line.name} is already set on line {first[line.name]}"
                )
            else:
                first[line.name] = line.number
                if line.value.strip():
                    given[line.name] = Given(line.value, where)
        return given

    def _toml(self, named: Given | None) -> dict[str, Given]:
        try:
            path = self._directory / (PATH.read(named.value) if named else TOML)
        except ValueError:  # the loader reports the value itself
            return {}
        text = self._text(path, f"{_CONFIG} ({named.where})" if named else TOML)
        if text is None:
            if named and not path.exists():
                self.problems.append(f"{_CONFIG} ({named.where}): there is no file {str(path)!r}")
            return {}
        try:
            tables = tomllib.loads(text.removeprefix("\ufeff"))
        except (ValueError, RecursionError) as error:
            self.problems.append(f"{path.name}: not valid toml: {error}")
            return {}
        return dict(self._of_tables(tables, path.name))

    def _of_tables(self, tables: Mapping[str, Any], file: str) -> Iterator[tuple[str, Given]]:
        groups = {name: f"[{name}]" for name in (*GROUPS, KEYS, BASE_URLS)}
        keys = {entry.key: place for place, entry in self._places.items()}
        for group, table in tables.items():
            if not isinstance(table, dict):
                self._unknown(file, group, keys)
            elif group not in groups:
                self._unknown(file, group, groups)
            else:
                yield from self._of_table(group, cast("dict[str, Any]", table), file)

    def _of_table(
        self, group: str, table: Mapping[str, Any], file: str
    ) -> Iterator[tuple[str, Given]]:
        siblings = {e.key: place for place, e in self._places.items() if e.group == group}
        for key, value in table.items():
            place = siblings.get(key)
            if place is None:
                self._unknown(f"{file} [{group}]", key, siblings)
            elif not _is_empty(value):
                yield self._places[place].name, Given(value, f"{file} {place}")

    def _resembles(self, name: str) -> bool:
        """Return whether the name can only be a misspelling of one of ours."""
        return bool(difflib.get_close_matches(name.upper(), self._names, n=1, cutoff=0.88))

    def _unknown(self, where: str, name: str, known: Mapping[str, str]) -> None:
        """Report a name nobody declared; `known` maps what it may mean to how that is written."""
        close = difflib.get_close_matches(name, known, n=1, cutoff=0.7)
        if not close:
            close = difflib.get_close_matches(name.upper(), known, n=1, cutoff=0.7)
        hint = f"; did you mean {known[close[0]]}?" if close else ""
        self.problems.append(f"{where}: unknown setting {name!r}{hint}")

    def _text(self, path: Path, what: str) -> str | None:
        try:
            return path.read_bytes().decode("utf-8")
        except FileNotFoundError:
            return None
        except UnicodeDecodeError as error:
            self.problems.append(f"{what}: not UTF-8 text (byte {error.start}): save it as UTF-8")
        except OSError as error:
            self.problems.append(f"{what}: cannot be read: {error.strerror}")
        return None


def _is_empty(value: object) -> bool:
    return value == [] or (isinstance(value, str) and not value.strip())
