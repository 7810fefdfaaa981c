"""The settings that providers and sites add to our own."""

from webquarry import providers
from webquarry.reading import sites
from webquarry.settings.variable import Variable


def declared_variables() -> tuple[Variable, ...]:
    """Return each once; a site and a provider of the same name share theirs."""
    return tuple(dict.fromkeys((*providers.declared_variables(), *sites.declared_variables())))
