"""What clients may offer while a person types an argument."""

from collections.abc import Mapping
from typing import get_args

from webquarry.models.caller import Caller
from webquarry.server.mcp_server import Complete
from webquarry.services import Services


def completions(services: Services) -> Mapping[str, Complete]:
    """Return the choices by the argument's name."""

    async def lenses(_: Caller, __: str) -> list[str]:
        return list(services.searching.lenses.all())

    async def providers(_: Caller, __: str) -> list[str]:
        return services.searching.provider_names()

    async def depths(_: Caller, __: str) -> list[str]:
        # imported here: completions are rare, and a start should not pay for them
        from webquarry.models.session import Depth

        return list(get_args(Depth))

    async def sessions(caller: Caller, _: str) -> list[str]:
        return await services.sessions.ids(caller)

    return {"lens": lenses, "provider": providers, "depth": depths, "sessionId": sessions}
