"""MCP completion: the values that clients may suggest for an argument."""

from collections.abc import Mapping
from typing import get_args

from webquarry.models.caller import Caller
from webquarry.server.mcp_server import Completer
from webquarry.wiring.container import Services


def completions(services: Services) -> Mapping[str, Completer]:
    """Return a completer for each argument name that has one."""

    async def lenses(_: Caller, __: str) -> list[str]:
        return list(services.searching.lenses.all())

    async def providers(_: Caller, __: str) -> list[str]:
        return services.searching.provider_names()

    async def depths(_: Caller, __: str) -> list[str]:
        # imported here because completions are rare and the import would slow down the start
        from webquarry.models.session import Depth

        return list(get_args(Depth))

    async def sessions(caller: Caller, _: str) -> list[str]:
        return await services.sessions.ids(caller)

    return {"lens": lenses, "provider": providers, "depth": depths, "sessionId": sessions}
