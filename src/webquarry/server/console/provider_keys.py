"""The console's API for providers: which there are, which keys they take, and adding a key."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import Request

from webquarry.errors import BadInputError, ForbiddenError
from webquarry.providers.all_providers import PROVIDERS
from webquarry.providers.provider import Provider
from webquarry.server.mcp_server import ServerOffer
from webquarry.server.rest_bodies import read_arguments
from webquarry.services.key_check import check_key
from webquarry.settings.key_file import key_file_path, save_key
from webquarry.settings.load import Settings

_MAX_BODY = 16_384


@dataclass(frozen=True, kw_only=True)
class ProviderKeysApi:
    """Lists providers and stores their keys."""

    offer: ServerOffer
    settings: Settings
    require_operator: Callable[[Request], None]  # raises for other callers
    directory: Path  # of the settings files

    async def providers(self, request: Request) -> Any:
        self.require_operator(request)
        ready = {each.about.name for each in self.offer.services.providers.ready}
        return {
            "file": str(key_file_path(self.settings, self.directory)),
            "providers": [self._described(each, ready) for each in PROVIDERS],
        }

    async def add_key(self, request: Request) -> Any:
        """Test a key and write it into the env file; a rejected key is not written."""
        self.require_operator(request)
        _require_same_origin(request)
        body: dict[str, Any] = await read_arguments(request, _MAX_BODY)
        name, value = str(body.get("name", "")), str(body.get("value", "")).strip()
        provider = _provider_with(name)
        keys = {**self.settings.keys, name: value}
        state, reason = await check_key(provider, self.offer.services.network.upstreams, keys)
        if state == "rejected":
            return {"state": state, "reason": reason, "saved": False}
        path = save_key(self.settings, self.directory, name, value)
        return {"state": state, "reason": reason, "saved": True, "file": str(path)}

    def _described(self, provider: type[Provider], ready: set[str]) -> dict[str, Any]:
        about, keys = provider.about, self.settings.keys
        return {
            "name": about.name,
            "docs": about.docs,
            "ready": about.name in ready,
            "variables": [
                {
                    "name": variable.name,
                    "description": variable.description,
                    "required": variable.name in about.requires,
                    "set": bool(keys.get(variable.name)),
                }
                for variable in about.variables
                if variable.secret or variable.name in about.requires
            ],
        }


def _provider_with(name: str) -> type[Provider]:
    for provider in PROVIDERS:
        if any(variable.name == name for variable in provider.about.variables):
            return provider
    raise BadInputError(f"name: {name[:80]!r} is not a key of a provider")


def _require_same_origin(request: Request) -> None:
    """Refuse pages of other local servers, which may otherwise call this one."""
    origin = request.headers.get("origin")
    if origin and urlsplit(origin).netloc.lower() != request.headers.get("host", "").lower():
        raise ForbiddenError("Only the console of this server may add keys.")
