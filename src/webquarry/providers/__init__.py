"""The providers. To add one: write its file, add its class to `PROVIDERS`."""

from collections.abc import Iterable

from webquarry.net.upstreams import Upstreams
from webquarry.providers.base import Keys, Provider
from webquarry.settings.variable import Variable

PROVIDERS: tuple[type[Provider], ...] = ()  # in order of preference


def declared_variables(classes: Iterable[type[Provider]] = PROVIDERS) -> tuple[Variable, ...]:
    """Return the settings of all providers, each once."""
    return tuple(dict.fromkeys(v for cls in classes for v in cls.about.declared()))


def build_providers(
    upstreams: Upstreams, keys: Keys, classes: Iterable[type[Provider]] = PROVIDERS
) -> list[Provider]:
    """Construct the providers that have everything they require."""
    return [cls(upstreams, keys) for cls in classes if not cls.about.missing(keys)]
