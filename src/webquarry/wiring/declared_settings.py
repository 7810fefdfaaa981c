"""The settings that providers and site readers declare."""

from webquarry.providers import all_providers
from webquarry.reading import sites
from webquarry.settings.variable import Variable


def declared_variables() -> tuple[Variable, ...]:
    """Return each variable once; a site reader and a provider may share one."""
    return tuple(dict.fromkeys((*all_providers.declared_variables(), *sites.declared_variables())))
