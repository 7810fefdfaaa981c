"""Base class of setting groups: frozen dataclasses with a `Variable` in each field."""

# Dataclasses instead of pydantic models: importing pydantic takes 0.2 s of CPU at every start, and
# the value types have already validated the values.

from collections.abc import Iterable
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, TypeVar, cast, dataclass_transform

from webquarry.settings.value_types import FLAG, TEXT, ValueType
from webquarry.settings.variable import Variable

T = TypeVar("T")

VARIABLE = "variable"  # key of the `Variable` in the metadata of a field


def setting(
    name: str, description: str, kind: ValueType[Any] = TEXT, *, default: T, **options: Any
) -> T:
    """Declare a field of a group; `options` are further fields of its `Variable`."""
    return field(default=default, metadata={VARIABLE: Variable(name, description, kind, **options)})


def flag(name: str, description: str, *, default: bool, in_file: bool = True) -> bool:
    """Declare a field that is true or false."""
    return setting(name, description, FLAG, default=default, in_file=in_file)


@dataclass_transform(
    frozen_default=True, kw_only_default=True, field_specifiers=(field, flag, setting)
)
class SettingsGroup:
    """One table of webquarry.toml. To add a setting, add one field."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, kw_only=True, repr=False)(cls)

    @classmethod
    def variables(cls) -> dict[str, Variable]:
        """Return the variable of each field."""
        return {entry.name: entry.metadata[VARIABLE] for entry in fields(cast("Any", cls))}

    @classmethod
    def default(cls, name: str) -> Any:
        """Return the default of one field; some are computed for the machine."""
        found = next(entry for entry in fields(cast("Any", cls)) if entry.name == name)
        return found.default if found.default_factory is MISSING else found.default_factory()

    def conflicts(self) -> Iterable[str]:
        """Return one sentence for each combination of settings that cannot work."""
        return ()

    def __repr__(self) -> str:
        shown = (
            f"{name}={'***' if value and variable.secret else value!r}"
            for name, variable in self.variables().items()
            for value in (getattr(self, name),)
        )
        return f"{type(self).__name__}({', '.join(shown)})"
