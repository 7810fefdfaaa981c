"""The data of the console's home page: recent work of this person, activity and health."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

from webquarry.errors import WebquarryError
from webquarry.models.caller import Caller
from webquarry.server.mcp_server import ServerOffer
from webquarry.version import __version__

Identify = Callable[[Request], Caller]
_RECENT = 5  # of each kind
_CALLS = 200
CHECKS = frozenset({"audit_bibliography", "verify_citation", "verify_recommendation"})


@dataclass(frozen=True)
class HomeApi:
    """Collects what the home page shows."""

    offer: ServerOffer
    identify: Identify

    async def home(self, request: Request) -> Any:
        caller = self.identify(request)
        sessions, health, calls, activity = await asyncio.gather(
            self._resource("stats://sessions", caller),
            self._resource("diagnostics://health", caller),
            self._calls(caller),
            self._activity(caller),
        )
        listed = sessions.get("sessions", [])
        return {
            "version": __version__,
            "caller": {"user": caller.user, "tenant": caller.tenant, "proved": caller.proved},
            "health": health,
            "sessions": {
                "total": len(listed),
                "latest": listed[:_RECENT],
                "problem": sessions.get("problem"),
            },
            "checks": [call for call in calls if call["tool"] in CHECKS][:_RECENT],
            "calls": calls[: 2 * _RECENT],
            "activity": activity,
        }

    async def _calls(self, caller: Caller) -> list[dict[str, Any]]:
        """Return the latest calls: of all processes, or of this one if no history is stored."""
        if self.offer.history and not caller.proved:
            return await self.offer.history.latest(caller, _CALLS)
        latest = self.offer.services.metrics.tenants.latest_calls(caller.tenant)
        return [{**call, "at": call["timestamp"], "via": "", "subject": ""} for call in latest]

    async def _activity(self, caller: Caller) -> list[dict[str, Any]]:
        if self.offer.history and not caller.proved:
            return await self.offer.history.daily(caller)
        return []

    async def _resource(self, uri: str, caller: Caller) -> dict[str, Any]:
        try:
            content = await self.offer.resources.read(uri, caller, self.offer.services)
        except WebquarryError as exc:  # the page shows the other parts
            return {"problem": str(exc)}
        return json.loads(content.body)
