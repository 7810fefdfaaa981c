"""The declaration of one setting: its name, meaning and syntax."""

from dataclasses import dataclass
from typing import Any

from webquarry.settings.value_types import TEXT, ValueType, url

_BASE_URL = "_BASE_URL"
_ADDRESS = url("http", "https")  # one for all, so that two declarations of one address are equal


@dataclass(frozen=True, kw_only=True)
class _Options:
    secret: bool = False
    fallback: str = ""  # another variable, whose value serves when this one is not set
    default_text: str = ""  # what the documentation says when the default is computed
    in_file: bool = True  # whether webquarry.toml may set it


@dataclass(frozen=True)
class Variable(_Options):
    """One variable of the environment, with everything the loader and the documents need."""

    name: str
    description: str
    kind: ValueType[Any] = TEXT


def base_url(provider: str, default: str) -> Variable:
    """Declare the variable that points a provider at another address."""
    name = provider.upper().replace("-", "_") + _BASE_URL
    description = f"Address of {provider} instead of {default}."
    return Variable(name, description, _ADDRESS, default_text=default)


def provider_of(variable: Variable) -> str | None:
    """Return the provider whose base URL this variable sets, if it sets one."""
    provider = variable.name.removesuffix(_BASE_URL)
    return None if provider == variable.name else provider.lower()
