"""The settings that providers and site readers declare."""

from webquarry import providers
from webquarry.reading import sites
from webquarry.settings.variable import Variable


def declared_variables() -> tuple[Variable, ...]:
    """Return each variable once; a site reader and a provider may share one."""
    return tuple(dict.fromkeys((*providers.declared_variables(), *sites.declared_variables())))
