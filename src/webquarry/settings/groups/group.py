"""Base of the groups: a frozen dataclass whose fields carry a `Variable` in their annotation."""

# dataclasses rather than pydantic: importing pydantic costs 0.2 s of CPU, which every command and
# the quick start over stdio would pay, and the kinds have validated the values already

from collections.abc import Iterable
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, dataclass_transform, get_type_hints

from webquarry.settings.variable import Variable


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
class SettingsGroup:
    """One table of webquarry.toml. To add a setting, add one annotated field with its default."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, kw_only=True, repr=False)(cls)

    @classmethod
    def variables(cls) -> dict[str, Variable]:
        """Return the variable of each field."""
        hints = get_type_hints(cls, include_extras=True)
        return {
            name: entry
            for name, hint in hints.items()
            for entry in getattr(hint, "__metadata__", ())
            if isinstance(entry, Variable)
        }

    @classmethod
    def default(cls, name: str) -> Any:
        """Return the default of one field, computing it where it depends on the machine."""
        found = next(entry for entry in fields(_as_dataclass(cls)) if entry.name == name)
        return found.default if found.default_factory is MISSING else found.default_factory()

    def conflicts(self) -> Iterable[str]:
        """Return the settings that are right alone but wrong together, one sentence each."""
        return ()

    def __repr__(self) -> str:
        shown = (
            f"{name}={'***' if value and variable.secret else value!r}"
            for name, variable in self.variables().items()
            for value in (getattr(self, name),)
        )
        return f"{type(self).__name__}({', '.join(shown)})"


def _as_dataclass(cls: Any) -> Any:
    return cls  # every subclass is one, but only its own decorator tells the type checker
