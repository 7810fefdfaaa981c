"""Loads the settings. Precedence: defaults < webquarry.toml < env file < environment < flags."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from webquarry.errors import SettingsError
from webquarry.settings.groups.group import SettingsGroup
from webquarry.settings.redact import without_password
from webquarry.settings.setting_sources import GivenValue, SettingSources
from webquarry.settings.tree import BASE_URLS, GROUPS, KEYS, Declaration, Settings, declarations
from webquarry.settings.variable import Variable

__all__ = ["Settings", "load"]

_SHOWN_CHARACTERS = 80


def load(
    *,
    environ: Mapping[str, str],
    directory: Path,
    flags: Mapping[str, str] = MappingProxyType({}),
    declared: Sequence[Variable] = (),
) -> Settings:
    """Return the settings, or raise one SettingsError that lists every problem."""
    table = declarations(declared)
    sources = SettingSources(table, directory)
    given = sources.merged(environ, flags)
    values: dict[str, Any] = {}
    invalid: dict[str, str] = {}
    for name, entry in given.items():
        try:
            values[name] = table[name].variable.kind.read(entry.value)
        except ValueError:
            invalid[name] = _invalid_value(table[name].variable, entry)
    groups = {name: _group(name, table, values) for name in GROUPS}
    # a group with an invalid value has its default instead: conflicts would report that twice
    invalid_groups = {table[name].group for name in invalid}
    valid = [group for name, group in groups.items() if name not in invalid_groups]
    conflicts = [text for group in valid for text in group.conflicts()]
    problems = [*sources.problems, *invalid.values(), *conflicts]
    if problems:
        raise SettingsError("\n".join(problems))
    settings: dict[str, Any] = {
        **groups,
        "keys": MappingProxyType(_keys(table, values)),
        "base_urls": MappingProxyType(_base_urls(table, values)),
        "sources": MappingProxyType({name: entry.source for name, entry in given.items()}),
        "declared": tuple(declared),
        "ignored": tuple(dict.fromkeys(sources.ignored)),
    }
    return Settings(**settings)


def _invalid_value(variable: Variable, given: GivenValue) -> str:
    try:
        text = str(given.value) if variable.secret else repr(given.value)
    except ValueError:  # Python limits the number of digits it converts to text
        text = "a huge number"
    if variable.secret:
        text = f"a secret of {len(text)} characters"
    elif "://" in text:
        text = repr(without_password(str(given.value)))
    if len(text) > _SHOWN_CHARACTERS:
        text = text[:_SHOWN_CHARACTERS] + "…"
    return f"{variable.name} ({given.source}) is {text}; accepted: {variable.kind.accepts}"


def _group(
    group: str, table: Mapping[str, Declaration], values: Mapping[str, Any]
) -> SettingsGroup:
    fields = {
        entry.key: values[name]
        for name, entry in table.items()
        if entry.group == group and name in values
    }
    return GROUPS[group](**fields)


def _keys(table: Mapping[str, Declaration], values: Mapping[str, Any]) -> dict[str, str]:
    keys: dict[str, str] = {}
    for name, entry in table.items():
        source = name if name in values else entry.variable.fallback
        if entry.group == KEYS and source in values:
            keys[name] = values[source]
    return keys


def _base_urls(table: Mapping[str, Declaration], values: Mapping[str, Any]) -> dict[str, str]:
    return {
        entry.key: values[name].rstrip("/")
        for name, entry in table.items()
        if entry.group == BASE_URLS and name in values
    }
