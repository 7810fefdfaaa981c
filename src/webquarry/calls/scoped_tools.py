"""The tools that a caller may see: those their scopes allow."""

from webquarry.auth.scopes import EVERYTHING, allows
from webquarry.calls.registry import Registry
from webquarry.calls.tool_schema import Json
from webquarry.models.caller import Caller


def offered(registry: Registry, caller: Caller) -> list[Json]:
    """Return the `tools/list` entries for this caller."""
    if caller.scopes is None or caller.scopes & EVERYTHING:
        return registry.definitions()
    return [
        registry.definition(tool.name)
        for tool in registry.tools()
        if allows(caller.scopes, tool.name, tool.toolset)
    ]
