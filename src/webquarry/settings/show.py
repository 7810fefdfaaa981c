"""The settings in effect, as `webquarry config` shows them."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby

from webquarry.settings.redact import shown, value_of
from webquarry.settings.tree import Declaration, Settings, declarations


@dataclass(frozen=True)
class SettingRow:
    """One setting: its value without secrets, and the source that set it."""

    group: str
    name: str
    value: str
    source: str
    is_default: bool


def effective(settings: Settings) -> tuple[SettingRow, ...]:
    """Return a row for every setting, set or not."""
    return tuple(_row(settings, entry) for entry in declarations(settings.declared).values())


def _row(settings: Settings, entry: Declaration) -> SettingRow:
    value = shown(entry, value_of(settings, entry))
    source = settings.sources.get(entry.name, "")
    fallback = entry.variable.fallback
    if not source and value and fallback in settings.sources:
        source = f"{settings.sources[fallback]}, as {fallback}"
    return SettingRow(entry.group, entry.name, value, source or "default", is_default=not source)


def as_json(rows: Iterable[SettingRow]) -> list[dict[str, str | bool]]:
    """Return the rows as plain JSON values."""
    return [asdict(row) for row in rows]


def render_text(rows: Sequence[SettingRow]) -> str:
    """Return the rows as a plain table, one section per group."""
    names = max((len(row.name) for row in rows), default=0)
    values = max((len(row.value or "-") for row in rows), default=0)
    lines: list[str] = []
    for group, members in groupby(rows, key=lambda row: row.group):
        lines += ["", f"[{group}]"]
        lines += [
            f"{row.name:<{names}}  {row.value or '-':<{values}}  {row.source}" for row in members
        ]
    return "\n".join(lines[1:])
