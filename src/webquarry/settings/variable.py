"""The declaration of one setting: its name, meaning and syntax."""

from dataclasses import KW_ONLY, dataclass
from typing import Any

from webquarry.settings.value_types import TEXT, ValueType, url

_BASE_URL = "_BASE_URL"
_HTTP_URL = url("http", "https")  # one object, so that equal declarations compare equal


@dataclass(frozen=True)
class Variable:
    """One environment variable, with all that the loader and the documentation need."""

    name: str
    description: str
    kind: ValueType[Any] = TEXT
    _: KW_ONLY
    secret: bool = False
    fallback: str = ""  # another variable, used if this one is not set
    default_text: str = ""  # what the documentation says when the default is computed
    in_file: bool = True  # whether webquarry.toml may set it


def base_url(provider: str, default: str) -> Variable:
    """Declare the variable that changes the base URL of a provider."""
    name = provider.upper().replace("-", "_") + _BASE_URL
    description = f"Base URL of {provider}; default {default}."
    return Variable(name, description, _HTTP_URL, default_text=default)


def provider_of(variable: Variable) -> str | None:
    """Return the provider whose base URL this variable sets, if it sets one."""
    provider = variable.name.removesuffix(_BASE_URL)
    return None if provider == variable.name else provider.lower()
